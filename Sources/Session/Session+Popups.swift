package import Model
import Rules
import Store

/// Open popups, and the ends of cooldowns; docs/limits.md#popup.
extension Session {
  /// Records a tap on the feature's open popup, which changes no allowance.
  ///
  /// Without a popup, as for a subscriber, it records nothing and the result has no popup. `reason`
  /// is used for `popupDismissed`; the subscription button closes the popup, too.
  package func tap(
    _ kind: EventKind, on feature: Feature, now: Instant, reason: DismissReason = .dismissed
  ) throws -> LimitCheck {
    try store.write { writer in
      try Self.refundAbandonedUses(in: writer, isAlive: isOwnerAlive)
      let profile = try profile(in: writer)
      try settle(feature, of: profile, now: now, closesPopup: false, in: writer)
      let check = try limitSnapshot(of: profile, in: writer).openPopup(feature, now: now)
      guard check.popup != nil else { return check }
      let shownAt = try writer.popupShownAt(profile: profileName, feature: feature)
      let featureEvents = events(for: profile, feature)
      let dismissal = featureEvents.dismissal(
        kind == .popupDismissed ? reason : .subscribe, of: check.result, shownAt: shownAt,
        at: now)
      let tapped = featureEvents.events([kind], of: check.result, at: now)
      let closes = kind == .popupDismissed || shownAt != nil
      try append(
        (kind == .popupDismissed ? [] : tapped) + (closes ? [dismissal] : []), of: profile,
        now: now, in: writer)
      try writer.setPopupShownAt(nil, profile: profileName, feature: feature)
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
  /// The next attempt has the same result as if it ended the cooldown itself. Unlike an attempt,
  /// this does not end a cooldown in its last second.
  package func settle(now: Instant) throws -> [Feature] {
    try store.write { writer in
      let profile = try profile(in: writer)
      return try Feature.allCases.filter {
        try settle($0, of: profile, now: now, tolerance: .zero, in: writer)
      }
    }
  }

  /// Records the end of an expired cooldown, at the time when it ended; false when none expired.
  ///
  /// State and events commit together, so a second call records nothing. An open popup with the
  /// countdown counts as closed by its end, unless `closesPopup` is false.
  @discardableResult
  func settle(
    _ feature: Feature, of profile: Profile, now: Instant, closesPopup: Bool = true,
    tolerance: Duration = LimitRule.expiryTolerance, in writer: Writer
  ) throws -> Bool {
    let state = try writer.limitState(profile: profileName, feature: feature)
    guard let limit = settings.limit(of: feature),
      let ended = LimitRule.ended(state, limit: limit, now: now, tolerance: tolerance)
    else { return false }
    try writer.setLimitState(ended.state, profile: profileName, feature: feature)
    try settlePendingUses(of: feature, in: writer)
    let result = LimitRule.peek(
      LimitInput(
        feature: feature, state: ended.state, profile: profile, settings: settings,
        now: ended.at))
    let featureEvents = events(for: profile, feature)
    var endings: [Event] = []
    if closesPopup, state.usage >= limit.limit,
      let shownAt = try writer.popupShownAt(profile: profileName, feature: feature),
      shownAt <= ended.at
    {
      endings.append(
        featureEvents.dismissal(
          .expired, of: result, shownAt: shownAt, at: ended.at,
          [
            "current_usage": .integer(Int64(state.usage)),
            "popup_trigger_reason": .string("cooldown_active"),
          ]))
      try writer.setPopupShownAt(nil, profile: profileName, feature: feature)
    }
    endings += featureEvents.events([.limitReset, .cooldownCompleted], of: result, at: ended.at)
    try append(endings, of: profile, now: now, in: writer)
    return true
  }
}
