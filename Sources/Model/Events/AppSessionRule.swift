/// One visit of a profile, which groups its events; docs/events.md#sessions.
package struct AppSession: Hashable, Sendable {
  package var id: String
  package var startedAt: Instant
  package var lastEventAt: Instant
  /// The number of its last event.
  package var eventCount: Int64
  /// How often each feature was performed; a missing feature never.
  package var performedCounts: [Feature: Int64]

  package init(
    id: String, startedAt: Instant, lastEventAt: Instant, eventCount: Int64 = 0,
    performedCounts: [Feature: Int64] = [:]
  ) {
    self.id = id
    self.startedAt = startedAt
    self.lastEventAt = lastEventAt
    self.eventCount = eventCount
    self.performedCounts = performedCounts
  }
}

/// Which session an event belongs to; docs/events.md#sessions.
package enum AppSessionRule {
  /// A session ends after this time without an event; docs/events.md#sessions.
  package static let timeout: Duration = .seconds(1_800)

  /// Adds an event to the first session that its time lies in, or less than the timeout from.
  ///
  /// An event that no session is near to begins one of its own. `sessions` are those of one profile,
  /// the earliest first.
  ///
  /// Returns the session with the event.
  package static func add(
    _ kind: FeatureEventName?, at time: Instant, to sessions: inout [AppSession],
    newId: () -> String
  ) -> AppSession {
    var session = AppSession(id: "", startedAt: time, lastEventAt: time)
    let index = sessions.firstIndex { isNear($0, to: time) }
    if let index { session = sessions[index] } else { session.id = newId() }
    session.startedAt = min(session.startedAt, time)
    session.lastEventAt = max(session.lastEventAt, time)
    session.eventCount += 1
    if let kind, kind.kind == .performed {
      session.performedCounts[kind.feature, default: 0] += 1
    }
    if let index { sessions[index] = session } else { sessions.append(session) }
    return session
  }

  /// The sessions that an event from `start` on may still belong to.
  package static func open(_ sessions: [AppSession], from start: Instant) -> [AppSession] {
    sessions.filter { start - $0.lastEventAt < timeout }
  }

  private static func isNear(_ session: AppSession, to time: Instant) -> Bool {
    time - session.lastEventAt < timeout && session.startedAt - time < timeout
  }
}
