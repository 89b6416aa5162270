import ArgumentParser
import Model
import Store

struct OutboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox",
    abstract: "Show and retry undelivered items.",
    group: [List.self, Retry.self])

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List items, newest first.",
      examples: ["firetally outbox list --state rejected"])

    @OptionGroup var global: GlobalOptions

    @Option(help: "Only items in this state.")
    var state: OutboxItem.State?

    @OptionGroup var count: CountOption

    func run() throws {
      let (invocation, opened, store) = try global.openReadable()
      let states = Set([state].compactMap(\.self))
      let items = try store.read { try $0.outboxItems(in: states, limit: count.fetched) }
      try invocation.output.print(
        items.prefix(count.limit), as: "outbox_item",
        [
          OutputColumn("ID", isNumber: true) { "\($0.id)" },
          OutputColumn("KIND") { $0.kind.rawValue },
          OutputColumn("STATE") { $0.state.rawValue },
          OutputColumn("MADE") { opened.clock($0.createdAt) },
          OutputColumn("TRIES", isNumber: true) { "\($0.attempts)" },
          OutputColumn("NEXT TRY") { $0.nextAttemptAt.map(opened.clock) },
          OutputColumn("BECAME") { $0.remoteName },
          OutputColumn("LAST ERROR") { $0.lastError },
        ], whole: { $0 })
      count.printMore(of: items, on: invocation.output)
    }
  }

  struct Retry: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "retry",
      abstract: "Queue rejected or parked items again: all named, or none.",
      discussion: """
        The next job of kind upload-outbox tries to deliver them.
        """,
      examples: ["firetally outbox retry --all-rejected"])

    @OptionGroup var global: GlobalOptions

    @Argument(help: "Item ids, as `firetally outbox list` shows them.")
    var ids: [Int64] = []

    @Flag(help: "Retry every rejected item.")
    var allRejected = false

    func validate() throws {
      guard ids.isEmpty == allRejected else {
        throw ValidationError("Name the items to retry, or give --all-rejected.")
      }
    }

    func run() throws {
      let invocation = Invocation(global)
      let store = try invocation.openWorkspace().store()
      let queued = try store.write { writer in
        let rejected =
          allRejected ? try writer.outboxItems(in: [.rejected], limit: .max).map(\.id) : []
        let ids = Set(ids).sorted() + rejected.reversed()
        for id in ids { try writer.retry(id: id) }
        return ids
      }
      try invocation.output.remark(
        "Queued again: \(queued.count).", json: ["message_type": "outbox_retry", "ids": queued])
    }
  }
}

extension OutboxItem.State: ExpressibleByArgument {}
