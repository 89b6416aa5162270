import Foundation
import Jobs
import Store

extension Invocation {
  /// Fetches users under a limit, prints how that ended, and ends the program accordingly.
  ///
  /// `wish` is asked for once the lock is held, so that it can go by what is stored then.
  func perform(
    _ desk: Desk, store: Store, wait: Duration, _ wish: () throws -> LimitedLoad.Wish
  ) async throws {
    let load = try LimitedLoad(
      try context(desk, store: store), session: try session(desk, store: store),
      sleep: { try await Task.sleep(for: $0) })
    let lock = try await lock(desk, store: store, wait: wait)
    defer { lock.release() }
    let printer = RunPrinter(self)
    switch try await load.run(try wish(), owner: "pid \(getpid())") {
    case .blocked(let answer, let report):
      if output.isJSON { printer.show(report) }
      throw CommandError.blocked(PopupText.block(answer))
    case .done(let report):
      printer.show(report)
      try printer.end([report])
    }
  }
}
