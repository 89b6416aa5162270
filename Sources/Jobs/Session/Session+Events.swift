import Model
import Store

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
