import Synchronization

@testable import Firestore

/// A clock that the test turns.
final class ManualClock: Sendable {
  private let time = Mutex(Stage.now)

  var now: Timestamp { time.withLock { $0 } }

  func advance(seconds: Int64) {
    time.withLock { $0.microseconds += seconds * 1_000_000 }
  }
}
