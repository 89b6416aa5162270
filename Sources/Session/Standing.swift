package import Model
package import Rules

/// Where a profile stands: all that its limits and its rating prompt depend on, as of one snapshot.
///
/// Asking it stores nothing and emits nothing.
package struct Standing: Sendable {
  package let profile: Profile
  package let settings: Settings
  /// A feature without a state was never used.
  private let states: [Feature: LimitState]
  private let appName: String
  private let price: String?

  /// - Parameters:
  ///   - profile: as it is stored, or as it would begin.
  ///   - states: of the profile's limits.
  ///   - settings: those in force.
  ///   - appName: as popups write it.
  ///   - price: in popups, unless the profile has its own; nil shows none.
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
  package func peek(_ feature: Feature, now: Instant) -> LimitAnswer {
    answer(LimitRule.peek(question(feature, now: now)))
  }

  /// What a popup that is open shows: after the cooldown it is back in the available state.
  ///
  /// No popup stays open for a user whose uses are not counted.
  package func openPopup(_ feature: Feature, now: Instant) -> LimitAnswer {
    var answer = peek(feature, now: now)
    guard answer.decision.countsUsage, let limit = answer.decision.limit else { return answer }
    answer.popup = Popup(
      feature: feature, limit: limit, usage: answer.decision.currentUsage,
      remainingCooldown: answer.decision.remainingCooldown, appName: appName, price: price)
    return answer
  }

  /// The features that the settings limit, or that were used when they did.
  package var touchedFeatures: [Feature] {
    Feature.allCases.filter {
      settings.limit(of: $0) != nil || states[$0, default: .initial] != .initial
    }
  }

  /// Whether the profile is to be asked for a rating.
  package var ratingPrompt: RatingPromptDecision {
    RatingPromptRule.decide(
      profile.rating, threshold: settings.value(.ratingThreshold) ?? 0,
      maxPrompts: settings.value(.ratingMaxPrompts) ?? 0)
  }

  func question(_ feature: Feature, now: Instant) -> LimitQuestion {
    LimitQuestion(
      feature: feature, state: states[feature] ?? .initial, profile: profile, settings: settings,
      now: now)
  }

  func answer(_ decision: LimitDecision) -> LimitAnswer {
    LimitAnswer(
      decision: decision, popup: Popup(after: decision, appName: appName, price: price))
  }
}
