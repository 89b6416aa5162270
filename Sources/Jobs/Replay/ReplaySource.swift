import Feeds
package import Model
package import Store

/// What a replay goes through: a file of attempts, or the usage ledger; docs/replay.md#replay.
package enum ReplaySource {
  case file(path: String)
  case ledger(Store)

  /// One thing that happened, and to whom.
  package enum Step: Hashable, Sendable {
    case attempt(LimitAttempt)
    /// One of the ledger that does not say whose it is.
    case unknownAttempt(Feature)
    case subscriptionTap(Feature)
    /// Somebody reset the limit by hand.
    case reset(Feature)
  }

  /// Hands over the steps in the order of events, and the lines of a file that are none.
  ///
  /// All steps; attempts of unknown people are those of one person.
  ///
  /// Returns how many attempts the file has; 0 of the ledger. Throws `FeedError` or `StoreError`, or
  /// what the closures throw.
  @discardableResult
  package func forEach(
    users: StringInterner, rejected: (_ line: Int, _ reason: String) throws -> Void,
    _ body: (Step, _ user: Int) throws -> Void
  ) throws -> Int {
    switch self {
    case .file:
      try forEachToCompare(users: users, from: nil, to: nil, rejected: rejected) { step, user, _ in
        try body(step, user)
      }
    case .ledger(let store):
      try store.read {
        try LedgerAttempts($0, from: nil, to: nil, users: users).forEach { step, user, _ in
          try body(step, user)
        }
        return 0
      }
    }
  }

  /// The steps up to `end` (exclusive), with those before `start` that fill the states.
  ///
  /// Of a file these are all, of the ledger the newest; nil bounds are open.
  /// Returns how many attempts the file has, also from `end` on; 0 of the ledger. Attempts of unknown
  /// people come as `unknownAttempt`.
  func forEachToCompare(
    users: StringInterner, from start: Instant?, to end: Instant?,
    rejected: (_ line: Int, _ reason: String) throws -> Void,
    _ body: (Step, _ user: Int, _ at: Instant) throws -> Void
  ) throws -> Int {
    var goodLines = 0
    switch self {
    case .file(let path):
      let reader = try ReplayReader(path: path, users: users)
      while let line = try reader.next() {
        switch line {
        case .attempt(let attempt, let user):
          goodLines += 1
          guard end.map({ attempt.at < $0 }) ?? true else { continue }
          try body(.attempt(attempt), user, attempt.at)
        case .rejected(let number, let reason): try rejected(number, reason)
        }
      }
    case .ledger(let store):
      try store.read { reader in
        let first = try start.flatMap { try LedgerWhatIf.warmUp(reader, before: $0) }
        try LedgerAttempts(reader, from: first, to: end, users: users, leavesOutUnknown: true)
          .forEach(body)
      }
    }
    return goodLines
  }
}
