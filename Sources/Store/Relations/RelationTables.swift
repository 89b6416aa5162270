import Model

/// The relations as SQLite has them: `relations.sql`; docs/relations.md tells their columns.
package enum RelationTables {
  /// A table or a view, as `CREATE TEMP TABLE day` makes it.
  private struct Made {
    let kind: Substring
    let name: String
  }

  package static let names = made(by: sqlOfRelations).map(\.name)

  /// Whether a query names one of them.
  package static func areNamed(in sql: String) -> Bool {
    let text = QueryText(sql.lowercased())
    return names.contains { text.offset(ofName: $0) != nil }
  }

  /// The program's own views that queries of a report read, too: temporary ones, since a job's table
  /// may have the name in the database.
  static let views = [
    "v_events", "v_feedback", "v_outbox", "v_ratings", "v_reviews", "v_runs", "v_settings",
    "v_tier_changes", "v_users",
  ]

  /// Makes the relations and these views, empty.
  static let creation =
    sqlOfRelations
    + TimeViews.all.filter { views.contains($0.name) }
    .map { "CREATE TEMP VIEW \($0.name) AS \($0.selection);\n" }.joined()

  static let removal = made(by: creation)
    .map { "DROP \($0.kind) IF EXISTS temp.\($0.name);" }.joined(separator: "\n")

  private static func made(by sql: String) -> [Made] {
    sql.split(separator: "\n").filter { $0.hasPrefix("CREATE TEMP ") }.map { line in
      let words = line.split(separator: " ")
      return Made(kind: words[2], name: String(words[3]))
    }
  }

  /// By what queries look rows up.
  static let keys = [
    "day": "day", "person": "person", "person_day": "person, day", "attempt": attemptKey,
    "block": blockKey, "single_event": "id",
  ]
  private static let attemptKey = "person, at, is_use"
  private static let blockKey = "person, at, feature"

  /// Made once the rows are there: sorting them then takes less than keeping them sorted.
  static let indexes = """
    CREATE INDEX temp.attempt_key ON attempt (\(attemptKey));
    CREATE INDEX temp.block_key ON block (\(blockKey));
    """

  /// The last ones hold what the program reads elsewhere, too.
  private static let sqlOfRelations =
    String(decoding: PackageResources.relations_sql, as: UTF8.self) + """
      CREATE TEMP VIEW app_user AS
      SELECT user_id, ifnull(user_gender, '') AS gender, ifnull(user_country, '') AS country,
          ifnull(user_language, '') AS language, \(UserConditions.age) AS age,
          ifnull((
              SELECT is_sample FROM main.online_counts, temp.period WHERE at <= now
              ORDER BY at DESC LIMIT 1), 0) AS is_sample,
          -- A text in the place of a time lies above all numbers.
          iif(user_last_time_seen < '', max(0, now / 1000000 - user_last_time_seen), NULL)
              AS seconds_ago
      FROM main.OnlineUsers, temp.period;
      CREATE TEMP VIEW feedback_text AS
      SELECT key, origin, at, stars,
          coalesce(nullif(user_id, ''), '\(Profile.unnamedPrefix)' || profile, '') AS user_id,
          country, app_version, feedback AS text, state
      FROM (\(Reader.selectFeedback));
      CREATE TEMP VIEW store_country (country, code, name) AS
      VALUES \(countries);

      """

  private static let countries = StoreCountries.all.map { country, code in
    let values = [country, code, StoreCountries.name(of: code)]
    return "(\(values.map { "'\($0.replacing("'", with: "''"))'" }.joined(separator: ", ")))"
  }.joined(separator: ", ")
}

/// The views that add times in ISO 8601, and single values of JSON, to a table's columns; see
/// `docs/export.md#views`.
enum TimeViews {
  /// The program's own, and what each selects.
  static let all = ofRelease020 + [changesOfTiers]

  /// Those that 0.2.0 brought.
  static let ofRelease020 = [
    view("v_users", of: "OnlineUsers", ["update_time", "synced_at"], ["user_last_time_seen"]),
    view("v_auth_users", of: "auth_users", accountTimes),
    view("v_events", of: "events", ["at"]),
    view("v_runs", of: "sync_runs", ["started_at", "ended_at", "read_time"]),
    view("v_ratings", of: "ratings", ["at"]),
    view("v_outbox", of: "outbox", outboxTimes),
    view("v_settings", of: "settings", ["fetched_at"]),
    view("v_reviews", of: "app_store_reviews", ["updated_at", "found_at", "synced_at"]),
    view("v_feedback", of: "app_rating_feedback", ["update_time", "synced_at"], ["timestamp"]),
  ]

  static let changesOfTiers = view("v_tier_changes", of: "tier_changes", ["seen_at"])

  private static let accountTimes = [
    "created_at", "last_sign_in_at", "last_refresh_at", "synced_at",
  ]

  private static let outboxTimes = [
    "created_at", "sending_since", "next_attempt_at", "delivered_at",
  ]

  private static func view(
    _ name: String, of table: String, _ micros: [String], _ seconds: [String] = []
  ) -> (name: String, selection: String) {
    (name, selection(of: table, micros, seconds))
  }

  static func creation(of views: [(name: String, selection: String)]) -> String {
    views.map { "CREATE VIEW IF NOT EXISTS \($0.name) AS \($0.selection);" }
      .joined(separator: "\n")
  }

  static let valueSuffix = "_value"

  /// The SELECT of the view of a table.
  ///
  /// - Parameters:
  ///   - table: an SQL identifier, quoted where it needs to be.
  ///   - micros: columns in microseconds since 1970; 0 means none.
  ///   - seconds: columns in seconds since 1970.
  ///   - json: columns of JSON with Firestore's type names.
  /// - Returns: the statement, without a semicolon.
  static func selection(
    of table: String, _ micros: [String], _ seconds: [String] = [], json: [String] = []
  ) -> String {
    let times = micros.map(fromMicroseconds) + seconds.map(fromSeconds) + json.map(singleValue)
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

  /// The value of any kind but arrays and maps, which SQL cannot decode at every depth.
  private static func singleValue(_ column: String) -> String {
    let name = column.quoted
    let values = ["string", "double", "boolean", "timestamp", "reference", "bytes"].map {
      "\(name) ->> '$.\($0)Value'"
    }
    return "CASE WHEN json_valid(\(name)) THEN coalesce("
      + "CAST(\(name) ->> '$.integerValue' AS INTEGER), \(values.joined(separator: ", "))) END"
      + " AS \((column + valueSuffix).quoted)"
  }

  private static func fromSeconds(_ column: String) -> String {
    "strftime('%Y-%m-%dT%H:%M:%SZ', nullif(\(column.quoted), 0), 'unixepoch')"
      + " AS \("\(column)_iso".quoted)"
  }
}
