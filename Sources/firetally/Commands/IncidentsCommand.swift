import ArgumentParser
import Jobs
import Model
import Reports
import Store

struct IncidentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "incidents",
    abstract: "List problems of jobs; acknowledge those that you know.",
    group: [List.self, Acknowledge.self, TakeBack.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List problems of jobs: since when, why, and which messages were sent.",
      discussion: """
        `incidents` alone does the same. Open incidents come first, then the newest. Needs no lock \
        and no network. Times are in time_zone.
        """,
      examples: [
        "firetally incidents", "firetally incidents --open", "firetally incidents --json",
      ])

    @Flag(help: "List only open incidents.")
    var open = false

    @OptionGroup var count: CountOption

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      let (found, acknowledged) = try opened.reading { store in
        try store?.read {
          (
            try $0.incidents(at: invocation.now, onlyOpen: open, limit: count.fetched),
            try $0.acknowledgements()
          )
        } ?? ([], [])
      }
      let output = invocation.output
      func quiet(_ incident: JobIncident) -> Acknowledgement? {
        acknowledged.first {
          !incident.isOver
            && $0.quiets(
              .lasts, of: incident, known: incident.acknowledgedBy, at: invocation.now)
        }
      }
      if output.isJSON {
        for incident in found.prefix(count.limit) {
          let quiet = quiet(incident)
          try output.print(
            json: IncidentsCommand.line(incident).merging([
              "acknowledgedAt": quiet?.at, "quietUntil": quiet?.until,
            ]))
        }
      } else if found.isEmpty {
        output.print(open ? "No incident is open." : "No incident is recorded.")
      } else {
        output.print(
          IncidentsCommand.text(of: found.prefix(count.limit), opened) { quiet($0) != nil })
        count.printMore(of: found, on: output)
      }
    }
  }

  struct Acknowledge: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "ack",
      abstract: "Acknowledge an open incident: no daily message repeats it.",
      discussion: """
        Also acknowledges the finding about it. A new reason, its return and its end still have a \
        message. Lasts until the incident is over, or until a day.
        """,
      examples: ["firetally incidents ack 12", "firetally incidents ack 12 --until 2026-12-01"])

    @Argument(help: "The incident's id, as `firetally incidents` shows it.")
    var id: Int64

    @Option(
      help: ArgumentHelp(
        "The day from which its messages come again, such as 2026-01-31.", valueName: "date"))
    var until: CivilDay?

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      let end = try FindingsCommand.end(until, invocation, opened)
      let incident = try opened.incident(id, at: invocation.now)
      guard !incident.isOver else {
        throw CommandError(
          .usage, "Incident \(id) is over. `firetally incidents --open` lists the others.")
      }
      let one = Acknowledgement.idOfIncident(id)
      try opened.store().write { writer in
        for id in [one] + incident.acknowledgedFindings {
          try writer.acknowledge(
            Acknowledgement(id: id, at: invocation.now, until: until?.iso8601, untilAt: end))
        }
      }
      try invocation.output.remark(
        "Acknowledged until \(until?.iso8601 ?? "it is over"): \(IncidentWords.name(of: incident)).",
        json: ["message_type": "incident_ack", "id": id, "until": until?.iso8601])
    }
  }

  struct TakeBack: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "unack",
      abstract: "Take an acknowledgement back: its messages come again.",
      examples: ["firetally incidents unack 12"])

    @Argument(help: "The incident's id, as `firetally incidents` shows it.")
    var id: Int64

    @OptionGroup var global: GlobalOptions

    func run() throws {
      let (invocation, opened) = try global.openWorkspace()
      let incident = try opened.incident(id, at: invocation.now)
      try opened.store().write { writer in
        for id in incident.acknowledgedBy { _ = try writer.takeBackAcknowledgement(of: id) }
      }
      try invocation.output.remark(
        "Told again: \(IncidentWords.name(of: incident)).",
        json: ["message_type": "incident_unack", "id": id])
    }
  }

  /// `isQuiet` returns whether an incident is acknowledged.
  private static func text(
    of incidents: some Sequence<JobIncident>, _ opened: OpenWorkspace,
    isQuiet: (JobIncident) -> Bool
  ) -> String {
    func time(_ instant: Instant) -> String {
      ZonedTime(instant, in: opened.timeZone).description
    }
    var table = TextTable(["ID", "BEGAN", "LASTED", "RUNS", "WHAT", "LAST TOLD"])
    for incident in incidents {
      let end = incident.endedAt ?? opened.now
      let length = NumberWords.roughly(
        seconds: max(0, (end - incident.beganAt).fractionalSeconds))
      table.add([
        incident.id.map(String.init) ?? "-", time(incident.beganAt),
        incident.isOver ? length : "\(length), open", String(incident.runs),
        IncidentWords.name(of: incident),
        (incident.lastMessage.map { "\($0.moment.rawValue) \(time($0.at))" } ?? "nobody")
          + (isQuiet(incident) ? ", acknowledged" : ""),
      ])
    }
    let open = incidents.filter { !$0.isOver }.map {
      VisibleText.line("  \(IncidentWords.name(of: $0)): \($0.sentence)")
    }
    return table.text + (open.isEmpty ? "" : "\n\nOpen:\n" + open.joined(separator: "\n"))
  }

  static func line(_ incident: JobIncident) -> JSONObject {
    [
      "message_type": "incident", "id": incident.id, "kind": incident.kind,
      "name": IncidentWords.name(of: incident), "sentence": incident.sentence,
      "jobs": incident.jobs, "waiting": incident.waiting, "beganAt": incident.beganAt,
      "seenAt": incident.seenAt, "endedAt": incident.endedAt, "runs": incident.runs,
      "returns": incident.returns, "told": incident.lastMessage?.moment,
      "toldAt": incident.lastMessage?.at,
      "undelivered": incident.tried,
    ]
  }
}

extension JobIncident {
  /// The ids of findings about the incident.
  fileprivate var acknowledgedFindings: [String] {
    acknowledgedBy.filter { $0 != id.map(Acknowledgement.idOfIncident) }.sorted()
  }
}

extension OpenWorkspace {
  /// Returns the incident with an id.
  ///
  /// - Throws: `CommandError` when there is none.
  fileprivate func incident(_ id: Int64, at now: Instant) throws -> JobIncident {
    let all = try reading { store in
      try store?.read { try $0.incidents(at: now, onlyOpen: false, limit: .max) } ?? []
    }
    guard let incident = all.first(where: { $0.id == id }) else {
      throw CommandError(
        .usage, "There is no incident \(id). `firetally incidents --open` lists those that last.")
    }
    return incident
  }
}
