import Model
import Rules

/// A feature of one user over time: asks, and keeps the state that the rule returns.
struct Attempt {
  static let start = Instant(unixSeconds: 1_769_846_400)

  var feature: Feature = .refresh
  var state: LimitState = .initial
  var limit: FeatureLimit? = FeatureLimit(limit: 2, cooldownSeconds: 120)
  var tier: Tier = .free
  var firstAccountCreatedAt: Instant?
  var newUserFreePeriodSeconds = 7_200
  var now = start

  var question: LimitQuestion {
    LimitQuestion(
      feature: feature, state: state, limit: limit, tier: tier,
      firstAccountCreatedAt: firstAccountCreatedAt,
      newUserFreePeriodSeconds: newUserFreePeriodSeconds, now: now)
  }

  mutating func ask(_ verb: LimitVerb, succeeds: Bool = true) -> LimitDecision {
    let decision = LimitRule.decide(question, verb: verb, succeeds: succeeds)
    state = decision.newState
    return decision
  }

  /// At the limit, with a cooldown that began `elapsed` ago.
  static func coolingDown(for elapsed: Duration) -> Attempt {
    Attempt(state: LimitState(usage: 2, cooldownStartedAt: start - elapsed))
  }
}
