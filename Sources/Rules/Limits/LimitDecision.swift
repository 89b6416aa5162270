package import Model

/// Whether a feature may be used, what to show, and what to remember.
package struct LimitDecision: Hashable, Sendable {
  package var feature: Feature
  package var canProceed: Bool
  package var showPopup: Bool
  /// Zero wherever the user may proceed.
  package var remainingCooldown: Duration
  /// Of the verb that was asked: after a successful `use` it includes that use.
  package var currentUsage: Int
  /// Nil when the settings do not limit the feature.
  package var limit: FeatureLimit?
  package var tier: Tier
  package var userType: UserType
  /// When a blocking cooldown ends; nil when nothing blocks or nothing counts down.
  package var resetsAt: Instant?
  /// The allowance was reset by this decision, so that the user acts without a popup.
  package var justReset: Bool
  /// What happened, in order, without `button_tapped`.
  package var events: [EventKind]
  /// What to store; the state that was asked about when nothing changed.
  package var newState: LimitState
  /// The steps in the order they were taken; the last one decided.
  package var steps: [LimitStep]

  package var isLimitReached: Bool {
    guard let limit else { return false }
    return currentUsage >= limit.limit
  }

  /// A free user's uses are counted, those under a bypass or without a limit are not.
  package var countsUsage: Bool { limit != nil && userType == .freeUser }

  /// The deciding step as a sentence.
  package var reason: String { steps.last?.text ?? "" }
}
