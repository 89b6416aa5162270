package import Model

/// Whether a feature may be used, what to show, and what to remember.
package struct LimitDecision: Hashable, Sendable {
  /// What was asked.
  package let question: LimitQuestion
  /// What came of it.
  package let outcome: LimitOutcome

  package var feature: Feature { question.feature }
  /// Nil when the settings do not limit the feature.
  package var limit: FeatureLimit? { question.limit }
  package var tier: Tier { question.tier }
  package var userType: UserType { outcome.userType }
  package var canProceed: Bool { outcome.canProceed }
  package var showPopup: Bool { outcome.showPopup }
  /// Zero wherever the user may proceed.
  package var remainingCooldown: Duration { outcome.remainingCooldown }
  /// Of the verb that was asked: after a successful `use` it includes that use.
  package var currentUsage: Int { outcome.currentUsage }
  /// The allowance was reset by this decision, so that the user acts without a popup.
  package var justReset: Bool { outcome.justReset }
  /// What to store; the state that was asked about when nothing changed.
  package var newState: LimitState { outcome.newState }
  /// A free user's uses are counted, those under a bypass or without a limit are not.
  package var countsUsage: Bool { outcome.countsUsage }
  package var isLimitReached: Bool { outcome.isLimitReached(of: limit) }
  /// What happened, in order, without `button_tapped`.
  package var events: [EventKind] { outcome.events.kinds }

  /// When a blocking cooldown ends; nil when nothing blocks or nothing counts down.
  package var resetsAt: Instant? {
    remainingCooldown > .zero ? question.now + remainingCooldown : nil
  }

  /// The deciding step as a sentence.
  package var reason: String { lastStep.text }
}
