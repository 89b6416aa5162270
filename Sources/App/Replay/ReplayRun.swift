import Feeds
package import Model
package import Store

/// The source of a replay: a file of attempts, or the usage ledger; docs/replay.md#replay.
package enum ReplaySource {
  case file(path: String)
  /// The ledger, with a single platform if it is named.
  case ledger(Store, platform: String? = nil)

  /// One step of a replay.
  enum Step: Hashable, Sendable {
    case attempt(LimitAttempt)
    /// An attempt in the ledger by an unknown person.
    case unknownAttempt(Feature)
    case subscriptionTap(Feature)
    /// A manual reset of the limit.
    case reset(Feature)
  }

  /// Passes on the steps in the order of events, and the invalid lines of a file.
  ///
  /// From the ledger, the newest steps of each person before `start` are included, to restore the
  /// states; from a file, all steps. `end` is exclusive. With `leavesOutUnknown`, the ledger's
  /// attempts of unknown people become `unknownAttempt`; otherwise they count as those of one
  /// person.
  ///
  /// - Returns: the number of attempts in the file, including those from `end` on; 0 for the
  ///   ledger.
  /// - Throws: `FeedError` or `StoreError`, or what the closures throw.
  @discardableResult
  func forEach(
    users: StringInterner, from start: Instant? = nil, to end: Instant? = nil,
    leavesOutUnknown: Bool = false, changedAt: Instant? = nil,
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
    case .ledger(let store, let platform):
      try store.read { reader in
        let first = try start.flatMap {
          try LedgerWhatIf.warmUp(reader, before: $0, on: platform)
        }
        try LedgerAttempts(
          reader, from: first, to: end, on: platform, users: users,
          leavesOutUnknown: leavesOutUnknown, changedAt: changedAt
        ).forEach(body)
      }
    }
    return goodLines
  }
}

/// A replay of a file or the ledger under limits; docs/replay.md#replay.
package struct ReplayRun {
  private let source: ReplaySource
  /// Called for every line of a file that is not an attempt.
  private let rejected: (_ line: Int, _ reason: String) throws -> Void
  private let users = StringInterner()

  package init(
    _ source: ReplaySource, rejected: @escaping (_ line: Int, _ reason: String) throws -> Void
  ) {
    self.source = source
    self.rejected = rejected
  }

  /// The number of bytes that are collected before they are passed on.
  private static let blockBytes = 1 << 16

  /// Passes on one line per decision, in blocks, and returns the number of lines.
  ///
  /// After an error, the decisions before it are passed on first.
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

  /// Compares several settings, of which the first are those in force.
  ///
  /// It counts from `start` (inclusive) to `end` (exclusive); earlier steps only restore the
  /// allowances. Of the ledger's, those before `changedAt` left other ones, since a limit changed
  /// then. `goodLines` is the number of a file's attempts, including those before and after.
  package func compare(
    _ settings: [Settings], from start: Instant?, to end: Instant?, changedAt: Instant? = nil
  ) throws -> (comparison: WhatIfComparison, goodLines: Int) {
    var warm = ReplayPrefix(settings, from: start)
    let goodLines = try source.forEach(
      users: users, from: start, to: end, leavesOutUnknown: true, changedAt: changedAt,
      rejected: rejected
    ) { warm.take($0, of: $1, at: $2) }
    return (warm.ended(), goodLines)
  }
}

/// A comparison that counts from a start time, with the states of the earlier steps.
struct ReplayPrefix {
  private var comparison: WhatIfComparison
  private let start: Instant?
  private var isCounting: Bool

  /// A nil start counts from the first step on.
  init(_ settings: [Settings], from start: Instant?) {
    comparison = WhatIfComparison(settings)
    self.start = start
    isCounting = start == nil
  }

  /// Takes a step, but skips one before the start that comes after steps from the start on.
  mutating func take(_ step: ReplaySource.Step, of user: Int, at: Instant) {
    let isBefore = start.map { at < $0 } ?? false
    if !isCounting, !isBefore { beginCounting() }
    if !isCounting || !isBefore { comparison.take(step, of: user) }
  }

  /// Returns the comparison; without a step since the start, it discards the earlier counts.
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
