import Dispatch
import Synchronization

extension Array where Element: Sendable {
  /// Runs `body` for each element, several at once: as many as there are cores.
  ///
  /// Begins none after an error, and returns when those that were begun have ended.
  ///
  /// - Throws: the first error.
  package func forEachConcurrently(_ body: @Sendable (Element) throws -> Void) throws {
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: count) { index in
      guard failure.withLock({ $0 == nil }) else { return }
      do {
        try body(self[index])
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
