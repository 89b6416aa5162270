import Model

/// Views that add a readable form to each time: `at_iso` beside `at`; see `docs/export.md#views`.
///
/// Each has all columns of its table, also those that later migrations add. A job's table that has
/// one of these names keeps it, and there is no such view.
enum M026Views: Migration {
  static let identifier = "026-views"

  static let sql = """
    \(view("v_users", of: "OnlineUsers", ["update_time", "synced_at"], ["user_last_time_seen"]))
    \(view("v_events", of: "events", ["at"]))
    \(view("v_runs", of: "sync_runs", ["started_at", "ended_at", "read_time"]))
    \(view("v_ratings", of: "ratings", ["at"]))
    \(view("v_outbox", of: "outbox", outboxTimes))
    \(view("v_settings", of: "settings", ["fetched_at"]))
    \(view("v_reviews", of: "app_store_reviews", ["updated_at", "found_at", "synced_at"]))
    \(view("v_feedback", of: "app_rating_feedback", ["update_time", "synced_at"], ["timestamp"]))
    """

  private static let outboxTimes = [
    "created_at", "sending_since", "next_attempt_at", "delivered_at",
  ]

  private static func view(
    _ name: String, of table: String, _ micros: [String], _ seconds: [String] = []
  ) -> String {
    "CREATE VIEW IF NOT EXISTS \(name) AS \(TimeView.selection(of: table, micros, seconds));"
  }
}

/// The SELECT of a view that adds times in ISO 8601 to a table's columns.
enum TimeView {
  /// - Parameters:
  ///   - table: an SQL identifier, quoted where it needs to be.
  ///   - micros: columns in microseconds since 1970; 0 means none.
  ///   - seconds: columns in seconds since 1970.
  /// - Returns: the statement, without a semicolon.
  static func selection(of table: String, _ micros: [String], _ seconds: [String] = []) -> String {
    let times = micros.map(fromMicroseconds) + seconds.map(fromSeconds)
    return "SELECT *\(times.map { ",\n    \($0)" }.joined())\nFROM \(table)"
  }

  /// `2026-01-31T08:00:00.000000Z`, always of this length, so that texts sort as times do.
  private static func fromMicroseconds(_ column: String) -> String {
    let name = column.quoted
    // The remainder of a time before 1970 is negative in SQL.
    let rest = "((\(name) % 1000000 + 1000000) % 1000000)"
    return "strftime('%Y-%m-%dT%H:%M:%S', (nullif(\(name), 0) - \(rest)) / 1000000, 'unixepoch')"
      + " || printf('.%06dZ', \(rest)) AS \("\(column)_iso".quoted)"
  }

  private static func fromSeconds(_ column: String) -> String {
    "strftime('%Y-%m-%dT%H:%M:%SZ', nullif(\(column.quoted), 0), 'unixepoch')"
      + " AS \("\(column)_iso".quoted)"
  }
}
