import Synchronization

/// What the requests of a task are billed, also those that others need, such as the sample of a
/// collection that is scanned.
package final class ReadTally: Sendable {
  /// Counts the requests of the current task and of its children; nil outside of one.
  @TaskLocal package static var current: ReadTally?

  private let state = Mutex<Int?>(nil)

  package init() {}

  /// Nil until a client has counted a request; fakes count none.
  package var count: Int? { state.withLock(\.self) }

  func add(_ reads: Int) {
    state.withLock { $0 = ($0 ?? 0) + reads }
  }
}
