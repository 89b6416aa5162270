import ArgumentParser
import Jobs

struct RefreshCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh",
    abstract: "Fetch the users now, under the refresh limit.",
    discussion: """
      Does what the app's refresh button does: staleness does not matter, the saved filter is \
      kept, and the use is counted only when the fetch succeeds. At the limit it ends with \
      status 75 and the popup's text.
      """)

  @OptionGroup var global: GlobalOptions

  @OptionGroup var turn: LockOptions

  func run() async throws {
    let invocation = Invocation(global)
    let desk = try invocation.desk()
    let store = try desk.store()
    try await invocation.perform(desk, store: store, wait: turn.wait) { .refresh }
  }
}
