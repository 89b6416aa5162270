/// A feature with a cooldown limit of its own.
package enum Feature: String, CaseIterable, Codable, Sendable {
  case refresh, filter, search
  /// Limited only when the settings name a limit for them.
  case message, conversation

  /// The place in `allCases`, for arrays by feature.
  package var position: Int {
    switch self {
    case .refresh: 0
    case .filter: 1
    case .search: 2
    case .message: 3
    case .conversation: 4
    }
  }
}

/// How often a feature may be used before a cooldown.
package struct FeatureLimit: Hashable, Codable, Sendable {
  package var limit: Int
  package var cooldownSeconds: Int

  package var cooldown: Duration { .seconds(cooldownSeconds) }
}

/// The state of one feature's limit for one profile.
package struct LimitState: Hashable, Codable, Sendable {
  /// Counted uses since the last reset.
  package var usage: Int
  /// The start of the running cooldown; nil when none runs.
  package var cooldownStartedAt: Instant?
  /// A cooldown ended since the last attempt, so the next one acts at once, without a popup.
  package var isFresh: Bool

  package init(usage: Int = 0, cooldownStartedAt: Instant? = nil, isFresh: Bool = false) {
    self.usage = usage
    self.cooldownStartedAt = cooldownStartedAt
    self.isFresh = isFresh
  }

  package static let initial = LimitState()
}

/// The ways to ask a limit.
package enum LimitVerb: String, CaseIterable, Codable, Sendable {
  /// Reports what `check` would decide and changes nothing.
  case peek
  /// Opens the popup, which at the limit starts the cooldown.
  case check
  /// Checks, acts, and counts a successful action.
  case use
}

/// One attempt at a limited feature, for a replay; the user is kept beside it.
package struct LimitAttempt: Hashable, Sendable {
  package var at: Instant
  package var feature: Feature
  package var verb: LimitVerb
  /// Whether the action of a `use` succeeded, or would have.
  package var succeeds: Bool
  package var tier: Tier
  /// Nil or the epoch means unknown: no grace.
  package var firstAccountCreatedAt: Instant?

  package init(
    at: Instant, feature: Feature, verb: LimitVerb, succeeds: Bool = true, tier: Tier = .free,
    firstAccountCreatedAt: Instant? = nil
  ) {
    self.at = at
    self.feature = feature
    self.verb = verb
    self.succeeds = succeeds
    self.tier = tier
    self.firstAccountCreatedAt = firstAccountCreatedAt
  }
}
