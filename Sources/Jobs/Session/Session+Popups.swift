package import Model
import Store

/// Open popups, and the ends of cooldowns; docs/limits.md#popup.
extension Session {
  /// Records a tap on the feature's open popup, which changes no allowance.
  ///
  /// Without a popup, as for a subscriber, it records nothing and the result has no popup. `reason`
  /// is used for `popupDismissed`; the subscription button closes the popup, too. A popup that
  /// `expired` is closed by the end of its cooldown, whoever records that; it is closed once.
  package func tap(
    _ kind: EventKind, on feature: Feature, now: Instant, reason: DismissReason = .dismissed
  ) throws -> LimitCheck {
    let reason = kind == .popupDismissed ? reason : .subscribe
    return try store.write { writer in
      try Self.refundAbandonedUses(in: writer, isAlive: isOwnerAlive)
      let profile = try profile(in: writer)
      let expires = reason == .expired
      if expires { try settle(feature, of: profile, now: now, in: writer) }
      let end = try endCooldown(of: feature, profile, now: now, in: writer)
      let check = try limitSnapshot(of: profile, in: writer).openPopup(feature, now: now)
      let shownAt = try writer.popupShownAt(profile: profileName, feature: feature)
      var events = end.map { self.events(of: $0, for: profile) } ?? []
      if check.popup != nil, !expires || shownAt != nil {
        // Of one moment with the end of the cooldown, the tap comes first.
        let isAtEnd = end?.at == now
        let values = isAtEnd ? end?.values ?? [:] : [:]
        let featureEvents = self.events(for: profile, feature)
        var taps: [Event] = []
        if kind != .popupDismissed {
          taps.append(featureEvents.event(kind, check.result, at: now, values))
        }
        if kind == .popupDismissed || shownAt != nil {
          taps.append(
            featureEvents.dismissal(reason, of: check.result, shownAt: shownAt, at: now, values))
        }
        events = isAtEnd ? taps + events : events + taps
        try writer.setPopupShownAt(nil, profile: profileName, feature: feature)
      }
      try append(events, of: profile, now: now, in: writer)
      return check
    }
  }

  /// The dismissal of a popup that an earlier command opened and whose action is tapped now.
  ///
  /// Empty without such a popup, or when it is older than the timeout of an app session.
  func tapAction(
    _ result: LimitResult, _ featureEvents: FeatureEvents, now: Instant, in writer: Writer
  ) throws -> [Event] {
    guard
      let shownAt = try writer.popupShownAt(profile: profileName, feature: result.feature),
      now >= shownAt, now - shownAt < AppSessionRule.timeout
    else { return [] }
    return [featureEvents.dismissal(.action, of: result, shownAt: shownAt, at: now)]
  }

  /// Ends all expired cooldowns in one transaction and returns their features.
  ///
  /// The next attempt has the same result as if it ended the cooldown itself.
  package func settle(now: Instant) throws -> [Feature] {
    try store.write { writer in
      let profile = try profile(in: writer)
      return try Feature.allCases.filter { try settle($0, of: profile, now: now, in: writer) }
    }
  }

  /// Records the end of an expired cooldown, at the time when it ended; false when none expired.
  ///
  /// State and events commit together, so a second call records nothing. An open popup with the
  /// countdown counts as closed by its end.
  @discardableResult
  func settle(
    _ feature: Feature, of profile: Profile, now: Instant, in writer: Writer
  ) throws -> Bool {
    guard let end = try endCooldown(of: feature, profile, now: now, in: writer) else {
      return false
    }
    var closing: [Event] = []
    let shownAt = try writer.popupShownAt(profile: profileName, feature: feature)
    if end.closesPopup, let shownAt, shownAt <= end.at {
      closing.append(
        events(for: profile, feature).dismissal(
          .expired, of: end.result, shownAt: shownAt, at: end.at, end.values))
      try writer.setPopupShownAt(nil, profile: profileName, feature: feature)
    }
    try append(closing + events(of: end, for: profile), of: profile, now: now, in: writer)
    return true
  }

  /// The end of a cooldown, which a command has found.
  private struct CooldownEnd {
    let at: Instant
    /// The fresh allowance.
    let result: LimitResult
    /// Whether the popup counted down until then.
    let closesPopup: Bool
    /// What events about the popup say of the moment before.
    let values: [String: EventValue]
  }

  /// Gives the fresh allowance of an expired cooldown back; nil when none expired.
  private func endCooldown(
    of feature: Feature, _ profile: Profile, now: Instant, in writer: Writer
  ) throws -> CooldownEnd? {
    let state = try writer.limitState(profile: profileName, feature: feature)
    guard let limit = settings.limit(of: feature),
      let ended = LimitRule.ended(state, limit: limit, now: now)
    else { return nil }
    try writer.setLimitState(ended.state, profile: profileName, feature: feature)
    try settlePendingUses(of: feature, in: writer)
    let isAtLimit = state.usage >= limit.limit
    return CooldownEnd(
      at: ended.at,
      result: LimitRule.peek(
        LimitInput(
          feature: feature, state: ended.state, profile: profile, settings: settings,
          now: ended.at)),
      closesPopup: isAtLimit,
      values: [
        "current_usage": .integer(Int64(state.usage)),
        "popup_trigger_reason": .string(isAtLimit ? "cooldown_active" : "available"),
      ])
  }

  private func events(of end: CooldownEnd, for profile: Profile) -> [Event] {
    events(for: profile, end.result.feature).events(
      [.limitReset, .cooldownCompleted], of: end.result, at: end.at)
  }
}
