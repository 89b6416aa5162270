import Model
import Store

/// How a popup was closed; docs/events.md#events.
package enum DismissReason: String, CaseIterable, Sendable {
  /// Without a button.
  case dismissed
  /// By its action button.
  case action
  /// By its subscription button.
  case subscribe
  /// By the end of its countdown.
  case expired
}

/// Makes the events about one feature of a profile; docs/events.md#events.
///
/// `Session.append` adds the parameters of the app session.
struct FeatureEvents {
  let platform: String
  let profile: Profile
  let price: String?
  /// Additional parameters of every event, by names without the platform.
  let details: [String: EventValue]

  /// One event for each kind, in order; `results` are additional parameters of `performed`.
  func events(
    _ kinds: [EventKind], of result: LimitResult, at time: Instant,
    results: [String: EventValue] = [:]
  ) -> [Event] {
    kinds.map { kind in
      event(kind, result, at: time, kind == .performed ? results : [:])
    }
  }

  /// The event of closing a popup that was shown at `shownAt`, nil if unknown.
  func dismissal(
    _ reason: DismissReason, of result: LimitResult, shownAt: Instant?, at time: Instant,
    _ more: [String: EventValue] = [:]
  ) -> Event {
    var values = more
    values["dismiss_reason"] = .string(reason.rawValue)
    values["popup_seconds"] = shownAt.map { .integer(max(0, (time - $0).components.seconds)) }
    return event(.popupDismissed, result, at: time, values)
  }

  /// The events of a command: the tap, those of the limit, and the price if the popup shows one.
  func kindsOfCommand(_ result: LimitResult) -> [EventKind] {
    var kinds: [EventKind] = [.buttonTapped]
    for kind in result.events {
      kinds.append(kind)
      if kind == .popupShown, price != nil { kinds.append(.pricingDisplayed) }
    }
    return kinds
  }

  /// One event; `more` are parameters that win over what the result says.
  func event(
    _ kind: EventKind, _ result: LimitResult, at time: Instant, _ more: [String: EventValue]
  ) -> Event {
    var values = details
    for own in [user(result, at: time), allowance(result, at: kind), more] {
      values.merge(own) { _, own in own }
    }
    values["conversion_funnel_step"] = .string(kind.funnelStep)
    if values["popup_trigger_reason"] == nil {
      values["popup_trigger_reason"] = triggerReason(of: kind, result).map(EventValue.string)
    }
    if [.popupShown, .pricingDisplayed, .subscriptionButtonTapped].contains(kind) {
      values["subscription_price_displayed"] = price.map(EventValue.string)
    }
    return profile.event(
      FeatureEventName(platform: platform, feature: result.feature, kind: kind).text, at: time,
      Dictionary(uniqueKeysWithValues: values.map { ("\(platform)_\($0.key)", $0.value) }))
  }

  private func user(_ result: LimitResult, at time: Instant) -> [String: EventValue] {
    var values: [String: EventValue] = [
      "platform": .string(platform),
      "timestamp": .integer(time.unixSeconds),
      "user_id": .string(profile.userId ?? ""),
      "user_type": .string(result.userType.rawValue),
      "subscription_status": .string(result.tier.rawValue),
      "is_anonymous": .integer(profile.userId == nil ? 1 : 0),
    ]
    values["app_version"] = profile.appVersion.map(EventValue.string)
    values["first_account_created_at"] = profile.accountCreatedAt.map(EventValue.init)
    return values
  }

  /// The allowance at the time of the event, not at the end of the command.
  private func allowance(
    _ result: LimitResult, at kind: EventKind
  ) -> [String: EventValue] {
    let usage =
      switch kind {
      case .performed: result.currentUsage
      case .limitReset, .cooldownCompleted: 0
      default: result.usageBefore
      }
    // A tap at the limit opens the popup that starts the cooldown: none ran at the tap.
    let startsWait = kind == .buttonTapped && result.events.contains(.blockedLimitReached)
    let remaining = startsWait ? .zero : result.remainingCooldown
    var values: [String: EventValue] = [
      "current_usage": .integer(Int64(usage)),
      "remaining_cooldown_seconds": .integer(remaining.wholeSecondsRoundedUp),
    ]
    values["usage_limit"] = result.limit.map { .integer(Int64($0.limit)) }
    return values
  }

  private func triggerReason(of kind: EventKind, _ result: LimitResult) -> String? {
    switch kind {
    case .popupShown, .popupDismissed, .pricingDisplayed, .subscriptionButtonTapped,
      .blockedLimitReached, .blockedCooldown:
      if result.canProceed { return "available" }
      let starts = result.events.contains(.blockedLimitReached)
      return starts || result.remainingCooldown == .zero ? "limit_reached" : "cooldown_active"
    default: return nil
    }
  }
}

extension EventValue {
  /// Unix seconds: an integer, or a double when the instant is no whole second.
  fileprivate init(_ instant: Instant) {
    let isWhole = instant == Instant(unixSeconds: instant.unixSeconds)
    self = isWhole ? .integer(instant.unixSeconds) : .double(instant.fractionalUnixSeconds)
  }
}

