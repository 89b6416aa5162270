import Model
import Synchronization

/// What a session counts for its events; docs/rules.md#events.
///
/// It counts what was written, also by a transaction that failed in the end: such a one leaves a gap.
final class SessionTally: Sendable {
  private struct Counts {
    var lastEventNumber: Int64 = 0
    var uses: [Feature: Int64] = [:]
  }

  private let counts = Mutex(Counts())

  /// Numbers the events of the session from 1.
  func nextEventNumber() -> Int64 {
    counts.withLock { counts in
      counts.lastEventNumber += 1
      return counts.lastEventNumber
    }
  }

  /// How often the session has performed the feature, with the event that is being written.
  func uses(of feature: Feature, with kind: EventKind) -> Int64 {
    counts.withLock { counts in
      if kind == .performed { counts.uses[feature, default: 0] += 1 }
      return counts.uses[feature, default: 0]
    }
  }
}
