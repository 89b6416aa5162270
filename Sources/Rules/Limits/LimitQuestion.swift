package import Model

/// Everything that a limit decision depends on.
package struct LimitQuestion: Hashable, Sendable {
  package var feature: Feature
  package var state: LimitState
  /// Nil when the settings do not limit the feature.
  package var limit: FeatureLimit?
  package var tier: Tier
  /// Nil or the epoch: unknown, so no grace.
  package var firstAccountCreatedAt: Instant?
  /// Zero or less switches the grace off.
  package var newUserFreePeriodSeconds: Int
  package var now: Instant

  package init(
    feature: Feature, state: LimitState, limit: FeatureLimit?, tier: Tier,
    firstAccountCreatedAt: Instant?, newUserFreePeriodSeconds: Int, now: Instant
  ) {
    self.feature = feature
    self.state = state
    self.limit = limit
    self.tier = tier
    self.firstAccountCreatedAt = firstAccountCreatedAt
    self.newUserFreePeriodSeconds = newUserFreePeriodSeconds
    self.now = now
  }

  /// Asks about one profile under the settings in force.
  package init(
    feature: Feature, state: LimitState, profile: Profile, settings: Settings, now: Instant
  ) {
    self.init(
      feature: feature, state: state, limit: settings.limit(of: feature), tier: profile.tier,
      firstAccountCreatedAt: profile.firstAccountCreatedAt,
      newUserFreePeriodSeconds: settings.value(.newUserFreePeriod) ?? 0, now: now)
  }

  package var newUserVerdict: NewUserRule.Verdict {
    NewUserRule.decide(
      firstAccountCreatedAt: firstAccountCreatedAt, periodSeconds: newUserFreePeriodSeconds,
      now: now)
  }

  /// A subscription comes before the grace.
  package var userType: UserType {
    if tier.isSubscribed { return .liteSubscriber }
    return newUserVerdict.isNew ? .newUser : .freeUser
  }
}
