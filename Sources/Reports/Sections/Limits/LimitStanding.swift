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

  /// Feature by feature the profiles that have used it, those who wait first, the longest wait last.
  ///
  /// The chosen profile and the default one, which commands mean, stand with every feature.
  static func all(_ facts: LimitsFacts, now: Instant) -> [LimitStanding] {
    Feature.allCases.filter { facts.settings.limit(of: $0) != nil }.flatMap { feature in
      facts.profiles.filter { isListed(feature, of: $0, facts) }
        .map { LimitStanding(feature, of: $0, settings: facts.settings, now: now) }
        .enumerated()
        .sorted { left, right in
          (left.element.state.rank, left.element.decision.remainingCooldown, left.offset)
            < (right.element.state.rank, right.element.decision.remainingCooldown, right.offset)
        }
        .map(\.element)
    }
  }

  private static func isListed(
    _ feature: Feature, of limits: LimitsFacts.ProfileLimits, _ facts: LimitsFacts
  ) -> Bool {
    [Profile.defaultName, facts.chosenProfile].contains(limits.profile.name)
      || limits.states[feature] != nil
  }
}

extension LimitStanding.State {
  /// Level and words of the state.
  var cell: Cell {
    switch self {
    case .unlimited, .bypassed: .level(.notice, words)
    case .available: .level(.pass, words)
    case .coolingDown, .atLimit: .level(.warn, words)
    }
  }

  var words: String {
    switch self {
    case .unlimited: "Not limited"
    case .bypassed: "Bypasses the limit"
    case .available: "Available"
    case .coolingDown: "Cooling down"
    case .atLimit: "At the limit"
    }
  }

  /// Those who wait come first.
  fileprivate var rank: Int {
    switch self {
    case .coolingDown: 0
    case .atLimit: 1
    case .available: 2
    case .bypassed: 3
    case .unlimited: 4
    }
  }
}
