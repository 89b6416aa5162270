package import Model
import Store

extension Session {
  /// The profile's limits now; stores nothing.
  ///
  /// Pending uses of dead owners count as given back.
  package func limitSnapshot() throws -> LimitSnapshot {
    let abandoned = try abandonedUses()
    return try store.read { reader in
      var states = try reader.limitStates(profile: profileName)
      // A use that ended meanwhile is no longer pending: it was counted or given back.
      for use in try reader.pendingUses()
      where use.profile == profileName && abandoned.contains(use.id) {
        let usage = states[use.feature]?.usage ?? 0
        if usage > 0 { states[use.feature]?.usage = usage - 1 }
      }
      return LimitSnapshot(
        profile: try profile(in: reader), states: states, settings: settings, appName: app.name,
        price: price)
    }
  }

  /// What `check` would decide; stores nothing.
  package func peek(_ feature: Feature, now: Instant) throws -> LimitCheck {
    try limitSnapshot().peek(feature, now: now)
  }

  /// Opens the feature's popup, which at the limit starts the cooldown.
  ///
  /// `details` are additional parameters of the events, by names without the platform.
  package func check(
    _ feature: Feature, now: Instant, details: [String: EventValue] = [:]
  ) throws -> LimitCheck {
    try decide(feature, .check, now: now, details: details)
  }

  /// Uses a feature whose action takes no time and cannot fail.
  package func use(
    _ feature: Feature, now: Instant, details: [String: EventValue] = [:]
  ) throws -> LimitCheck {
    try decide(feature, .use, now: now, details: details)
  }

  /// Resets allowances manually, in one transaction, and returns the limits afterwards.
  ///
  /// Each feature gets one `limit_reset` event, even if its allowance was unused.
  @discardableResult
  package func reset(_ features: [Feature], now: Instant) throws -> [LimitCheck] {
    try store.write { writer in
      var changes = try SessionChanges(of: self, at: now, in: writer)
      for feature in features {
        changes.expireCooldown(of: feature)
        changes.set(.initial, of: feature, endsUses: true)
      }
      let checks = features.map { [snapshot = changes.snapshot] in snapshot.peek($0, now: now) }
      for check in checks {
        let told = events(
          for: changes.profile, check.result.feature, ["reset_reason": .string("manual")])
        changes.events += told.events([.limitReset], of: check.result, at: now)
      }
      try writer.apply(try changes.allEffects())
      return checks
    }
  }

  private func decide(
    _ feature: Feature, _ verb: LimitVerb, now: Instant, details: [String: EventValue]
  ) throws -> LimitCheck {
    try store.write { writer in
      var changes = try prepare(feature, now: now, in: writer)
      let result = LimitRule.decide(changes.snapshot.input(feature, now: now), verb: verb)
      try changes.record(result, acts: verb == .use, details: details)
      try writer.apply(try changes.allEffects())
      return changes.snapshot.check(result)
    }
  }

  /// Refunds abandoned uses and ends an expired cooldown before a decision about the feature.
  func prepare(
    _ feature: Feature, now: Instant, in source: some Readable
  ) throws -> SessionChanges {
    var changes = try SessionChanges(of: self, at: now, in: source)
    try changes.refundAbandonedUses()
    changes.expireCooldown(of: feature)
    return changes
  }

  func events(
    for profile: Profile, _ feature: Feature, _ details: [String: EventValue] = [:]
  ) -> FeatureEvents {
    let criteria = feature == .filter ? profile.filter.eventDetails : [:]
    return FeatureEvents(
      platform: app.platform, profile: profile, price: price(for: profile),
      details: criteria.merging(details) { _, given in given })
  }

  /// The parameters of `performed` about the action's effect; docs/events.md#events.
  func results(
    of feature: Feature, for profile: Profile, in source: some Readable
  ) throws -> [String: EventValue] {
    guard feature == .filter else { return [:] }
    let found = try source.usersCount(
      matching: UsersQuery(profile.filter, nearCity: profile.city))
    return ["filter_result_count": .integer(Int64(found))]
  }
}
