package import Model
import Store

/// Taps on open popups, and the ends of cooldowns; docs/limits.md#popup.
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
      var changes = try SessionChanges(of: self, at: now, in: writer, creatingProfile: false)
      try changes.refundAbandonedUses()
      let expires = reason == .expired
      if expires { changes.expireCooldown(of: feature) }
      let end = changes.endCooldown(of: feature)
      let check = changes.snapshot.openPopup(feature, now: now)
      let shownAt = changes.popups[feature]
      var told = end.map(changes.events) ?? []
      if check.popup != nil, !expires || shownAt != nil {
        // Of one moment with the end of the cooldown, the tap comes first.
        let isAtEnd = end?.at == now
        let values = isAtEnd ? end?.values ?? [:] : [:]
        let featureEvents = events(for: changes.profile, feature)
        var taps: [Event] = []
        if kind != .popupDismissed {
          taps.append(featureEvents.event(kind, check.result, at: now, values))
        }
        if kind == .popupDismissed || shownAt != nil {
          taps.append(
            featureEvents.dismissal(reason, of: check.result, shownAt: shownAt, at: now, values))
        }
        told = isAtEnd ? taps + told : told + taps
        changes.popups[feature] = nil
      }
      changes.events += told
      try writer.apply(try changes.allEffects())
      return check
    }
  }

  /// Ends all expired cooldowns in one transaction and returns their features.
  ///
  /// The next attempt has the same result as if it ended the cooldown itself.
  package func expireCooldowns(now: Instant) throws -> [Feature] {
    try store.write { writer in
      var changes = try SessionChanges(of: self, at: now, in: writer, creatingProfile: false)
      let expired = Feature.allCases.filter { changes.expireCooldown(of: $0) }
      try writer.apply(try changes.allEffects())
      return expired
    }
  }
}
