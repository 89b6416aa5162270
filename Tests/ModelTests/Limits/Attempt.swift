import Fixtures

@testable import Model

/// A feature of one user over time: asks, and keeps the state that the rule returns.
struct Attempt {
  static let start = Instant.morning

  var feature: Feature = .refresh
  var state: LimitState = .initial
  var limit: FeatureLimit? = FeatureLimit(limit: 2, cooldownSeconds: 120)
  var tier: Tier = .free
  var firstAccountCreatedAt: Instant?
  var newUserFreePeriodSeconds = 7_200
  var now = start

  var input: LimitInput {
    LimitInput(
      feature: feature, state: state, limit: limit, tier: tier,
      firstAccountCreatedAt: firstAccountCreatedAt,
      newUserFreePeriodSeconds: newUserFreePeriodSeconds, now: now)
  }

  mutating func ask(_ action: LimitAction, succeeds: Bool = true) -> LimitResult {
    let result = LimitRule.decide(input, action: action, succeeds: succeeds)
    state = result.newState
    return result
  }

  /// At the limit, with a cooldown that began `elapsed` ago.
  static func coolingDown(for elapsed: Duration) -> Attempt {
    Attempt(state: LimitState(usage: 2, cooldownStartedAt: start - elapsed))
  }
}
