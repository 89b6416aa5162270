import Model
import Rules

/// Where one profile stands with one feature now, as a peek decides it.
struct LimitStanding {
  enum State: Hashable {
    case unlimited, bypassed, available, coolingDown
    /// At the limit with no cooldown running: the next attempt starts one.
    case atLimit
  }

  let profile: Profile
  let feature: Feature
  let decision: LimitDecision

  init(
    _ feature: Feature, of limits: LimitsFacts.ProfileLimits, settings: Settings, now: Instant
  ) {
    profile = limits.profile
    self.feature = feature
    decision = LimitRule.peek(
      LimitQuestion(
        feature: feature, state: limits.states[feature] ?? .initial, profile: limits.profile,
        settings: settings, now: now))
  }

  var state: State {
    guard decision.limit != nil else { return .unlimited }
    guard decision.userType == .freeUser else { return .bypassed }
    if decision.canProceed { return .available }
    return decision.remainingCooldown > .zero ? .coolingDown : .atLimit
  }

  /// The limited features that a profile has used, profiles and features in their own order.
  ///
  /// The default profile has all of them, since it is the one that commands mean.
  static func all(_ facts: LimitsFacts, now: Instant) -> [LimitStanding] {
    facts.profiles.flatMap { limits in
      Feature.allCases
        .filter { facts.settings.limit(of: $0) != nil && isListed($0, of: limits) }
        .map { LimitStanding($0, of: limits, settings: facts.settings, now: now) }
    }
  }

  private static func isListed(
    _ feature: Feature, of limits: LimitsFacts.ProfileLimits
  ) -> Bool {
    limits.profile.name == Profile.defaultName || limits.states[feature] != nil
  }
}

extension LimitStanding.State {
  /// Level and words of the state.
  var cell: Cell {
    switch self {
    case .unlimited: .level(.notice, "Not limited")
    case .bypassed: .level(.notice, "Bypasses the limit")
    case .available: .level(.pass, "Available")
    case .coolingDown: .level(.warn, "Cooling down")
    case .atLimit: .level(.warn, "At the limit")
    }
  }
}
