/// What a popup shows of the allowance.
package enum PopupState: Hashable, Sendable {
  /// The action button shows what is left of the allowance.
  case available(remaining: Int)
  /// The action button is hidden; a bar counts down.
  case coolingDown(remaining: Duration, cooldown: Duration)
}

/// What the popup of a limited feature shows; docs/limits.md#popup.
package struct Popup: Hashable, Sendable {
  package var title: String
  package var description: String
  package var action: String
  package var state: PopupState
  /// The text of the subscription button, which has a star before it.
  package var subscribe: String
  /// Beside the subscription button; nil when no price is configured.
  package var price: String?

  /// The popup that a decision opens, as it is before the action; nil when it opens none.
  package init?(after result: LimitResult, appName: String, price: String?) {
    guard result.showPopup, let limit = result.limit else { return nil }
    self.init(
      feature: result.feature, limit: limit, usage: result.usageBefore,
      remainingCooldown: result.remainingCooldown, appName: appName, price: price)
  }

  /// The popup in any state; at the limit without a running cooldown it shows the whole cooldown.
  package init(
    feature: Feature, limit: FeatureLimit, usage: Int, remainingCooldown: Duration,
    appName: String, price: String?
  ) {
    let copy = PopupCopy(feature)
    let isCoolingDown = usage >= limit.limit
    let wait = remainingCooldown > .zero ? remainingCooldown : limit.cooldown
    title = copy.action
    action = copy.action
    description =
      isCoolingDown
      ? copy.coolingDown(limit: limit.limit, appName: appName) : copy.available(appName: appName)
    state =
      isCoolingDown
      ? .coolingDown(remaining: wait, cooldown: limit.cooldown)
      : .available(remaining: limit.limit - usage)
    subscribe = "Subscribe to Lite"
    self.price = price
  }

  package var isCoolingDown: Bool {
    if case .coolingDown = state { true } else { false }
  }

  /// The text on the action button, such as `2 left`; nil during a cooldown, which hides the
  /// button.
  package var remainingText: String? {
    if case .available(let remaining) = state { "\(remaining) left" } else { nil }
  }

  /// The filled part of the bar: 1 at the start of the cooldown, 0 when nothing counts down.
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

/// The words of one feature's popup; docs/limits.md#popup.
struct PopupCopy {
  /// Title and action button alike.
  let action: String
  private let invitation: String
  /// What is counted, in the plural: "You've used your 2 free ...".
  let uses: String

  init(_ feature: Feature) {
    switch feature {
    case .refresh:
      action = "Refresh Users"
      invitation = "Refresh the user list to see new online users."
      uses = "refreshes"
    case .filter:
      action = "Apply Filters"
      invitation = "Apply advanced filters to find your perfect match."
      uses = "filter applications"
    case .search:
      action = "Search Users"
      invitation = "Search the user list to find people by name."
      uses = "searches"
    case .message:
      action = "Send Message"
      invitation = "Send messages to the people you like."
      uses = "messages"
    case .conversation:
      action = "Start Conversation"
      invitation = "Start conversations with new people."
      uses = "conversations"
    }
  }

  func available(appName: String) -> String {
    "\(invitation) Upgrade to \(appName) Lite subscription to unlock unlimited \(uses)."
  }

  func coolingDown(limit: Int, appName: String) -> String {
    "You've used your \(limit) free \(uses). Subscribe to \(appName) Lite for unlimited access "
      + "or wait for the timer to reset."
  }
}

/// The free uses that a profile has again after a cooldown; docs/limits.md#cooldowns.
package struct RestoredAllowance: Hashable, Sendable {
  package let profile: String
  package let feature: Feature

  package init(profile: String, feature: Feature) {
    self.profile = profile
    self.feature = feature
  }

  /// The text of the notification, which says that the uses are back.
  package var message: String { "Your \(PopupCopy(feature).uses) are back." }
}
