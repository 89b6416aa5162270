import Model
import Rules

/// Writes the events of one decision about a feature; docs/rules.md#events.
struct FeatureEvents {
  let platform: String
  let sessionId: String
  let profile: Profile
  let price: String?
  let now: Instant
  /// More parameters for every event, by names without the platform.
  let details: [String: EventValue]
  let tally: SessionTally

  /// One event per kind, in order, with the allowance as the decision saw it.
  func events(_ kinds: [EventKind], of decision: LimitDecision) -> [Event] {
    kinds.map { kind in
      Event(
        name: FeatureEventName(platform: platform, feature: decision.feature, kind: kind).text,
        at: now, userId: profile.userId ?? "", parameters: parameters(of: kind, decision),
        country: profile.country, appVersion: profile.appVersion)
    }
  }

  /// What a command records: the tap, what the decision emitted, and the price where one is shown.
  func kindsOfCommand(_ decision: LimitDecision) -> [EventKind] {
    var kinds: [EventKind] = [.buttonTapped]
    for kind in decision.events {
      kinds.append(kind)
      if kind == .popupShown, price != nil { kinds.append(.pricingDisplayed) }
    }
    return kinds
  }

  private func parameters(
    of kind: EventKind, _ decision: LimitDecision
  ) -> [String: EventValue] {
    var values = details
    values.merge(user(decision)) { _, own in own }
    values.merge(allowance(decision, at: kind)) { _, own in own }
    values.merge(technical()) { _, own in own }
    values["conversion_funnel_step"] = funnelStep(of: kind).map(EventValue.string)
    values["popup_trigger_reason"] = triggerReason(of: kind, decision).map(EventValue.string)
    if showsPrice(kind) {
      values["subscription_price_displayed"] = price.map(EventValue.string)
    }
    return Dictionary(uniqueKeysWithValues: values.map { ("\(platform)_\($0.key)", $0.value) })
  }

  private func user(_ decision: LimitDecision) -> [String: EventValue] {
    var values: [String: EventValue] = [
      "user_id": .string(profile.userId ?? ""),
      "user_type": .string(decision.userType.rawValue),
      "subscription_status": .string(decision.tier.rawValue),
      "is_anonymous": .integer(profile.userId == nil ? 1 : 0),
    ]
    values["first_account_created_at"] = profile.firstAccountCreatedAt.map(EventValue.init)
    return values
  }

  private func allowance(
    _ decision: LimitDecision, at kind: EventKind
  ) -> [String: EventValue] {
    let feature = decision.feature
    var values: [String: EventValue] = [
      "current_usage": .integer(Int64(decision.currentUsage)),
      "remaining_cooldown_seconds": .integer(decision.remainingCooldown.wholeSecondsRoundedUp),
      "session_\(feature.rawValue)_count": .integer(tally.uses(of: feature, with: kind)),
    ]
    values["usage_limit"] = decision.limit.map { .integer(Int64($0.limit)) }
    return values
  }

  private func technical() -> [String: EventValue] {
    var values: [String: EventValue] = [
      "platform": .string(platform),
      "timestamp": .integer(now.unixSeconds),
      "session_id": .string(sessionId),
      "session_event_number": .integer(tally.nextEventNumber()),
    ]
    values["app_version"] = profile.appVersion.map(EventValue.string)
    return values
  }

  private func funnelStep(of kind: EventKind) -> String? {
    switch kind {
    case .buttonTapped: "button_tapped"
    case .popupShown: "popup_shown"
    case .pricingDisplayed: "pricing_displayed"
    case .subscriptionButtonTapped: "subscription_tapped"
    default: nil
    }
  }

  private func triggerReason(of kind: EventKind, _ decision: LimitDecision) -> String? {
    switch kind {
    case .popupShown, .popupDismissed, .pricingDisplayed, .subscriptionButtonTapped,
      .blockedLimitReached, .blockedCooldown:
      if decision.canProceed { return "available" }
      let starts = decision.events.contains(.blockedLimitReached)
      return starts || decision.remainingCooldown == .zero ? "limit_reached" : "cooldown_active"
    default: return nil
    }
  }

  private func showsPrice(_ kind: EventKind) -> Bool {
    kind == .popupShown || kind == .pricingDisplayed || kind == .subscriptionButtonTapped
  }
}

extension EventValue {
  /// Unix seconds: an integer, or a double when the instant is no whole second.
  fileprivate init(_ instant: Instant) {
    let isWhole = instant == Instant(unixSeconds: instant.unixSeconds)
    self = isWhole ? .integer(instant.unixSeconds) : .double(instant.fractionalUnixSeconds)
  }
}
