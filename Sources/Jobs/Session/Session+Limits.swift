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
      let profile = try updateProfile(in: writer) { _ in }
      for feature in features {
        try settle(feature, of: profile, now: now, in: writer)
        try writer.setLimitState(.initial, profile: profileName, feature: feature)
        try settlePendingUses(of: feature, in: writer)
      }
      let snapshot = try limitSnapshot(of: profile, in: writer)
      let checks = features.map { snapshot.peek($0, now: now) }
      for check in checks {
        let featureEvents = events(
          for: profile, check.result.feature, ["reset_reason": .string("manual")])
        try append(
          featureEvents.events([.limitReset], of: check.result, at: now), of: profile, now: now,
          in: writer)
      }
      return checks
    }
  }

  private func decide(
    _ feature: Feature, _ verb: LimitVerb, now: Instant, details: [String: EventValue]
  ) throws -> LimitCheck {
    try store.write { writer in
      let (profile, snapshot) = try prepare(feature, now: now, in: writer)
      let result = LimitRule.decide(snapshot.input(feature, now: now), verb: verb)
      try record(
        result, for: profile, now: now, acts: verb == .use, details: details, in: writer)
      return snapshot.check(result)
    }
  }

  /// Refunds abandoned uses and ends an expired cooldown before a decision about the feature.
  func prepare(
    _ feature: Feature, now: Instant, in writer: Writer
  ) throws -> (profile: Profile, snapshot: LimitSnapshot) {
    try Self.refundAbandonedUses(in: writer, isAlive: isOwnerAlive)
    let profile = try updateProfile(in: writer) { _ in }
    try settle(feature, of: profile, now: now, in: writer)
    return (profile, try limitSnapshot(of: profile, in: writer))
  }

  func limitSnapshot(of profile: Profile, in source: some Readable) throws -> LimitSnapshot {
    LimitSnapshot(
      profile: profile, states: try source.limitStates(profile: profileName), settings: settings,
      appName: app.name, price: price)
  }

  /// Stores the result's state and events.
  ///
  /// A reset also settles pending uses: the old allowance counted them. `acts` says that an allowed
  /// action follows at once, so that no popup stays open.
  func record(
    _ result: LimitResult, for profile: Profile, now: Instant, acts: Bool,
    details: [String: EventValue], in writer: Writer
  ) throws {
    try writer.setLimitState(
      result.newState, profile: profileName, feature: result.feature)
    if result.justReset { try settlePendingUses(of: result.feature, in: writer) }
    let featureEvents = events(for: profile, result.feature, details)
    let acts = acts && result.canProceed
    let closed = acts ? try tapAction(result, featureEvents, now: now, in: writer) : []
    let isPerformed = result.events.contains(.performed)
    let results = try isPerformed ? results(of: result.feature, for: profile, in: writer) : [:]
    try append(
      closed
        + featureEvents.events(
          featureEvents.kindsOfCommand(result), of: result, at: now, results: results),
      of: profile, now: now, in: writer)
    try writer.setPopupShownAt(
      result.showPopup && !acts ? now : nil, profile: profileName, feature: result.feature)
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

  func settlePendingUses(of feature: Feature, in writer: Writer) throws {
    for use in try writer.pendingUses()
    where use.profile == profileName && use.feature == feature {
      try writer.finishPendingUse(id: use.id)
    }
  }
}
