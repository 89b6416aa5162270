import App
import ArgumentParser
import Jobs
import Model
import Store
import Workspace

struct RefreshCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh",
    abstract: "Fetch the users now, under the refresh limit.",
    discussion: """
      Does what the app's refresh button does: ignores staleness, keeps the saved filter, and \
      counts a use only when the fetch succeeds. At the limit it prints the popup and exits with \
      status 75.
      """,
    examples: ["firetally refresh"])

  @OptionGroup var global: GlobalOptions
  @OptionGroup var turn: LockOptions

  func run() async throws {
    let (invocation, opened) = try global.openWorkspace()
    let store = try opened.store()
    try await invocation.perform(opened, store: store, wait: turn) { nil }
  }
}

extension Invocation {
  /// Loads users under a limit, prints the result, and ends the program with its status.
  ///
  /// A filter becomes the saved one; nil uses the saved one. `filter` is called once the lock is
  /// held, so that it sees the current data.
  func perform(
    _ opened: OpenWorkspace, store: Store, wait: LockOptions,
    _ filter: () throws -> UserFilter?
  ) async throws {
    let refresh = try RateLimitedRefresh(
      try context(opened, store: store), session: try session(opened, store: store))
    let (check, report) = try await refresh.run(
      lock: lockRequest(wait), allowed: PopupText.print(on: output),
      filter)
    let printer = RunPrinter(self, store: store)
    let isBlocked = check?.result.canProceed == false
    if !isBlocked || output.isJSON {
      let warning = try printer.print(report, under: check)
        .record(in: store, ofRun: report.run.id, at: clock.now)
      if let warning { log.warning(warning) }
    }
    if let check, isBlocked { throw CommandError.blocked(check, report.run) }
    try printer.end([report])
  }
}
