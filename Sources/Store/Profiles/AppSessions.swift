import GRDB
package import Model

extension Readable {
  /// The profile's last app session, ended or not; nil before its first event.
  package func appSession(profile: String) throws -> AppSession? {
    guard
      let row = try Row.fetchOne(
        reader.database,
        sql: "SELECT id, last_event_at, event_count FROM app_sessions WHERE profile = ?",
        arguments: [profile])
    else { return nil }
    let counts = try Row.fetchAll(
      reader.database,
      sql: "SELECT feature, performed FROM app_session_counts WHERE profile = ?",
      arguments: [profile])
    return AppSession(
      id: row["id"], lastEventAt: row.requiredInstant("last_event_at"),
      eventCount: row["event_count"],
      performedCounts: Dictionary(
        try counts.map { (try $0.choice("feature", of: "app_session_counts"), $0["performed"]) }
      ) { _, last in last })
  }

  /// When the feature's open popup was shown; nil when none is open.
  package func popupShownAt(profile: String, feature: Feature) throws -> Instant? {
    try Int64.fetchOne(
      reader.database,
      sql: "SELECT shown_at FROM open_popups WHERE profile = ? AND feature = ?",
      arguments: [profile, feature.rawValue]
    ).map(Instant.init(microseconds:))
  }
}

extension Writer {
  /// Stores the profile's app session, replacing the last one.
  package func save(_ session: AppSession, profile: String) throws {
    try run(
      """
      INSERT OR REPLACE INTO app_sessions (profile, id, last_event_at, event_count)
      VALUES (?, ?, ?, ?)
      """,
      [profile, session.id, session.lastEventAt.microseconds, session.eventCount])
    try run("DELETE FROM app_session_counts WHERE profile = ?", [profile])
    for (feature, count) in session.performedCounts {
      try run(
        "INSERT INTO app_session_counts (profile, feature, performed) VALUES (?, ?, ?)",
        [profile, feature.rawValue, count])
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
