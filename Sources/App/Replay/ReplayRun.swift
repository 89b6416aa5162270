import Feeds
package import Model
package import Store

/// What a replay goes through: a file of attempts, or the usage ledger; docs/replay.md#replay.
package enum ReplaySource {
  case file(path: String)
  /// Of one platform alone when it is named.
  case ledger(Store, platform: String? = nil)

  /// One thing that happened, and to whom.
  enum Step: Hashable, Sendable {
    case attempt(LimitAttempt)
    /// One of the ledger that does not say whose it is.
    case unknownAttempt(Feature)
    case subscriptionTap(Feature)
    /// Somebody reset the limit by hand.
    case reset(Feature)
  }

  /// Hands over the steps in the order of events, and the lines of a file that are none.
  ///
  /// Of the ledger, the steps of each person that are newest before `start` come as well, and fill
  /// the states; a file always has all. `end` is exclusive. With `leavesOutUnknown`, attempts of
  /// the ledger that do not say whose they are come as `unknownAttempt`; else they are those of one
  /// person.
  ///
  /// - Returns: how many attempts the file has, also from `end` on; 0 of the ledger.
  /// - Throws: `FeedError` or `StoreError`, or what the closures throw.
  @discardableResult
  func forEach(
    users: StringInterner, from start: Instant? = nil, to end: Instant? = nil,
    leavesOutUnknown: Bool = false, rejected: (_ line: Int, _ reason: String) throws -> Void,
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
    case .ledger(let store, let platform):
      try store.read { reader in
        let first = try start.flatMap {
          try LedgerWhatIf.warmUp(reader, before: $0, on: platform)
        }
        try LedgerAttempts(
          reader, from: first, to: end, on: platform, users: users,
          leavesOutUnknown: leavesOutUnknown
        ).forEach(body)
      }
    }
    return goodLines
  }
}

/// Takes a file or the ledger through the limits; docs/replay.md#replay.
package struct ReplayRun {
  private let source: ReplaySource
  /// Called for every line of a file that is no attempt.
  private let rejected: (_ line: Int, _ reason: String) throws -> Void
  private let users = StringInterner()

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
    var lines = DecisionLines(users: users)
    var count = 0
    let ending = Result {
      try source.forEach(users: users, rejected: rejected) { step, user, _ in
        switch step {
        case .attempt(let attempt):
          lines.append(replay.decide(attempt, of: user), of: attempt, user: user)
          count += 1
          guard lines.bytes.count >= Self.blockBytes else { return }
          try emit(lines.bytes)
          lines.removeAll()
        case .reset(let feature): replay.reset(feature, of: user)
        case .subscriptionTap, .unknownAttempt: break
        }
      }
    }
    if !lines.bytes.isEmpty { try emit(lines.bytes) }
    _ = try ending.get()
    return count
  }

  /// Holds several settings against each other, the first being those in force.
  ///
  /// From `start` (inclusive) to `end` (exclusive); steps before count in nothing, and leave
  /// everybody the allowance that they had. `goodLines` are the attempts of a file, also before and
  /// after.
  package func compare(
    _ settings: [Settings], from start: Instant?, to end: Instant?
  ) throws -> (comparison: WhatIfComparison, goodLines: Int) {
    var warm = WarmUp(settings, from: start)
    let goodLines = try source.forEach(
      users: users, from: start, to: end, leavesOutUnknown: true, rejected: rejected
    ) { warm.take($0, of: $1, at: $2) }
    return (warm.ended(), goodLines)
  }
}

/// A comparison that counts from a time on, and begins with the states of the steps before.
struct WarmUp {
  private var comparison: WhatIfComparison
  private let start: Instant?
  private var isCounting: Bool

  /// Nil counts from the first step on.
  init(_ settings: [Settings], from start: Instant?) {
    comparison = WhatIfComparison(settings)
    self.start = start
    isCounting = start == nil
  }

  /// Leaves out a step before the start that comes after others from the start on.
  mutating func take(_ step: ReplaySource.Step, of user: Int, at: Instant) {
    let isBefore = start.map { at < $0 } ?? false
    if !isCounting, !isBefore { beginCounting() }
    if !isCounting || !isBefore { comparison.take(step, of: user) }
  }

  /// Without a step in the time, what was counted is of the time before.
  mutating func ended() -> WhatIfComparison {
    if !isCounting { beginCounting() }
    return comparison
  }

  private mutating func beginCounting() {
    comparison.beginCounting()
    isCounting = true
  }
}

extension WhatIfComparison {
  mutating func take(_ step: ReplaySource.Step, of user: Int) {
    switch step {
    case .attempt(let attempt): decide(attempt, of: user)
    case .subscriptionTap(let feature): tapSubscription(feature, of: user)
    case .reset(let feature): reset(feature, of: user)
    case .unknownAttempt(let feature): leaveOut(feature)
    }
  }
}
