package import Model

/// The result of a limit with its popup.
package struct LimitCheck: Hashable, Sendable {
  package var result: LimitResult
  /// Nil when no popup is shown.
  package var popup: Popup?
}

/// Everything that a profile's limits and rating prompt depend on, in one snapshot.
///
/// Its methods store nothing and emit nothing.
package struct LimitSnapshot: Sendable {
  package let profile: Profile
  package let settings: Settings
  /// A missing feature was never used.
  private let states: [Feature: LimitState]
  private let appName: String
  private let price: String?

  /// - Parameters:
  ///   - profile: the profile as stored, or with its defaults.
  ///   - states: the states of the profile's limits.
  ///   - settings: the settings in force.
  ///   - appName: the app's name in popups.
  ///   - price: the price in popups unless the profile has its own; nil shows none.
  package init(
    profile: Profile, states: [Feature: LimitState] = [:], settings: Settings, appName: String,
    price: String?
  ) {
    self.profile = profile
    self.states = states
    self.settings = settings
    self.appName = appName
    self.price = profile.price ?? price
  }

  /// What `check` would decide.
  package func peek(_ feature: Feature, now: Instant) -> LimitCheck {
    check(LimitRule.peek(input(feature, now: now)))
  }

  /// The open popup of a feature, which returns to the available state after the cooldown.
  ///
  /// Users whose uses are not counted have no open popup.
  package func openPopup(_ feature: Feature, now: Instant) -> LimitCheck {
    var check = peek(feature, now: now)
    guard check.result.countsUsage, let limit = check.result.limit else { return check }
    check.popup = Popup(
      feature: feature, limit: limit, usage: check.result.currentUsage,
      remainingCooldown: check.result.remainingCooldown, appName: appName, price: price)
    return check
  }

  /// The features that the settings limit, and those with a state from when they did.
  package var touchedFeatures: [Feature] {
    Feature.allCases.filter {
      settings.limit(of: $0) != nil || states[$0, default: .initial] != .initial
    }
  }

  /// Whether to ask the profile for a rating.
  package var ratingPrompt: RatingPromptDecision {
    RatingPromptRule.decide(
      profile.rating, threshold: settings.value(.ratingThreshold) ?? 0,
      maxPrompts: settings.value(.ratingMaxPrompts) ?? 0)
  }

  func input(_ feature: Feature, now: Instant) -> LimitInput {
    LimitInput(
      feature: feature, state: states[feature] ?? .initial, profile: profile, settings: settings,
      now: now)
  }

  func check(_ result: LimitResult) -> LimitCheck {
    LimitCheck(
      result: result, popup: Popup(after: result, appName: appName, price: price))
  }
}
