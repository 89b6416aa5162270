import GRDB

/// One step of the schema, never changed after its release.
protocol Migration: SendableMetatype {
  /// Stable: it is stored in the database.
  static var identifier: String { get }
  static var sql: String { get }
}

/// The schema that this program works on, as the sum of its migrations.
///
/// `user_version` counts the migrations that were applied, so that opening an up-to-date database
/// costs two pragmas.
enum Schema {
  static let migrations: [any Migration.Type] = [
    M001OnlineUsers.self, M002Settings.self, M003Profiles.self, M004Events.self,
    M005Outbox.self, M006SyncRuns.self, M007Marks.self, M008MomentMarks.self,
    M009EventsInOrder.self, M010RunCosts.self, M011SyncTables.self, M012Deletes.self,
    M013Reviews.self, M014RatingVisits.self, M015RefusedRuns.self,
  ]

  static var version: Int { migrations.count }

  /// SQLite's `application_id` of a Firetally database: "FTLY" in ASCII.
  static let applicationId = 0x4654_4C59

  /// Makes sure that the tables are those of this program, migrating them when the mode allows.
  static func check(_ connection: DatabaseQueue, path: String, mode: Store.Mode) throws {
    let found = try foundVersion(connection, path: path, mode: mode)
    if found == version { return }
    if found > version {
      throw StoreError.newerSchema(path: path, version: found, supported: version)
    }
    if mode == .readOnly {
      throw StoreError.olderSchema(path: path, version: found, supported: version)
    }
    try migrate(connection)
  }

  /// The version in one snapshot, so that another process that migrates meanwhile is seen before or
  /// after a step, never inside it.
  private static func foundVersion(
    _ connection: DatabaseQueue, path: String, mode: Store.Mode
  ) throws -> Int {
    switch mode {
    case .readOnly: return try connection.read { try foundVersion($0, path: path) }
    case .readWrite:
      return try connection.writeWithoutTransaction { database in
        var version = 0
        try database.inTransaction(.deferred) {
          version = try foundVersion(database, path: path)
          return .commit
        }
        return version
      }
    }
  }

  private static func foundVersion(_ database: Database, path: String) throws -> Int {
    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    if version == 0, try isEmpty(database) { return 0 }
    let application = try Int.fetchOne(database, sql: "PRAGMA application_id")
    guard application == applicationId else { throw StoreError.foreignDatabase(path: path) }
    return version
  }

  /// GRDB's own table comes in a transaction before the first step, so it may be there alone.
  private static func isEmpty(_ database: Database) throws -> Bool {
    try Int.fetchOne(
      database, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'") == 0
  }

  /// Applies what is missing; two processes that open a new file together both succeed.
  ///
  /// A step that another process committed in the meantime fails here, since its tables exist; that
  /// process moved `user_version` on, so the next round starts behind that step.
  private static func migrate(_ connection: DatabaseQueue) throws {
    var version = try storedVersion(connection)
    while true {
      do {
        return try migrator.migrate(connection)
      } catch let error as DatabaseError {
        let reached = try storedVersion(connection)
        guard reached > version else { throw error }
        version = reached
      }
    }
  }

  private static func storedVersion(_ connection: DatabaseQueue) throws -> Int {
    try connection.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
  }

  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for (index, migration) in migrations.enumerated() {
      migrator.registerMigration(migration.identifier, foreignKeyChecks: .immediate) { database in
        try database.execute(sql: migration.sql)
        try database.execute(
          sql: """
            PRAGMA application_id = \(applicationId);
            PRAGMA user_version = \(index + 1);
            """)
      }
    }
    return migrator
  }
}
