import ArgumentParser
import Jobs

struct RefreshCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh",
    abstract: "Fetch the users now, under the refresh limit.",
    discussion: """
      Does what the app's refresh button does: ignores staleness, keeps the saved filter, and \
      counts a use only when the fetch succeeds. At the limit it prints the popup and exits with \
      status 75.

      EXAMPLES:
        firetally refresh
      """)

  @OptionGroup var global: GlobalOptions

  @OptionGroup var turn: LockOptions

  func run() async throws {
    let invocation = Invocation(global)
    let opened = try invocation.openWorkspace()
    let store = try opened.store()
    try await invocation.perform(opened, store: store, wait: turn) { .refresh }
  }
}
