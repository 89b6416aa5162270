package import Model
import Rules
import Store

extension Session {
  /// What `check` would decide; stores nothing.
  package func peek(_ feature: Feature, now: Instant) throws -> LimitAnswer {
    try store.read { reader in
      let profile = try profile(in: reader)
      let question = try question(feature, of: profile, now: now, in: reader)
      return answer(LimitRule.peek(question), for: profile)
    }
  }

  /// Opens the popup of the feature, which at the limit starts the cooldown.
  ///
  /// `details` become parameters of the events, by names without the platform.
  package func check(
    _ feature: Feature, now: Instant, details: [String: EventValue] = [:]
  ) throws -> LimitAnswer {
    try decide(feature, now: now, details: details) { LimitRule.check($0) }
  }

  /// Uses a feature whose action is done in no time and cannot fail.
  package func use(
    _ feature: Feature, now: Instant, details: [String: EventValue] = [:]
  ) throws -> LimitAnswer {
    try decide(feature, now: now, details: details) { LimitRule.use($0, succeeds: true) }
  }

  /// Gives fresh allowances by hand, in one transaction, and says where they stand now.
  ///
  /// One `limit_reset` event a feature, also for an allowance that nobody had touched.
  @discardableResult
  package func reset(_ features: [Feature], now: Instant) throws -> [LimitAnswer] {
    try store.write { writer in
      let profile = try updateProfile(in: writer) { _ in }
      let ledger = events(for: profile, now: now, details: ["reset_reason": .string("manual")])
      return try features.map { feature in
        try writer.setLimitState(.initial, profile: profileName, feature: feature)
        try settlePendingUses(of: feature, in: writer)
        let decision = LimitRule.peek(
          try question(feature, of: profile, now: now, in: writer))
        try append(
          ledger.events([.limitReset], of: decision), of: profile, now: now, in: writer)
        return answer(decision, for: profile)
      }
    }
  }

  private func decide(
    _ feature: Feature, now: Instant, details: [String: EventValue],
    by rule: (LimitQuestion) -> LimitDecision
  ) throws -> LimitAnswer {
    try store.write { writer in
      let profile = try updateProfile(in: writer) { _ in }
      let question = try question(feature, of: profile, now: now, in: writer)
      let decision = rule(question)
      try record(decision, for: profile, now: now, details: details, in: writer)
      return answer(decision, for: profile)
    }
  }

  func question(
    _ feature: Feature, of profile: Profile, now: Instant, in source: some Readable
  ) throws -> LimitQuestion {
    LimitQuestion(
      feature: feature,
      state: try source.limitState(profile: profileName, feature: feature),
      profile: profile, settings: settings, now: now)
  }

  func answer(_ decision: LimitDecision, for profile: Profile) -> LimitAnswer {
    LimitAnswer(
      decision: decision,
      popup: Popup(after: decision, appName: app.name, price: price(for: profile)))
  }

  /// Stores the decision's state and appends its events.
  ///
  /// A reset also settles the uses that still run: they were counted in the allowance that is over.
  func record(
    _ decision: LimitDecision, for profile: Profile, now: Instant,
    details: [String: EventValue], in writer: Writer
  ) throws {
    try writer.setLimitState(
      decision.newState, profile: profileName, feature: decision.feature)
    if decision.justReset { try settlePendingUses(of: decision.feature, in: writer) }
    let ledger = events(for: profile, now: now, details: details)
    try append(
      ledger.events(ledger.kindsOfCommand(decision), of: decision), of: profile, now: now,
      in: writer)
  }

  func events(
    for profile: Profile, now: Instant, details: [String: EventValue]
  ) -> FeatureEvents {
    FeatureEvents(
      platform: app.platform, sessionId: id, profile: profile, price: price(for: profile),
      now: now, details: details, tally: tally)
  }

  private func settlePendingUses(of feature: Feature, in writer: Writer) throws {
    for use in try writer.pendingUses()
    where use.profile == profileName && use.feature == feature {
      try writer.finishPendingUse(id: use.id)
    }
  }
}
