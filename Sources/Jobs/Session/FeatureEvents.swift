import Model

/// How a popup was closed; docs/events.md#events.
package enum DismissReason: String, CaseIterable, Sendable {
  /// Without a button.
  case dismissed
  /// By its action button.
  case action
  /// By its subscription button.
  case subscribe
  /// By the end of its countdown.
  case expired
}

/// Makes the events about one feature of a profile; docs/events.md#events.
///
/// `Session.append` adds the parameters of the app session.
struct FeatureEvents {
  let platform: String
  let profile: Profile
  let price: String?
  /// Additional parameters of every event, by names without the platform.
  let details: [String: EventValue]

  /// One event for each kind, in order; `results` are additional parameters of `performed`.
  func events(
    _ kinds: [EventKind], of result: LimitResult, at time: Instant,
    results: [String: EventValue] = [:]
  ) -> [Event] {
    kinds.map { kind in
      event(kind, result, at: time, kind == .performed ? results : [:])
    }
  }

  /// The event of closing a popup that was shown at `shownAt`, nil if unknown.
  func dismissal(
    _ reason: DismissReason, of result: LimitResult, shownAt: Instant?, at time: Instant,
    _ more: [String: EventValue] = [:]
  ) -> Event {
    var values = more
    values["dismiss_reason"] = .string(reason.rawValue)
    values["popup_seconds"] = shownAt.map { .integer(max(0, (time - $0).components.seconds)) }
    return event(.popupDismissed, result, at: time, values)
  }

  /// The events of a command: the tap, those of the limit, and the price if the popup shows one.
  func kindsOfCommand(_ result: LimitResult) -> [EventKind] {
    var kinds: [EventKind] = [.buttonTapped]
    for kind in result.events {
      kinds.append(kind)
      if kind == .popupShown, price != nil { kinds.append(.pricingDisplayed) }
    }
    return kinds
  }

  /// One event; `more` are parameters that win over what the result says.
  func event(
    _ kind: EventKind, _ result: LimitResult, at time: Instant, _ more: [String: EventValue]
  ) -> Event {
    var values = details
    for own in [user(result, at: time), allowance(result, at: kind), more] {
      values.merge(own) { _, own in own }
    }
    values["conversion_funnel_step"] = .string(kind.funnelStep)
    if values["popup_trigger_reason"] == nil {
      values["popup_trigger_reason"] = triggerReason(of: kind, result).map(EventValue.string)
    }
    if [.popupShown, .pricingDisplayed, .subscriptionButtonTapped].contains(kind) {
      values["subscription_price_displayed"] = price.map(EventValue.string)
    }
    return profile.event(
      FeatureEventName(platform: platform, feature: result.feature, kind: kind).text, at: time,
      Dictionary(uniqueKeysWithValues: values.map { ("\(platform)_\($0.key)", $0.value) }))
  }

  private func user(_ result: LimitResult, at time: Instant) -> [String: EventValue] {
    var values: [String: EventValue] = [
      "platform": .string(platform),
      "timestamp": .integer(time.unixSeconds),
      "user_id": .string(profile.userId ?? ""),
      "user_type": .string(result.userType.rawValue),
      "subscription_status": .string(result.tier.rawValue),
      "is_anonymous": .integer(profile.userId == nil ? 1 : 0),
    ]
    values["app_version"] = profile.appVersion.map(EventValue.string)
    values["first_account_created_at"] = profile.accountCreatedAt.map(EventValue.init)
    return values
  }

  /// The allowance at the time of the event, not at the end of the command.
  private func allowance(
    _ result: LimitResult, at kind: EventKind
  ) -> [String: EventValue] {
    let usage =
      switch kind {
      case .performed: result.currentUsage
      case .limitReset, .cooldownCompleted: 0
      default: result.usageBefore
      }
    // A tap at the limit opens the popup that starts the cooldown: none ran at the tap.
    let startsWait = kind == .buttonTapped && result.events.contains(.blockedLimitReached)
    let remaining = startsWait ? .zero : result.remainingCooldown
    var values: [String: EventValue] = [
      "current_usage": .integer(Int64(usage)),
      "remaining_cooldown_seconds": .integer(remaining.wholeSecondsRoundedUp),
    ]
    values["usage_limit"] = result.limit.map { .integer(Int64($0.limit)) }
    return values
  }

  private func triggerReason(of kind: EventKind, _ result: LimitResult) -> String? {
    switch kind {
    case .popupShown, .popupDismissed, .pricingDisplayed, .subscriptionButtonTapped,
      .blockedLimitReached, .blockedCooldown:
      if result.canProceed { return "available" }
      let starts = result.events.contains(.blockedLimitReached)
      return starts || result.remainingCooldown == .zero ? "limit_reached" : "cooldown_active"
    default: return nil
    }
  }
}

extension EventValue {
  /// Unix seconds: an integer, or a double when the instant is no whole second.
  fileprivate init(_ instant: Instant) {
    let isWhole = instant == Instant(unixSeconds: instant.unixSeconds)
    self = isWhole ? .integer(instant.unixSeconds) : .double(instant.fractionalUnixSeconds)
  }
}
