package import Model
package import Store

extension Session {
  /// The profile's moments and quotas, as the paywall that is shown to it has them.
  ///
  /// Leaves an event, but for a subscriber, who sees a card of thanks.
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

  /// Changes the tier as `setTier` does, and leaves an event when it was another one.
  @discardableResult
  package func changeTier(_ tier: Tier, now: Instant) throws -> Int {
    try store.write { try changeTier(tier, now: now, in: $0) }
  }

  /// The same inside the caller's transaction.
  @discardableResult
  package func changeTier(_ tier: Tier, now: Instant, in writer: Writer) throws -> Int {
    let old = try profile(in: writer).tier
    let requeued = try setTier(tier, in: writer)
    guard tier != old else { return requeued }
    let profile = try profile(in: writer)
    let event = profile.event(
      MomentEvent.tierChanged.rawValue, at: now,
      parameters([.tier: .string(tier.rawValue), .previousTier: .string(old.rawValue)]))
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

  private func parameters(
    _ values: [MomentEvent.Parameter: EventValue]
  ) -> [String: EventValue] {
    Dictionary(
      uniqueKeysWithValues: values.map { ("\(app.platform)_\($0.key.rawValue)", $0.value) })
  }
}
