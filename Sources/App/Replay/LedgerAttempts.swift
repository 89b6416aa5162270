package import Model
package import Store

/// The attempts recorded in the ledger's events; docs/replay.md#replay.
///
/// What became of a tap stands in later events, so the ledger is read twice: once for the ends, a
/// byte for each tap, and once for the attempts themselves.
struct LedgerAttempts {
  private let users: StringInterner
  /// Whether attempts that do not say whose they are come as `unknownAttempt`.
  private let leavesOutUnknown: Bool
  /// Hands over the same uses each time, oldest first, and also those that end an attempt later.
  private let forEachUse: ((FeatureUse) throws -> Void) throws -> Void
  /// The same without the later ones.
  private let forEachStep: ((FeatureUse) throws -> Void) throws -> Void

  /// From `start` (inclusive) to `end` (exclusive); nil bounds are open, and nil means all
  /// platforms.
  ///
  /// What was before `start` is not read: it ends no tap of the time. What comes from `end` on may.
  init(
    _ reader: Reader, from start: Instant?, to end: Instant?, on platform: String?,
    users: StringInterner, leavesOutUnknown: Bool = false
  ) {
    self.users = users
    self.leavesOutUnknown = leavesOutUnknown
    forEachUse = { try reader.forEachFeatureUse(from: start, on: platform, $0) }
    forEachStep = { try reader.forEachFeatureUse(from: start, to: end, on: platform, $0) }
  }

  /// Of uses that are few enough to be in memory, unknown people left out.
  init(_ uses: [FeatureUse], users: StringInterner) {
    self.users = users
    leavesOutUnknown = true
    forEachUse = { try uses.forEach($0) }
    forEachStep = forEachUse
  }

  func forEach(
    _ body: (ReplaySource.Step, _ user: Int, _ at: Instant) throws -> Void
  ) throws {
    let verbs = try verbs()
    var tap = 0
    try forEachStep { use in
      let user = users.number(of: use.userId)
      guard !isLeftOut(use) else {
        if use.kind == .buttonTapped { try body(.unknownAttempt(use.feature), user, use.at) }
        return
      }
      switch use.kind {
      case .buttonTapped:
        try body(.attempt(use.attempt(verbs[tap])), user, use.at)
        tap += 1
      case .subscriptionButtonTapped:
        try body(.subscriptionTap(use.feature), user, use.at)
      case .limitReset where use.isManual: try body(.reset(use.feature), user, use.at)
      default: break
      }
    }
  }

  private func isLeftOut(_ use: FeatureUse) -> Bool { leavesOutUnknown && !use.namesPerson }

  /// What each tap turned out to be, in the order of the taps.
  private func verbs() throws -> [LimitVerb] {
    var verbs: [LimitVerb] = []
    /// The last tap of each user and feature; nil for none yet.
    var lastTaps: [Int?] = []
    try forEachUse { use in
      guard !isLeftOut(use) else { return }
      let position = users.number(of: use.userId) * Feature.allCases.count + use.feature.position
      if position >= lastTaps.count {
        lastTaps += repeatElement(nil, count: position + 1 - lastTaps.count)
      }
      switch use.kind {
      case .buttonTapped:
        lastTaps[position] = verbs.count
        verbs.append(.check)
      case .performed, .blockedLimitReached, .blockedCooldown:
        if let tap = lastTaps[position] { verbs[tap] = .use }
      default: break
      }
    }
    return verbs
  }
}

extension FeatureUse {
  /// The attempt that this tap begins, of a user whom the event says what it can about.
  fileprivate func attempt(_ verb: LimitVerb) -> LimitAttempt {
    LimitAttempt(
      at: at, feature: feature, verb: verb,
      tier: tier ?? (userType == .liteSubscriber ? .lite : .free),
      firstAccountCreatedAt: firstAccountCreatedAt ?? (userType == .newUser ? at : nil))
  }
}

/// The newest attempts of the ledger under other limits, for the limits report.
package enum LedgerWhatIf {
  /// Events that are replayed at most, so that a report stays quick: docs/reports.md#what-if.
  static let mostEvents = 20_000

  /// Events before them that are replayed at most, so that everybody has the allowance that they
  /// had.
  static let mostEarlierEvents = 20_000

  /// Of a period from `start` (inclusive) to `end` (exclusive), and of a platform, or all for nil;
  /// after the last of the changes in it.
  package static func make(
    _ reader: Reader, settings: Settings, from start: Instant, to end: Instant,
    on platform: String? = nil, changes: [SettingChange] = []
  ) throws -> WhatIfResult {
    // Before, other limits were in force: docs/replay.md#changed-limits.
    let change = settings.limitChanges(among: changes, after: start, before: end).first
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
      comparison: try comparison(uses, since, settings, users),
      outcomes: outcomes(uses, since, users))
  }

  /// From when on the events before a time fill the states of a replay; nil for all of them.
  static func warmUp(
    _ reader: Reader, before start: Instant, on platform: String?
  ) throws -> Instant? {
    try reader.beginningOfFeatureEvents(
      newest: mostEarlierEvents, from: Instant(microseconds: .min), to: start, on: platform)
  }

  private static func comparison(
    _ uses: [FeatureUse], _ since: Instant, _ settings: Settings, _ users: StringInterner
  ) throws -> WhatIfComparison {
    var warm = WarmUp(WhatIfResult.settings(around: settings), from: since)
    try LedgerAttempts(uses, users: users).forEach { warm.take($0, of: $1, at: $2) }
    return warm.ended()
  }

  /// What the events say became of the taps since then; a tap is blocked once.
  private static func outcomes(
    _ uses: [FeatureUse], _ since: Instant, _ users: StringInterner
  ) -> [Feature: LedgerOutcome] {
    /// People and features whose last tap of the time has not been blocked yet.
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
