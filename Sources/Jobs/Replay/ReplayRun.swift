import Feeds
package import Model
package import Rules

/// Takes a file or the ledger through the limits; docs/replay.md#replay.
package struct ReplayRun {
  private let source: ReplaySource
  /// Called for every line of a file that is no attempt.
  private let rejected: (_ line: Int, _ reason: String) throws -> Void
  private let users = UserInterner()

  package init(
    _ source: ReplaySource, rejected: @escaping (_ line: Int, _ reason: String) throws -> Void
  ) {
    self.source = source
    self.rejected = rejected
  }

  /// Bytes that are collected before they are handed over.
  private static let blockBytes = 1 << 16

  /// Hands over one line a decision, many lines at a time, and says how many there were.
  ///
  /// What was decided before an error is handed over first.
  package func decide(
    under settings: Settings, _ emit: ([UInt8]) throws -> Void
  ) throws -> Int {
    var replay = LimitReplay(settings: settings)
    var lines = DecisionLines(replay: replay, users: users)
    var count = 0
    let ending = Result {
      try source.forEach(users: users, rejected: rejected) { step, user in
        switch step {
        case .attempt(let attempt):
          lines.append(replay.decide(attempt, of: user), of: attempt, user: user)
          count += 1
          guard lines.bytes.count >= Self.blockBytes else { return }
          try emit(lines.bytes)
          lines.removeAll()
        case .reset(let feature): replay.reset(feature, of: user)
        case .subscriptionTap: break
        }
      }
    }
    if !lines.bytes.isEmpty { try emit(lines.bytes) }
    _ = try ending.get()
    return count
  }

  /// Holds several settings against each other, the first being those in force.
  ///
  /// From `start` (inclusive) to `end` (exclusive); steps before and after count as if they had not
  /// been. Everybody has a full allowance at the start. `goodLines` are the attempts of a file,
  /// also before and after.
  package func compare(
    _ settings: [Settings], from start: Instant?, to end: Instant?
  ) throws -> (comparison: WhatIfComparison, goodLines: Int) {
    var comparison = WhatIfComparison(settings)
    let goodLines = try source.forEach(users: users, from: start, to: end, rejected: rejected) {
      step, user in
      comparison.take(step, of: user)
    }
    return (comparison, goodLines)
  }
}

extension WhatIfComparison {
  mutating func take(_ step: ReplaySource.Step, of user: Int) {
    switch step {
    case .attempt(let attempt): decide(attempt, of: user)
    case .subscriptionTap(let feature): tapSubscription(feature, of: user)
    case .reset(let feature): reset(feature, of: user)
    }
  }
}
