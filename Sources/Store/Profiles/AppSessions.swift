import GRDB
package import Model

extension Readable {
  /// The profile's app sessions that an event may still belong to, the earliest first.
  package func appSessions(profile: String) throws -> [AppSession] {
    var counts: [String: [Feature: Int64]] = [:]
    for row in try Row.fetchAll(
      reader.database,
      sql: "SELECT session_id, feature, performed FROM app_session_counts WHERE profile = ?",
      arguments: [profile])
    {
      let feature: Feature = try row.choice("feature", of: "app_session_counts")
      counts[row["session_id"], default: [:]][feature] = row["performed"]
    }
    return try Row.fetchAll(
      reader.database,
      sql: "SELECT * FROM app_sessions WHERE profile = ? ORDER BY started_at, id",
      arguments: [profile]
    ).map { row in
      AppSession(
        id: row["id"], startedAt: row.requiredInstant("started_at"),
        lastEventAt: row.requiredInstant("last_event_at"), eventCount: row["event_count"],
        performedCounts: counts[row["id"]] ?? [:])
    }
  }

  /// When the profile's open popups were shown.
  package func popupsShownAt(profile: String) throws -> [Feature: Instant] {
    let rows = try Row.fetchAll(
      reader.database, sql: "SELECT feature, shown_at FROM open_popups WHERE profile = ?",
      arguments: [profile])
    let pairs: [(Feature, Instant)] = try rows.map {
      (try $0.choice("feature", of: "open_popups"), $0.requiredInstant("shown_at"))
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }
}

extension Writer {
  /// Stores the profile's app sessions, replacing all that it had.
  package func save(_ sessions: [AppSession], profile: String) throws {
    try run("DELETE FROM app_sessions WHERE profile = ?", [profile])
    try run("DELETE FROM app_session_counts WHERE profile = ?", [profile])
    for session in sessions {
      try run(
        """
        INSERT INTO app_sessions (profile, id, started_at, last_event_at, event_count)
        VALUES (?, ?, ?, ?, ?)
        """,
        [
          profile, session.id, session.startedAt.microseconds, session.lastEventAt.microseconds,
          session.eventCount,
        ])
      for (feature, count) in session.performedCounts {
        try run(
          """
          INSERT INTO app_session_counts (profile, session_id, feature, performed)
          VALUES (?, ?, ?, ?)
          """,
          [profile, session.id, feature.rawValue, count])
      }
    }
  }

  /// Stores when the feature's open popup was shown; nil closes it.
  package func setPopupShownAt(_ time: Instant?, profile: String, feature: Feature) throws {
    guard let time else {
      try run(
        "DELETE FROM open_popups WHERE profile = ? AND feature = ?", [profile, feature.rawValue])
      return
    }
    try run(
      "INSERT OR REPLACE INTO open_popups (profile, feature, shown_at) VALUES (?, ?, ?)",
      [profile, feature.rawValue, time.microseconds])
  }
}
