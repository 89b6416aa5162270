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
}

extension LimitInput {
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

/// Who may use a limited feature now; docs/limits.md#cooldowns.
package enum LimitRule {
  /// A cooldown with this much left, inclusive, is over; docs/limits.md#cooldowns.
  package static let expiryTolerance: Duration = .seconds(1)

  /// Decides one attempt; `succeeds` says how the action of a `use` ended.
  package static func decide(
    _ input: LimitInput, verb: LimitVerb, succeeds: Bool = true
  ) -> LimitResult {
    var result = decide(input, opensPopup: verb != .peek)
    switch verb {
    case .peek: result.forgetEffects()
    case .use where succeeds && result.canProceed: result.recordSuccess()
    case .check, .use: break
    }
    return result
  }

  /// What `check` would decide, without its effects: no events, and the state unchanged.
  package static func peek(_ input: LimitInput) -> LimitResult {
    decide(input, verb: .peek)
  }

  /// Opens the popup if there is one to show, which at the limit starts the cooldown.
  package static func check(_ input: LimitInput) -> LimitResult {
    decide(input, verb: .check)
  }

  /// The result after its action succeeded: `performed`, and one more use of a counted user.
  ///
  /// - Precondition: `result.canProceed`.
  package static func recordSuccess(of result: LimitResult) -> LimitResult {
    var result = result
    result.recordSuccess()
    return result
  }

  /// The fresh allowance after a cooldown, and when the cooldown ended; nil unless one is over.
  ///
  /// Storing it changes no later decision: a fresh allowance has the same result as one that the
  /// decision itself resets.
  package static func ended(
    _ state: LimitState, limit: FeatureLimit?, now: Instant
  ) -> (state: LimitState, at: Instant)? {
    guard let limit, let startedAt = state.cooldownStartedAt, now >= startedAt,
      limit.cooldown - (now - startedAt) <= expiryTolerance
    else { return nil }
    return (LimitState(isFresh: true), min(now, startedAt + limit.cooldown))
  }

  private static func decide(_ input: LimitInput, opensPopup: Bool) -> LimitResult {
    var result = LimitResult(input)
    guard let limit = input.limit else {
      result.pass(.notLimited(input.feature))
      return result
    }
    result.checkClock()
    let remaining = result.expireCooldown(limit.cooldown)
    guard !input.tier.isSubscribed else {
      result.pass(.subscribed(input.tier), .liteSubscriberBypass)
      return result
    }
    result.pass(.notSubscribed)
    let grace = input.grace
    result.pass(
      .newUser(grace, periodSeconds: input.newUserFreePeriodSeconds),
      grace.isNew ? .newUserBypass : nil)
    if grace.isNew { return result }
    if result.newState.usage < limit.limit {
      result.proceed(under: limit.limit)
    } else {
      result.block(at: limit, remaining: remaining, opensPopup: opensPopup)
    }
    return result
  }
}

/// Whether an account is young enough to bypass the limits; docs/limits.md#new-user-grace.
package enum NewUserRule {
  /// How far ahead of `now` a creation time may lie, inclusive.
  package static let futureTolerance: Duration = .seconds(300)

  package static func decide(
    firstAccountCreatedAt: Instant?, periodSeconds: Int, now: Instant
  ) -> NewUserGrace {
    guard periodSeconds > 0 else { return .off }
    guard let createdAt = firstAccountCreatedAt, createdAt.microseconds > 0 else {
      return .creationUnknown
    }
    let age = now - createdAt
    guard age >= .zero - futureTolerance else { return .createdInTheFuture(by: .zero - age) }
    return age < .seconds(periodSeconds) ? .isNew(age: age) : .periodIsOver(age: age)
  }
}

/// What `NewUserRule` found out about an account.
package enum NewUserGrace: Hashable, Sendable {
  /// Inside the free period; `age` is negative when the creation time is slightly ahead of `now`.
  case isNew(age: Duration)
  case off
  case creationUnknown
  /// Created further in the future than a wrong clock explains.
  case createdInTheFuture(by: Duration)
  case periodIsOver(age: Duration)

  package var isNew: Bool {
    if case .isNew = self { true } else { false }
  }

  /// The finding as a sentence.
  func text(periodSeconds: Int) -> String {
    switch self {
    case .isNew(let age) where age < .zero:
      "New user: the account was created \((.zero - age).secondsText) in the future; treated as new."
    case .isNew(let age):
      "New user: the account is \(age.secondsText) old, less than \(periodSeconds) s."
    case .off: "The free period for new users is switched off."
    case .creationUnknown: "Not a new user: the account's creation time is unknown."
    case .createdInTheFuture(let gap):
      "Not a new user: the account's creation time is \(gap.secondsText) in the future."
    case .periodIsOver(let age):
      "Not a new user: the account is \(age.secondsText) old, the free period was \(periodSeconds) s."
    }
  }
}
