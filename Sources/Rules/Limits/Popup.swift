package import Model

/// What the popup of a limited feature shows; docs/rules.md#popup.
package struct Popup: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// The action button is there, with what is left of the allowance.
    case available(remaining: Int)
    /// The action button is hidden, a bar counts down.
    case coolingDown(remaining: Duration, cooldown: Duration)
  }

  package var title: String
  package var description: String
  /// The text of the action button.
  package var action: String
  package var state: State
  /// The text of the subscription button, which has a star before it.
  package var subscribe: String
  /// Beside the subscription button; nil when no price is configured.
  package var price: String?

  /// The popup after a decision; nil when there is none to show.
  package init?(after decision: LimitDecision, appName: String, price: String?) {
    guard decision.showPopup, let limit = decision.limit else { return nil }
    self.init(
      feature: decision.feature, limit: limit, usage: decision.currentUsage,
      remainingCooldown: decision.remainingCooldown, appName: appName, price: price)
  }

  /// The popup in any state; it cools down only at the limit while something is left to wait.
  package init(
    feature: Feature, limit: FeatureLimit, usage: Int, remainingCooldown: Duration,
    appName: String, price: String?
  ) {
    let copy = PopupCopy(feature)
    let isCoolingDown = usage >= limit.limit && remainingCooldown > .zero
    title = copy.action
    action = copy.action
    description =
      isCoolingDown
      ? copy.coolingDown(limit: limit.limit, appName: appName) : copy.available(appName: appName)
    state =
      isCoolingDown
      ? .coolingDown(remaining: remainingCooldown, cooldown: limit.cooldown)
      : .available(remaining: max(0, limit.limit - usage))
    subscribe = "Subscribe to Lite"
    self.price = price
  }

  package var isCoolingDown: Bool {
    if case .coolingDown = state { true } else { false }
  }

  /// On the action button, such as `2 left`; nil during a cooldown, which hides the button.
  package var remainingText: String? {
    guard case .available(let remaining) = state else { return nil }
    return "\(remaining) left"
  }

  /// How much of the bar is filled, 1 at the start of the cooldown and shrinking right to left.
  ///
  /// Between 0 and 1; 0 when nothing counts down.
  package var barFraction: Double {
    guard case .coolingDown(let remaining, let cooldown) = state, cooldown > .zero else {
      return 0
    }
    return min(1, max(0, remaining / cooldown))
  }

  /// `Time remaining: 2:00`, rounded up to a whole second; nil when nothing counts down.
  package var timeLeftText: String? {
    guard case .coolingDown(let remaining, _) = state else { return nil }
    return "Time remaining: \(remaining.countdownText)"
  }
}
