import ArgumentParser
import Jobs
import Model
import Store

struct OutboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox",
    abstract: "See what still has to leave the workspace, and what has.",
    subcommands: [List.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List items, the newest first.")

    @OptionGroup var global: GlobalOptions

    @Option(help: "Only items in this state: queued, sending, delivered, parked or rejected.")
    var state: OutboxItem.State?

    @Option(help: "How many, 1 to 10000.")
    var limit = 20

    func validate() throws {
      guard (1...10_000).contains(limit) else {
        throw ValidationError("--limit takes 1 to 10000.")
      }
    }

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.desk().readableStore()
      let states = Set([state].compactMap(\.self))
      let items = try store.read { try $0.outboxItems(in: states, limit: limit) }
      guard !invocation.output.isJSON else {
        for item in items { try invocation.output.show(json: item) }
        return
      }
      var table = TextTable(
        ["ID", "KIND", "STATE", "MADE", "TRIES", "NEXT TRY", "BECAME", "LAST ERROR"],
        rightAligned: [0, 4])
      for item in items {
        table.add([
          String(item.id), item.kind.rawValue, item.state.rawValue, item.createdAt.iso8601,
          String(item.attempts), item.nextAttemptAt?.iso8601 ?? "-", item.remoteName ?? "-",
          item.lastError ?? "-",
        ])
      }
      invocation.output.show(table.text)
    }
  }
}

extension OutboxItem.State: ExpressibleByArgument {}
