import ArgumentParser
import Model
import Store

struct EventsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "events",
    abstract: "Import, export and read the usage ledger.",
    subcommands: [Import.self, Export.self, List.self, Count.self])

  /// Which events of the ledger are meant.
  struct Selection: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Only events at or after this instant, for example 2026-01-31T08:00:00Z.",
        valueName: "instant"))
    var from: Instant?

    @Option(help: ArgumentHelp("Only events before this instant.", valueName: "instant"))
    var to: Instant?

    @Option(help: ArgumentHelp("Only events of this user.", valueName: "id"))
    var user: String?

    @Option(help: "Only events with this name, for example ios_refresh_performed.")
    var name: String?

    func validate() throws {
      if let from, let to, to <= from {
        throw ValidationError("--to takes an instant after --from.")
      }
    }

    var filter: EventFilter { EventFilter(from: from, to: to, userId: user, name: name) }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List events, newest first.",
      discussion: """
        EXAMPLES:
          firetally events list --user u-4711
          firetally events list --from 2026-01-31T00:00:00Z --limit 50
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: Selection

    @Option(help: "How many, 1 to 10000.")
    var limit = 20

    func validate() throws {
      guard (1...10_000).contains(limit) else {
        throw ValidationError("--limit takes 1 to 10000.")
      }
    }

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.openWorkspace().readableStore()
      let events = try store.read { try $0.newestEvents(selection.filter, limit: limit) }
      guard !invocation.output.isJSON else {
        for event in events { try invocation.output.show(json: EventLine(event)) }
        return
      }
      var table = TextTable(["AT", "NAME", "USER", "COUNTRY", "VERSION"])
      for event in events {
        table.add([
          event.at.iso8601, event.name, event.userId, event.country ?? "", event.appVersion ?? "",
        ])
      }
      invocation.output.show(table.text)
    }
  }

  struct Count: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "count", abstract: "Count events: all, or those that match.",
      discussion: """
        EXAMPLES:
          firetally events count --name ios_refresh_performed
        """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: Selection

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.openWorkspace().readableStore()
      let count = try store.read { try $0.eventsCount(selection.filter) }
      guard invocation.output.isJSON else { return invocation.output.show(String(count)) }
      try invocation.output.show(json: CountLine(events: count))
    }
  }

  private struct CountLine: Encodable {
    let message_type = "events"
    let events: Int
  }
}

/// An event as `events list --json` prints it.
private struct EventLine: Encodable {
  let message_type = "event"
  let at: Instant
  let name: String
  let userId: String
  let country: String?
  let appVersion: String?
  let parameters: [String: Parameter]

  init(_ event: Event) {
    at = event.at
    name = event.name
    userId = event.userId
    country = event.country
    appVersion = event.appVersion
    parameters = event.parameters.mapValues(Parameter.init)
  }

  /// A text or a number, as it is.
  struct Parameter: Encodable {
    let value: EventValue

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch value {
      case .string(let text): try container.encode(text)
      case .integer(let number): try container.encode(number)
      case .double(let number): try container.encode(number)
      }
    }
  }
}
