/// A way in which all limits could differ from those in force; docs/replay.md#neighbours.
package enum WhatIfScenario: String, CaseIterable, Sendable {
  case inForce = "in-force"
  case oneFewer = "one-fewer"
  case oneMore = "one-more"
  case twiceTheLimit = "twice-the-limit"
  case halfTheWait = "half-the-wait"
  case twiceTheWait = "twice-the-wait"

  /// The changed limit; nil when it would be no limit, or equal to another scenario's.
  package func limit(around limit: FeatureLimit) -> FeatureLimit? {
    var other = limit
    switch self {
    case .inForce: return limit
    case .oneFewer: other.limit -= 1
    case .oneMore: other.limit += 1
    case .twiceTheLimit: other.limit *= 2
    case .halfTheWait: other.cooldownSeconds /= 2
    case .twiceTheWait: other.cooldownSeconds *= 2
    }
    // For a limit of 1, one more is twice as much.
    let repeatsOneMore = self == .twiceTheLimit && limit.limit == 1
    let isLimit = other.limit > 0 && other.cooldownSeconds > 0
    return isLimit && !repeatsOneMore ? other : nil
  }

  /// The settings with every limit changed this way; a limit that `limit(around:)` refuses stays.
  package func settings(around settings: Settings) -> Settings {
    Settings(
      settings.all.map { setting in
        guard let feature = Feature.allCases.first(where: { $0.isLimited(by: setting.key) }),
          let limit = settings.limit(of: feature), let other = self.limit(around: limit)
        else { return setting }
        var setting = setting
        setting.value = setting.key == feature.limitKey ? other.limit : other.cooldownSeconds
        return setting
      })
  }
}

extension Feature {
  fileprivate func isLimited(by key: SettingKey) -> Bool { key == limitKey || key == cooldownKey }
}

/// What became of the attempts at a feature, by the events of the ledger.
package struct LedgerOutcome: Hashable, Sendable {
  package var blocked: Int
  /// People who were blocked at least once.
  package var users: Int

  package init(blocked: Int = 0, users: Int = 0) {
    self.blocked = blocked
    self.users = users
  }
}

/// The attempts of a period, decided in every scenario.
package struct WhatIfResult: Sendable {
  /// The start of the attempts; earlier ones are replayed to fill the states.
  package let since: Instant
  /// Whether the attempts are those of the whole period, not only of its newest part.
  package let isWholePeriod: Bool
  /// The change of a limit with which the attempts begin; nil when they begin for another reason.
  package let change: SettingChange?
  /// Its settings are those of `WhatIfScenario.allCases`, in order.
  package let comparison: WhatIfComparison
  /// By feature; nil when the attempts are not those of the ledger.
  package let outcomes: [Feature: LedgerOutcome]?

  package init(
    since: Instant, isWholePeriod: Bool, after change: SettingChange? = nil,
    comparison: WhatIfComparison, outcomes: [Feature: LedgerOutcome]? = nil
  ) {
    self.change = change
    self.outcomes = outcomes
    self.since = since
    self.isWholePeriod = isWholePeriod
    self.comparison = comparison
  }

  /// How many percentage points more the replay blocks than the ledger, under the settings in
  /// force.
  ///
  /// Nil without attempts, and without outcomes to compare with.
  package func excess(of feature: Feature) -> Double? {
    let attempts = comparison.totals(of: feature).attempts
    guard attempts > 0, let outcomes else { return nil }
    let blocked = comparison.figures(0, of: feature).blocked
    return 100 * Double(blocked - (outcomes[feature]?.blocked ?? 0)) / Double(attempts)
  }

  /// Of the subscription taps, which all happened, those that the replay loses under the settings
  /// in force, in percentage points.
  ///
  /// Nil without such taps.
  package func tapsError(of feature: Feature) -> Double? {
    let taps = comparison.totals(of: feature).subscriptionTaps
    guard taps > 0 else { return nil }
    return 100 * Double(comparison.figures(0, of: feature).subscriptionTapsLost) / Double(taps)
  }

  /// The most points by which replay and ledger may differ for the replay to be relied on.
  package static let toleratedExcess = 1.0

  /// The settings of each scenario, in the order of `WhatIfScenario.allCases`.
  package static func settings(around settings: Settings) -> [Settings] {
    WhatIfScenario.allCases.map { $0.settings(around: settings) }
  }
}
