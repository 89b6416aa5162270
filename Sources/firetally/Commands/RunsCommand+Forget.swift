import ArgumentParser
import Jobs
import Model
import Reports
import Store

extension RunsCommand {
  /// `firetally runs forget`: docs/running.md#times-in-the-future.
  struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "forget",
      abstract: "Remove the runs that are dated in the future.",
      discussion: """
        A wrong clock dates runs in the future. They do not count, and `status` and `doctor` fail \
        until they are removed. Set the machine's clock first: what it calls the future is removed.

        EXAMPLES:
          firetally runs forget
          firetally runs forget --yes
        """)

    @OptionGroup var global: GlobalOptions

    @Flag(help: "Remove them without a question.")
    var yes = false

    @OptionGroup var turn: LockOptions

    func run() async throws {
      let invocation = Invocation(global)
      let opened = try invocation.openWorkspace()
      guard let future = try opened.readStore()?.read({ try $0.futureRuns(at: invocation.now) })
      else { return try show(0, invocation.output) }
      try confirm(future, invocation)
      let store = try opened.store()
      let lock = try await invocation.lock(opened, store: store, wait: turn)
      defer { lock.release() }
      try show(
        try store.write { try $0.removeFutureRuns(at: invocation.now) }, invocation.output)
    }

    private func confirm(_ future: FutureRuns, _ invocation: Invocation) throws {
      guard !yes else { return }
      let statement =
        "This machine's clock says \(invocation.now.iso8601). The runs dated later will be removed: "
        + "\(future.count), up to \(future.latest.startedAt.iso8601)."
      guard Confirmation.canAsk(invocation) else {
        throw CommandError.needsConfirmation(statement: statement, hasDryRun: false)
      }
      guard Confirmation.isGiven(to: statement, invocation) else {
        throw CommandError.notConfirmed
      }
    }

    private func show(_ count: Int, _ output: Output) throws {
      if output.isJSON { return try output.show(json: JSONOutput(removed: count)) }
      output.show(
        count == 0
          ? "No run is dated in the future."
          : "Removed \(NumberWords.counted(count, "run")) dated in the future.")
    }

    private struct JSONOutput: Encodable {
      let message_type = "runs_forgotten"
      let removed: Int
    }
  }
}
