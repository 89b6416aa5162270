import Model

/// The relations as SQLite has them: `relations.sql`; docs/relations.md describes their columns.
package enum RelationTables {
  package static let names = made(by: sqlOfRelations).map(\.name)

  /// Whether a query names one of them.
  package static func areNamed(in sql: String) -> Bool {
    let text = QueryText(sql.lowercased())
    return names.contains { text.offset(ofName: $0) != nil }
  }

  /// The program's own views that queries of a report read, too: temporary ones, since a job's
  /// table may have the name in the database.
  static let views = [
    "v_audit_reads", "v_events", "v_feedback", "v_outbox", "v_purchases", "v_ratings", "v_reviews",
    "v_runs", "v_settings", "v_tier_changes", "v_users",
  ]

  /// Makes the relations and these views, empty.
  static let creation =
    sqlOfRelations
    + TimeViews.all.filter { views.contains($0.name) }
    .map { "CREATE TEMP VIEW \($0.name) AS \($0.selection);\n" }.joined()

  static let removal =
    (made(by: creation).map { "DROP \($0.kind) IF EXISTS temp.\($0.name);" }
    + computedOnce.map { "DROP TABLE IF EXISTS temp.\(rows(of: $0));" }).joined(separator: "\n")

  /// `TABLE` and `day` of `CREATE TEMP TABLE day (`.
  private static func made(by sql: String) -> [(kind: Substring, name: String)] {
    sql.split(separator: "\n").filter { $0.hasPrefix("CREATE TEMP ") }.map { line in
      let words = line.split(separator: " ")
      return (words[2], String(words[3]))
    }
  }

  /// By what queries look rows up.
  static let keys = [
    "day": "day", "person": "person", "person_day": "person, day",
    "attempt": "person, at, is_use", "block": "person, at, feature", "single_event": "id",
    "payment": "at, until", "popup": "feature, ending, seconds",
    "subscription_tap": "person, at",
  ]

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

  private static let countries = StoreCountries.all.map { country, code -> String in
    let values = [country, code, StoreCountries.name(of: code)]
    return "(\(values.map { "'\($0.replacingScalars("'", with: "''"))'" }.joined(separator: ", ")))"
  }.joined(separator: ", ")
}
