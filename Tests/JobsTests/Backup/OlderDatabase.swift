import StoreTesting

@testable import Store

/// A database as the program before the last migration left it.
enum OlderDatabase {
  static var schema: Int { Schema.version - 1 }

  /// Makes one that holds a row; nothing may be at the path.
  static func make(at path: String) throws {
    let migrations = Schema.migrations.dropLast()
    let steps = migrations.map {
      "\($0.sql)\nINSERT INTO grdb_migrations VALUES ('\($0.identifier)');"
    }
    try SQLiteFile.execute(
      path,
      """
      CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
      \(steps.joined(separator: "\n"))
      INSERT INTO marks VALUES ('word', 'old');
      PRAGMA application_id = \(Schema.applicationId);
      PRAGMA user_version = \(migrations.count);
      """)
  }
}
