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
      guard output.isJSON || !found.isEmpty else {
        return output.print(open ? "No incident is open." : "No incident is recorded.")
      }
      let listed = found.prefix(count.limit).map { incident in
        ListedIncident(
          incident: incident,
          quiet: acknowledged.first {
            !incident.isOver
              && $0.quiets(.lasts, of: incident, known: incident.acknowledgedBy, at: invocation.now)
          })
      }
      let columns = ListedIncident.columns(at: invocation.now, clock: opened.clock)
      try output.print(listed, as: "incident", columns + [ListedIncident.quietColumn])
      guard !output.isJSON else { return }
      let reasons = listed.compactMap(\.reason)
      if !reasons.isEmpty { output.print("\nOpen:\n" + reasons.joined(separator: "\n")) }
      count.printMore(of: found, on: output)
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
}

/// An incident of a list; see `docs/incidents.md#by-hand`.
struct ListedIncident {
  let incident: JobIncident
  /// The acknowledgement that keeps its daily messages away; nil without one.
  var quiet: Acknowledgement?

  /// What is wrong; nil for an incident that is over.
  fileprivate var reason: String? {
    incident.isOver
      ? nil : VisibleText.line("  \(IncidentWords.name(of: incident)): \(incident.sentence)")
  }

  static func columns(
    at now: Instant, clock: @escaping (Instant) -> String
  ) -> [OutputColumn<ListedIncident>] {
    [
      OutputColumn("ID", "id") { $0.incident.id },
      .time("BEGAN", "beganAt", words: clock) { $0.incident.beganAt },
      OutputColumn(
        "LASTED", "endedAt", value: { $0.incident.endedAt },
        cell: { line in
          let end = line.incident.endedAt ?? now
          let length = NumberWords.roughly(
            seconds: max(0, (end - line.incident.beganAt).fractionalSeconds))
          return line.incident.isOver ? length : "\(length), open"
        }),
      OutputColumn("RUNS", "runs") { $0.incident.runs },
      OutputColumn("WHAT", "name") { IncidentWords.name(of: $0.incident) },
      OutputColumn(
        "LAST TOLD", "toldAt", value: { $0.incident.lastMessage?.at },
        cell: { line in
          let last = line.incident.lastMessage.map { "\($0.moment.rawValue) \(clock($0.at))" }
          return (last ?? "nobody") + (line.quiet == nil ? "" : ", acknowledged")
        }),
      .members {
        let incident = $0.incident
        return [
          "kind": incident.kind, "sentence": incident.sentence, "jobs": incident.jobs,
          "waiting": incident.waiting, "seenAt": incident.seenAt, "returns": incident.returns,
          "told": incident.lastMessage?.moment, "undelivered": incident.tried,
        ]
      },
    ]
  }

  /// What programs get of an acknowledgement.
  fileprivate static var quietColumn: OutputColumn<ListedIncident> {
    .members { ["acknowledgedAt": $0.quiet?.at, "quietUntil": $0.quiet?.until] }
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
