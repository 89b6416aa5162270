import ArgumentParser
import Jobs
import Model
import Reports
import Store

struct IncidentsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "incidents",
    abstract: "List problems of jobs: since when, why, and which messages were sent.",
    discussion: """
      Open incidents come first, then the newest. Needs no lock and no network. Times are in \
      time_zone.
      """,
    examples: ["firetally incidents", "firetally incidents --open", "firetally incidents --json"])

  @OptionGroup var global: GlobalOptions

  @Flag(help: "List only open incidents.")
  var open = false

  @OptionGroup var count: CountOption

  func run() throws {
    let (invocation, opened) = try global.openWorkspace()
    let found = try opened.reading { store in
      try store?.read {
        try $0.incidents(at: invocation.now, onlyOpen: open, limit: count.fetched)
      } ?? []
    }
    let output = invocation.output
    if output.isJSON {
      for incident in found.prefix(count.limit) { try output.print(json: Self.line(incident)) }
    } else if found.isEmpty {
      output.print(open ? "No incident is open." : "No incident is recorded.")
    } else {
      output.print(text(of: found.prefix(count.limit), opened))
      count.printMore(of: found, on: output)
    }
  }

  private func text(of incidents: some Sequence<JobIncident>, _ opened: OpenWorkspace) -> String {
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
        incident.told.map { "\($0.moment.rawValue) \(time($0.at))" } ?? "nobody",
      ])
    }
    let open = incidents.filter { !$0.isOver }.map {
      VisibleText.line("  \(IncidentWords.name(of: $0)): \($0.sentence)")
    }
    return table.text + (open.isEmpty ? "" : "\n\nOpen:\n" + open.joined(separator: "\n"))
  }

  private static func line(_ incident: JobIncident) -> JSONObject {
    [
      "message_type": "incident", "id": incident.id, "kind": incident.kind,
      "name": IncidentWords.name(of: incident), "sentence": incident.sentence,
      "jobs": incident.jobs, "waiting": incident.waiting, "beganAt": incident.beganAt,
      "seenAt": incident.seenAt, "endedAt": incident.endedAt, "runs": incident.runs,
      "returns": incident.returns, "told": incident.told?.moment, "toldAt": incident.told?.at,
      "undelivered": incident.tried,
    ]
  }
}
