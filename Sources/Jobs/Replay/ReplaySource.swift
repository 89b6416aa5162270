package import Feeds
package import Model
package import Store

/// What a replay goes through: a file of attempts, or the usage ledger; docs/replay.md#replay.
package enum ReplaySource {
  case file(path: String)
  case ledger(Store)

  /// One thing that happened, and to whom.
  package enum Step: Hashable, Sendable {
    case attempt(LimitAttempt)
    case subscriptionTap(Feature)
    /// Somebody reset the limit by hand.
    case reset(Feature)
  }

  /// Hands over the steps in the order of events, and the lines of a file that are none.
  ///
  /// From `start` (inclusive) to `end` (exclusive), nil bounds are open; steps before and after are
  /// as if they had not been. Returns how many attempts the file has, also before and after; 0 of
  /// the ledger. Throws `FeedError` or `StoreError`, or what the closures throw.
  @discardableResult
  package func forEach(
    users: UserInterner, from start: Instant? = nil, to end: Instant? = nil,
    rejected: (_ line: Int, _ reason: String) throws -> Void,
    _ body: (Step, _ user: Int) throws -> Void
  ) throws -> Int {
    var goodLines = 0
    switch self {
    case .file(let path):
      let reader = try ReplayReader(path: path, users: users)
      while let line = try reader.next() {
        switch line {
        case .attempt(let attempt, let user):
          goodLines += 1
          guard start.map({ attempt.at >= $0 }) ?? true, end.map({ attempt.at < $0 }) ?? true
          else { continue }
          try body(.attempt(attempt), user)
        case .rejected(let number, let reason): try rejected(number, reason)
        }
      }
    case .ledger(let store):
      try store.read {
        try LedgerAttempts($0, from: start, to: end, users: users).forEach { step, user, _ in
          try body(step, user)
        }
      }
    }
    return goodLines
  }
}
