import ArgumentParser
import Foundation
import Jobs
import Model

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
    let refresh = try ManualRefresh(
      try invocation.context(desk, store: store),
      session: try invocation.session(desk, store: store))
    let lock = try await invocation.lock(desk, store: store, wait: turn.wait)
    defer { lock.release() }
    let printer = RunPrinter(invocation)
    switch try await refresh.run(owner: "pid \(getpid())") {
    case .blocked(let answer, let report):
      if invocation.output.isJSON { printer.show(report) }
      throw CommandError.blocked(PopupText.block(answer))
    case .done(let report):
      printer.show(report)
      try printer.end([report])
    }
  }
}
