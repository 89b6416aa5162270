package import Model
import Rules
import Store

extension Session {
  /// Where the profile stands now; stores nothing.
  package func standing() throws -> Standing {
    try store.read { try standing(of: try profile(in: $0), in: $0) }
  }

  /// What `check` would decide; stores nothing.
  package func peek(_ feature: Feature, now: Instant) throws -> LimitAnswer {
    try standing().peek(feature, now: now)
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
      for feature in features {
        try writer.setLimitState(.initial, profile: profileName, feature: feature)
        try settlePendingUses(of: feature, in: writer)
      }
      let standing = try standing(of: profile, in: writer)
      let answers = features.map { standing.peek($0, now: now) }
      for answer in answers {
        try append(
          ledger.events([.limitReset], of: answer.decision), of: profile, now: now, in: writer)
      }
      return answers
    }
  }

  /// Records a tap on the feature's open popup, which changes nothing.
  ///
  /// Without a popup, as for a subscriber, nothing is recorded: the answer has none.
  package func tap(
    _ kind: EventKind, on feature: Feature, now: Instant
  ) throws -> LimitAnswer {
    try store.write { writer in
      let profile = try profile(in: writer)
      let answer = try standing(of: profile, in: writer).openPopup(feature, now: now)
      guard answer.popup != nil else { return answer }
      let ledger = events(for: profile, now: now, details: [:])
      try append(ledger.events([kind], of: answer.decision), of: profile, now: now, in: writer)
      return answer
    }
  }

  private func decide(
    _ feature: Feature, now: Instant, details: [String: EventValue],
    by rule: (LimitQuestion) -> LimitDecision
  ) throws -> LimitAnswer {
    try store.write { writer in
      let profile = try updateProfile(in: writer) { _ in }
      let standing = try standing(of: profile, in: writer)
      let decision = rule(standing.question(feature, now: now))
      try record(decision, for: profile, now: now, details: details, in: writer)
      return standing.answer(decision)
    }
  }

  func standing(of profile: Profile, in source: some Readable) throws -> Standing {
    Standing(
      profile: profile, states: try source.limitStates(profile: profileName), settings: settings,
      appName: app.name, price: price)
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
