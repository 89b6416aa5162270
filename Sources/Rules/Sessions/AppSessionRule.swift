package import Model

/// Which session an event belongs to; docs/events.md#sessions.
package enum AppSessionRule {
  /// A session ends after this time without an event; docs/events.md#sessions.
  package static let timeout: Duration = .seconds(1_800)

  /// The session of an event at `time`, which a command at `now` writes.
  ///
  /// An event before `now`, such as the end of a cooldown, never ends the current session.
  package static func session(
    _ current: AppSession?, with kind: FeatureEventName?, at time: Instant, now: Instant,
    newId: () -> String
  ) -> AppSession {
    var session =
      current.flatMap { isOver($0, at: time, now: now) ? nil : $0 }
      ?? AppSession(id: newId(), lastEventAt: time)
    session.lastEventAt = time < now ? max(session.lastEventAt, time) : time
    session.eventCount += 1
    if let kind, kind.kind == .performed {
      session.performedCounts[kind.feature, default: 0] += 1
    }
    return session
  }

  private static func isOver(_ session: AppSession, at time: Instant, now: Instant) -> Bool {
    let pause = time - session.lastEventAt
    // A clock that went back that far starts a new session, too.
    return pause >= timeout || (time >= now && pause <= .zero - timeout)
  }
}
