import Model
import Rules
import Session

/// A decision as JSON; the names are those of `docs/rules.md#cooldowns`.
struct LimitLine: Encodable {
  struct Step: Encodable {
    let id: String
    let text: String
  }

  let message_type = "limit"
  let feature: Feature
  let canProceed: Bool
  let showPopup: Bool
  /// Seconds, with their fraction.
  let remainingCooldown: Double
  let currentUsage: Int
  let limit: Int?
  let isLimitReached: Bool
  let tier: Tier
  let userType: UserType
  let reason: String
  let resetsAt: Instant?
  let popup: PopupLine?
  let steps: [Step]?

  init(_ answer: LimitAnswer, explain: Bool = false) {
    let decision = answer.decision
    feature = decision.feature
    canProceed = decision.canProceed
    showPopup = decision.showPopup
    remainingCooldown = decision.remainingCooldown.fractionalSeconds
    currentUsage = decision.currentUsage
    limit = decision.limit?.limit
    isLimitReached = decision.isLimitReached
    tier = decision.tier
    userType = decision.userType
    reason = decision.reason
    resetsAt = decision.resetsAt
    popup = answer.popup.map(PopupLine.init)
    steps = explain ? decision.steps.map { Step(id: $0.id, text: $0.text) } : nil
  }
}

/// A popup as JSON; `docs/rules.md#popup` says what each part shows.
struct PopupLine: Encodable {
  let title: String
  let description: String
  /// Nil while the cooldown hides the button.
  let action: String?
  let remaining: String?
  /// From 1 at the start of the cooldown to 0.
  let barFraction: Double
  let timeLeft: String?
  let subscribe: String
  let price: String?

  init(_ popup: Popup) {
    title = popup.title
    description = popup.description
    action = popup.isCoolingDown ? nil : popup.action
    remaining = popup.remainingText
    barFraction = popup.barFraction
    timeLeft = popup.timeLeftText
    subscribe = popup.subscribe
    price = popup.price
  }
}
