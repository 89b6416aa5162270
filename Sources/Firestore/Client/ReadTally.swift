package import Model
import Synchronization

/// A count of the billed reads of a task's requests.
///
/// It includes requests that prepare others, such as the sample of a collection that is scanned.
package final class ReadTally: Sendable {
  /// Counts the requests of the current task and of its children; nil outside of one.
  @TaskLocal package static var current: ReadTally?

  private let state = Mutex<(count: Int, edition: FirestoreEdition)?>(nil)

  package init() {}

  /// The billed reads; nil until a client has counted a request, which fakes never do.
  package var count: Int? { state.withLock { $0?.count } }

  /// The edition that the client knew at its last request; nil as long as `count` is.
  package var edition: FirestoreEdition? { state.withLock { $0?.edition } }

  func add(_ reads: Int, on edition: FirestoreEdition) {
    state.withLock { $0 = (count: ($0?.count ?? 0) + reads, edition: edition) }
  }
}
