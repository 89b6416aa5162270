package import Model
package import Store

/// The attempts recorded in the ledger's events; docs/replay.md#replay.
///
/// The result of a tap is in later events, so the ledger is read twice: first for the results, with
/// a byte for each tap and a number for each person's feature, then for the attempts themselves.
struct LedgerAttempts {
  private let users: StringInterner
  /// Whether attempts of unknown people become `unknownAttempt`.
  private let leavesOutUnknown: Bool
  /// When a limit last changed: what came before left other allowances.
  private let changedAt: Instant?
  /// Passes on the same uses each time, oldest first, including later ones that end an attempt.
  private let forEachUse: ((FeatureUse) throws -> Void) throws -> Void
  /// Passes on the uses without the later ones.
  private let forEachStep: ((FeatureUse) throws -> Void) throws -> Void

  /// Reads from `start` (inclusive) to `end` (exclusive); nil bounds are open, and a nil platform
  /// means all.
  ///
  /// Uses before `start` are not read, since they end no tap of the span. Uses from `end` on may.
  init(
    _ reader: Reader, from start: Instant?, to end: Instant?, on platform: String?,
    users: StringInterner, leavesOutUnknown: Bool = false, changedAt: Instant? = nil
  ) {
    self.users = users
    self.leavesOutUnknown = leavesOutUnknown
    self.changedAt = changedAt
    forEachUse = { try reader.forEachFeatureUse(from: start, on: platform, $0) }
    forEachStep = { try reader.forEachFeatureUse(from: start, to: end, on: platform, $0) }
  }

  /// Takes a few uses that are in memory, without those of unknown people.
  init(_ uses: [FeatureUse], users: StringInterner, changedAt: Instant?) {
    self.users = users
    self.changedAt = changedAt
    leavesOutUnknown = true
    forEachUse = { try uses.forEach($0) }
    forEachStep = forEachUse
  }

  func forEach(
    _ body: (ReplaySource.Step, _ user: Int, _ at: Instant) throws -> Void
  ) throws {
    let results = try results()
    var tap = 0
    try forEachStep { use in
      let user = users.number(of: use.userId)
      guard !isLeftOut(use) else {
        if use.kind == .buttonTapped { try body(.unknownAttempt(use.feature), user, use.at) }
        return
      }
      switch use.kind {
      case .buttonTapped:
        let attempt = use.attempt(results.actions[tap], earlierUses: results.earlierUses[tap])
        try body(.attempt(attempt), user, use.at)
        tap += 1
      case .subscriptionButtonTapped:
        try body(.subscriptionTap(use.feature), user, use.at)
      case .limitReset where use.isManual: try body(.reset(use.feature), user, use.at)
      default: break
      }
    }
  }

  private func isLeftOut(_ use: FeatureUse) -> Bool { leavesOutUnknown && !use.namesPerson }

  /// What came of the taps, by their numbers from 0.
  private struct Results {
    var actions: [LimitAction] = []
    /// The uses before the first tap of each user and feature that was used or blocked, and before
    /// the first one since the last change of a limit.
    var earlierUses: [Int: Int] = [:]
  }

  private func results() throws -> Results {
    var results = Results()
    /// The last tap of each user and feature; nil for none yet.
    var lastTaps: [Int?] = []
    var hasResult: [Bool] = []
    var hasChanged = false
    try forEachUse { use in
      guard !isLeftOut(use) else { return }
      if let changedAt, !hasChanged, use.at >= changedAt {
        hasChanged = true
        hasResult = hasResult.map { _ in false }
      }
      let position = users.number(of: use.userId) * Feature.allCases.count + use.feature.position
      let missing = position + 1 - lastTaps.count
      if missing > 0 {
        lastTaps += repeatElement(nil, count: missing)
        hasResult += repeatElement(false, count: missing)
      }
      switch use.kind {
      case .buttonTapped:
        lastTaps[position] = results.actions.count
        results.actions.append(.check)
      case .performed, .blockedLimitReached, .blockedCooldown:
        guard let tap = lastTaps[position] else { return }
        results.actions[tap] = .use
        if !hasResult[position] { results.earlierUses[tap] = use.usesBefore }
        hasResult[position] = true
      default: break
      }
    }
    return results
  }
}

