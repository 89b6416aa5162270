package import Model
package import Store

/// Taps on open popups, and the ends of cooldowns; docs/limits.md#popup.
extension ProfileSession {
  /// Records a tap on the feature's open popup, which changes no allowance.
  ///
  /// Without a popup, as for a subscriber, it records nothing and the result has no popup. `reason`
  /// is used for `popupDismissed`; the subscription button closes the popup, too. A popup that
  /// `expired` is closed by the end of its cooldown, and only once, whichever command records that.
  package func tap(
    _ kind: EventKind, on feature: Feature, now: Instant, reason: DismissReason = .dismissed
  ) throws -> LimitCheck {
    let reason = kind == .popupDismissed ? reason : .subscribe
    return try store.write { writer in
      var changes = try SessionChanges(of: self, at: now, in: writer, creatingProfile: false)
      try changes.refundAbandonedUses()
      let expires = reason == .expired
      // If the tap is at the same time as the end of the cooldown, the tap comes first and closes
      // the popup.
      let ended = LimitRule.ended(
        changes.states[feature] ?? .initial, limit: settings.limit(of: feature), now: now)
      let end = expires || ended?.at != now ? nil : changes.endCooldown(of: feature)
      if end == nil { changes.expireCooldown(of: feature) }
      let check = changes.snapshot.openPopup(feature, now: now)
      let shownAt = changes.popups[feature]
      if check.popup != nil, !expires || shownAt != nil {
        let values = end?.values ?? [:]
        let featureEvents = events(for: changes.profile, feature)
        if kind != .popupDismissed {
          changes.events.append(featureEvents.event(kind, check.result, at: now, values))
        }
        if kind == .popupDismissed || shownAt != nil {
          changes.events.append(
            featureEvents.dismissal(reason, of: check.result, shownAt: shownAt, at: now, values))
        }
        changes.popups[feature] = nil
      }
      if let end { changes.events += changes.events(of: end) }
      try writer.apply(try changes.allEffects())
      return check
    }
  }

  /// Ends all expired cooldowns in one transaction and returns their features.
  ///
  /// The next attempt has the same result as if it ended the cooldown itself.
  package func expireCooldowns(now: Instant) throws -> [Feature] {
    try store.write { try expireCooldowns(now: now, in: $0) }
  }

  /// Ends expired cooldowns inside the caller's transaction, before it changes the profile's user.
  @discardableResult
  package func expireCooldowns(now: Instant, in writer: Writer) throws -> [Feature] {
    var changes = try SessionChanges(of: self, at: now, in: writer, creatingProfile: false)
    let expired = Feature.allCases.filter { changes.expireCooldown(of: $0) }
    try writer.apply(try changes.allEffects())
    return expired
  }

  /// Returns the profile's moments and quotas for its paywall.
  ///
  /// It records an event, except for a subscriber, who sees a card of thanks.
  package func showPaywall(now: Instant) throws -> MomentSnapshot {
    try store.write { writer in
      let profile = try profile(in: writer)
      let snapshot = try momentSnapshot(of: profile, now: now, in: writer)
      if !snapshot.tier.isSubscribed {
        try append(
          [event(.paywallShown, of: profile, snapshot, now)], of: profile, now: now, in: writer)
      }
      return snapshot
    }
  }

  /// Changes the tier as `setTier` does, and records an event if it was another one.
  @discardableResult
  package func changeTier(_ tier: Tier, now: Instant) throws -> Int {
    try store.write { try changeTier(tier, now: now, in: $0) }
  }

  /// The same inside the caller's transaction.
  @discardableResult
  package func changeTier(_ tier: Tier, now: Instant, in writer: Writer) throws -> Int {
    try expireCooldowns(now: now, in: writer)
    let old = try profile(in: writer).tier
    let requeued = try setTier(tier, in: writer)
    guard tier != old else { return requeued }
    let profile = try profile(in: writer)
    let event = profile.event(
      MomentEvent.tierChanged.rawValue, at: now,
      parameters([
        MomentEvent.Parameter.tier: .string(tier.rawValue),
        .previousTier: .string(old.rawValue),
      ]))
    try append([event], of: profile, now: now, in: writer)
    return requeued
  }

  /// An event of moments or the paywall, with the counts before it.
  func event(
    _ kind: MomentEvent, of profile: Profile, _ snapshot: MomentSnapshot, _ now: Instant
  ) -> Event {
    var values: [MomentEvent.Parameter: EventValue] = [
      .tier: .string(profile.tier.rawValue),
      .countToday: .integer(Int64(snapshot.countToday)),
      .countTotal: .integer(Int64(snapshot.countTotal)),
    ]
    if kind != .added { values[.trigger] = .string(snapshot.paywall().trigger.rawValue) }
    return profile.event(kind.rawValue, at: now, parameters(values))
  }

  /// The parameters of an event, with the names that they have on this platform.
  func parameters<Name: RawRepresentable<String>>(
    _ values: [Name: EventValue]
  ) -> [String: EventValue] {
    Dictionary(
      uniqueKeysWithValues: values.map { ("\(platform)_\($0.key.rawValue)", $0.value) })
  }
}