extension Session {
  /// Stores events as parts of the profile's app session; see `effects(of:by:at:states:in:)`.
  func append(
    _ events: [Event], of profile: Profile, now: Instant, in writer: Writer
  ) throws {
    try writer.apply(try effects(of: events, by: profile, at: now, in: writer))
  }

  /// What stores events as parts of the profile's app session, and queues them for Google Analytics
  /// if the workspace delivers events; see `docs/jobs.md#analytics`.
  ///
  /// Each event gets its session, its number in the session and the session's count of its feature.
  ///
  /// - Parameters:
  ///   - events: in their order; none is later than `now`.
  ///   - profile: who acts.
  ///   - now: the command's time.
  ///   - states: the limits after the command; nil for the stored ones.
  ///   - source: the command's transaction.
  /// - Returns: the effects; none without events.
  /// - Throws: `StoreError`.
  func effects(
    of events: [Event], by profile: Profile, at now: Instant,
    states: [Feature: LimitState]? = nil, in source: some Readable
  ) throws -> [Effect] {
    guard !events.isEmpty else { return [] }
    // docs/running.md#times-in-the-future
    var sessions = try source.appSessions(profile: profileName)
      .filter { $0.lastEventAt.counts(at: now) }
    let events = events.map { inSession($0, &sessions) }
    // The end of a running cooldown, told late, belongs to a session from its beginning on. One
    // whose feature is not limited any more has no end.
    let cooldowns = try (states ?? source.limitStates(profile: profileName))
      .filter { settings.limit(of: $0.key) != nil }
    let start = cooldowns.values.compactMap(\.cooldownStartedAt).reduce(now, min)
    let open = AppSessionRule.open(sessions, from: start)
    return [
      .appSessions(open, profile: profileName), .events(events, source: Event.ownSource),
    ] + (deliversEvents ? try delivery(of: events, by: profile, at: now) : [])
  }

  private func inSession(_ event: Event, _ sessions: inout [AppSession]) -> Event {
    let name = FeatureEventName(event.name)
    let current = AppSessionRule.add(name, at: event.at, to: &sessions, newId: newSessionId)
    var event = event
    event.parameters["\(app.platform)_session_id"] = .string(current.id)
    event.parameters["\(app.platform)_session_event_number"] = .integer(current.eventCount)
    if let feature = name?.feature {
      event.parameters["\(app.platform)_session_\(feature.rawValue)_count"] = .integer(
        current.performedCounts[feature] ?? 0)
    }
    return event
  }

  /// One outbox item for all events of an instant.
  private func delivery(
    of events: [Event], by profile: Profile, at now: Instant
  ) throws -> [Effect] {
    try Dictionary(grouping: events, by: \.at).sorted { $0.key < $1.key }.compactMap {
      time, events in
      try MeasurementBody(events, userId: profile.userId, at: time).map {
        .outboxItem(.event, profile: profileName, payload: try StoredJSON.text(of: $0), at: now)
      }
    }
  }
}

/// Events in the form of Google Analytics, without the ids that the delivery adds.
///
/// See `docs/jobs.md#analytics`, and "Measurement Protocol reference" at developers.google.com.
struct MeasurementBody: Encodable {
  private let userId: String?
  private let timestampMicros: Int64
  private let events: [AnalyticsEvent]

  /// Nil when Google Analytics would accept none of the events.
  ///
  /// - Precondition: all events have the time `now`.
  init?(_ events: [Event], userId: String?, at now: Instant) {
    self.events = events.compactMap(AnalyticsEvent.init)
    guard !self.events.isEmpty else { return nil }
    self.userId = userId
    timestampMicros = now.microseconds
  }

  private enum CodingKeys: String, CodingKey {
    case userId = "user_id"
    case timestampMicros = "timestamp_micros"
    case events
  }

  private struct AnalyticsEvent: Encodable {
    /// The most characters of an event's or a parameter's name; Google drops longer ones.
    static let longestName = 40
    /// The most characters of a parameter's text; the rest is cut.
    static let longestText = 100
    static let mostParameters = 25

    let name: String
    let params: [String: AnalyticsValue]

    init?(_ event: Event) {
      guard event.name.count <= Self.longestName else { return nil }
      name = event.name
      let sendable = event.parameters.filter { $0.key.count <= Self.longestName }
        .sorted { $0.key < $1.key }.prefix(Self.mostParameters)
      params = Dictionary(
        uniqueKeysWithValues: sendable.map { ($0.key, AnalyticsValue(value: $0.value)) })
    }
  }

  private struct AnalyticsValue: Encodable {
    let value: EventValue

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch value {
      case .string(let text): try container.encode(String(text.prefix(AnalyticsEvent.longestText)))
      case .integer(let number): try container.encode(number)
      case .double(let number): try container.encode(number)
      }
    }
  }
}