extension FeatureUse {
  /// Returns the attempt of this tap, with all that the event records about its user.
  fileprivate func attempt(_ action: LimitAction, earlierUses: Int?) -> LimitAttempt {
    LimitAttempt(
      at: at, feature: feature, action: action,
      tier: tier ?? (userType == .liteSubscriber ? .lite : .free),
      firstAccountCreatedAt: firstAccountCreatedAt ?? (userType == .newUser ? at : nil),
      earlierUses: earlierUses)
  }

  /// The uses before this result; nil when the event does not say.
  ///
  /// A tap says nothing of them: its cooldown may be over, and the allowance fresh.
  fileprivate var usesBefore: Int? {
    kind == .performed && userType == .freeUser ? currentUsage.map { max(0, $0 - 1) } : currentUsage
  }
}

/// The newest attempts of the ledger under other limits, for the limits report.
package enum LedgerWhatIf {
  /// The largest number of replayed events, so that a report stays quick: docs/reports.md#what-if.
  static let mostEvents = 20_000

  /// The largest number of earlier events that are replayed to restore everybody's allowance.
  static let mostEarlierEvents = 20_000

  /// Compares limits in a period from `start` (inclusive) to `end` (exclusive), after its last
  /// change of a limit.
  ///
  /// A nil platform means all platforms.
  package static func make(
    _ reader: Reader, settings: Settings, from start: Instant, to end: Instant,
    on platform: String? = nil, changes: [SettingChange] = []
  ) throws -> WhatIfResult {
    // Before that, other limits were in force: docs/replay.md#changed-limits.
    let lastChange = settings.limitChanges(among: changes, before: end).first
    let change = lastChange.flatMap { $0.changedAt > start ? $0 : nil }
    let begin = change?.changedAt ?? start
    let newest = try reader.beginningOfFeatureEvents(
      newest: mostEvents, from: begin, to: end, on: platform)
    let since = newest ?? begin
    let warmUp = try warmUp(reader, before: since, on: platform)
    var uses: [FeatureUse] = []
    try reader.forEachFeatureUse(from: warmUp, to: end, on: platform) { uses.append($0) }
    let users = StringInterner()
    return WhatIfResult(
      since: since, isWholePeriod: newest == nil && change == nil,
      after: newest == nil ? change : nil,
      comparison: try comparison(
        LedgerAttempts(uses, users: users, changedAt: lastChange?.changedAt), since, settings),
      outcomes: outcomes(uses, since, users))
  }

  /// Returns the time of the first event that fills the states of a replay; nil for all events.
  static func warmUp(
    _ reader: Reader, before start: Instant, on platform: String?
  ) throws -> Instant? {
    try reader.beginningOfFeatureEvents(
      newest: mostEarlierEvents, from: Instant(microseconds: .min), to: start, on: platform)
  }

  private static func comparison(
    _ attempts: LedgerAttempts, _ since: Instant, _ settings: Settings
  ) throws -> WhatIfComparison {
    var warm = ReplayPrefix(WhatIfResult.settings(around: settings), from: since)
    try attempts.forEach { warm.take($0, of: $1, at: $2) }
    return warm.ended()
  }

  /// Returns the recorded results of the taps since then; a tap is blocked at most once.
  private static func outcomes(
    _ uses: [FeatureUse], _ since: Instant, _ users: StringInterner
  ) -> [Feature: LedgerOutcome] {
    /// People and features whose last tap of the span has not been blocked yet.
    var open: Set<[Int]> = []
    var blocked: [Feature: Set<Int>] = [:]
    var found: [Feature: LedgerOutcome] = [:]
    for use in uses where use.at >= since && use.namesPerson {
      let user = users.number(of: use.userId)
      switch use.kind {
      case .buttonTapped: open.insert([user, use.feature.position])
      case .blockedLimitReached, .blockedCooldown:
        guard open.remove([user, use.feature.position]) != nil else { continue }
        found[use.feature, default: LedgerOutcome()].blocked += 1
        blocked[use.feature, default: []].insert(user)
      default: break
      }
    }
    for (feature, people) in blocked { found[feature]?.users = people.count }
    return found
  }
}
