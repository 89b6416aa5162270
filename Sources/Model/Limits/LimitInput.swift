/// Everything that a limit decision depends on.
package struct LimitInput: Hashable, Sendable {
  package var feature: Feature
  package var state: LimitState
  /// Nil when the settings do not limit the feature.
  package var limit: FeatureLimit?
  package var tier: Tier
  /// Nil or the epoch means unknown: no grace.
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

  /// The input for one profile under the settings in force.
  package init(
    feature: Feature, state: LimitState, profile: Profile, settings: Settings, now: Instant
  ) {
    self.init(
      feature: feature, state: state, limit: settings.limit(of: feature), tier: profile.tier,
      firstAccountCreatedAt: profile.accountCreatedAt,
      newUserFreePeriodSeconds: settings.value(.newUserFreePeriod) ?? 0, now: now)
  }

  package var grace: NewUserGrace {
    NewUserRule.decide(
      firstAccountCreatedAt: firstAccountCreatedAt, periodSeconds: newUserFreePeriodSeconds,
      now: now)
  }

  /// The user's segment; a subscription counts before the grace.
  package var userType: UserType {
    if tier.isSubscribed { return .liteSubscriber }
    return grace.isNew ? .newUser : .freeUser
  }
}
