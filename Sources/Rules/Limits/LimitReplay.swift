package import Model

/// Attempts of many users decided one after another, from an empty state; docs/rules.md#replay.
///
/// Users and features are independent; the order of the calls is the order of events, and the
/// clock may go back between them.
package struct LimitReplay: Sendable {
  private let limits: [FeatureLimit?]
  private let newUserFreePeriodSeconds: Int
  /// By user and feature.
  private var states: [LimitState] = []

  package init(settings: Settings) {
    limits = Feature.allCases.map { settings.limit(of: $0) }
    newUserFreePeriodSeconds = settings.value(.newUserFreePeriod) ?? 0
  }

  package func limit(of feature: Feature) -> FeatureLimit? { limits[feature.position] }

  /// What is remembered of a user, who is a number from 0.
  package func state(of user: Int, _ feature: Feature) -> LimitState {
    let position = self.position(of: user, feature)
    return position < states.count ? states[position] : .initial
  }

  /// Decides the user's next attempt and remembers what came of it.
  package mutating func decide(_ attempt: LimitAttempt, of user: Int) -> LimitOutcome {
    let position = self.position(of: user, attempt.feature)
    makeRoom(for: position)
    let question = LimitQuestion(
      feature: attempt.feature, state: states[position], limit: limits[attempt.feature.position],
      tier: attempt.tier, firstAccountCreatedAt: attempt.firstAccountCreatedAt,
      newUserFreePeriodSeconds: newUserFreePeriodSeconds, now: attempt.at)
    let outcome = LimitRule.outcome(
      of: question, verb: attempt.verb, succeeds: attempt.succeeds)
    states[position] = outcome.newState
    return outcome
  }

  /// Forgets what is remembered of a user's feature, as a reset by hand does.
  package mutating func reset(_ feature: Feature, of user: Int) {
    let position = self.position(of: user, feature)
    if position < states.count { states[position] = .initial }
  }

  private mutating func makeRoom(for position: Int) {
    guard position >= states.count else { return }
    let missing = position + 1 - states.count
    states.append(contentsOf: repeatElement(.initial, count: missing))
  }

  private func position(of user: Int, _ feature: Feature) -> Int {
    user * limits.count + feature.position
  }
}
