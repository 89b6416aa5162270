package import Foundation

/// Databases as released programs left them, made without this program's migrations.
package enum ReleasedDatabase {
  /// The schema of 0.1.0.
  package static let schema = 23

  /// The schema of 0.1.0, as SQLite kept it.
  package static var golden: URL { folder.appending(path: "schema-0.1.0.sql") }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Golden/Store")

  private static let migrations = [
    "001-online-users", "002-settings", "003-profiles", "004-events", "005-outbox", "006-sync-runs",
    "007-marks", "008-moment-marks", "009-events-in-order", "010-run-costs", "011-sync-tables",
    "012-deletes", "013-reviews", "014-rating-visits", "015-refused-runs", "016-moment-states",
    "017-feedback-seconds", "018-feedback", "019-rating-prompts", "020-app-sessions",
    "021-conditional-settings", "022-run-logs", "023-erasures",
  ]

  /// Makes a database of 0.1.0; nothing may be at the path.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - rows: statements that fill it; by default one row.
  /// - Throws: what SQLite has to object.
  package static func make(
    at path: String, rows: String = "INSERT INTO marks VALUES ('word', 'old');"
  ) throws {
    let tables = String(decoding: try Data(contentsOf: golden), as: UTF8.self)
    let names = migrations.map { "('\($0)')" }.joined(separator: ", ")
    try SQLiteFile.execute(
      path,
      """
      \(tables)
      INSERT INTO grdb_migrations VALUES \(names);
      \(rows)
      PRAGMA application_id = 0x46544C59;
      PRAGMA user_version = \(schema);
      """)
  }

  /// Statements that put a row into each table of 0.1.0; every text is `queued`.
  package static func rowInEachTable() throws -> String {
    let empty = try StoreFile()
    try make(at: empty.path, rows: "")
    return try SQLiteFile.text(
      empty.path,
      """
      SELECT 'INSERT INTO ' || t.name || ' VALUES ('
        || group_concat(iif(c.type = 'TEXT', '''queued''', '1'), ', ') || ');'
      FROM sqlite_schema t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name <> 'grdb_migrations' AND t.name NOT LIKE 'sqlite_%'
      GROUP BY t.name ORDER BY t.rowid
      """
    ).joined(separator: "\n")
  }
}
