/// One attempt at a limited feature, for a replay; the user is kept beside it.
package struct LimitAttempt: Hashable, Sendable {
  package var at: Instant
  package var feature: Feature
  package var action: LimitAction
  /// Whether the action of a `use` succeeded, or would have.
  package var succeeds: Bool
  package var tier: Tier
  /// Nil or the epoch means unknown: no grace.
  package var firstAccountCreatedAt: Instant?
  /// The uses before it, where the replay does not have the attempts that led to them.
  package var earlierUses: Int?

  package init(
    at: Instant, feature: Feature, action: LimitAction, succeeds: Bool = true, tier: Tier = .free,
    firstAccountCreatedAt: Instant? = nil, earlierUses: Int? = nil
  ) {
    self.at = at
    self.feature = feature
    self.action = action
    self.succeeds = succeeds
    self.tier = tier
    self.firstAccountCreatedAt = firstAccountCreatedAt
    self.earlierUses = earlierUses
  }
}

/// Decides the attempts of many users one after another; docs/replay.md#replay.
///
/// States are empty at first, or have the uses that an attempt says were before it. Users and
/// features are independent. Calls come in the order of events; the clock may go back between them.
package struct LimitReplay: Sendable {
  private let limits: [FeatureLimit?]
  private let newUserFreePeriodSeconds: Int
  /// By feature, and by the number of the user.
  private var states: [[LimitState]]

  package init(settings: Settings) {
    limits = Feature.allCases.map { settings.limit(of: $0) }
    states = limits.map { _ in [] }
    newUserFreePeriodSeconds = settings.value(.newUserFreePeriod) ?? 0
  }

  package func limit(of feature: Feature) -> FeatureLimit? { limits[feature.position] }

  /// What is remembered of a user; users are numbers from 0.
  package func state(of user: Int, _ feature: Feature) -> LimitState {
    let states = states[feature.position]
    return user < states.count ? states[user] : .initial
  }

  /// Decides the user's next attempt and keeps the new state.
  package mutating func decide(_ attempt: LimitAttempt, of user: Int) -> LimitResult {
    let feature = attempt.feature.position
    let missing = user + 1 - states[feature].count
    if missing > 0 { states[feature] += repeatElement(.initial, count: missing) }
    if let uses = attempt.earlierUses, states[feature][user].usage != uses {
      states[feature][user] = LimitState(usage: uses)
    }
    let input = LimitInput(
      feature: attempt.feature, state: states[feature][user], limit: limits[feature],
      tier: attempt.tier, firstAccountCreatedAt: attempt.firstAccountCreatedAt,
      newUserFreePeriodSeconds: newUserFreePeriodSeconds, now: attempt.at)
    let result = LimitRule.decide(input, action: attempt.action, succeeds: attempt.succeeds)
    states[feature][user] = result.newState
    return result
  }

  /// Forgets the state of a user's feature, as a manual reset does.
  package mutating func reset(_ feature: Feature, of user: Int) {
    if user < states[feature.position].count { states[feature.position][user] = .initial }
  }
}
