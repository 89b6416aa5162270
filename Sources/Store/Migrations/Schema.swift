import GRDB
import Model

/// A step of the schema, never changed after its release.
protocol Migration: SendableMetatype {
  /// Stable: it is stored in the database.
  static var identifier: String { get }
  /// The schema that it leads to, SQLite's `user_version`.
  static var version: Int { get }
  static var sql: String { get }
}

/// The schema that this program works on, as the sum of its migrations: one a release.
///
/// `user_version` says which it is, so that opening an up-to-date database costs two pragmas.
enum Schema {
  static let migrations: [any Migration.Type] =
    [Release010.self, Release020.self]
    + (SinceRelease020.version > Release020.version ? [SinceRelease020.self] : [])

  static var version: Int { SinceRelease020.version }

  /// Whether a database of this schema is brought up to date: that of a release, or one without
  /// tables.
  static func leads(from version: Int) -> Bool {
    version == 0 || migrations.contains { $0.version == version }
  }

  /// SQLite's `application_id` of a Firetally database: "FTLY" in ASCII.
  static let applicationId = 0x4654_4C59

  /// Makes sure that the tables are those of this program, migrating them when the mode allows.
  ///
  /// Calls `willMigrate` before a database that holds rows is changed.
  static func check(
    _ connection: DatabaseQueue, path: String, mode: Store.Mode,
    willMigrate: (PendingMigration) throws -> Void = { _ in }
  ) throws {
    let found = try foundVersion(connection, path: path, mode: mode)
    if found == version { return }
    if found > version {
      throw StoreError.newerSchema(
        path: path, version: found, supported: version, writer: try connection.read(writer))
    }
    guard leads(from: found) else {
      throw StoreError.unreleasedSchema(path: path, version: found)
    }
    if mode == .readOnly {
      throw StoreError.olderSchema(path: path, version: found, supported: version)
    }
    if try connection.read(holdsRows) {
      try willMigrate(PendingMigration(schema: found, target: version, connection: connection))
    }
    try migrate(connection)
    try connection.write { try Writer(database: $0).setSchemaWriter() }
  }

  /// Whether any table but the list of migrations has a row.
  private static func holdsRows(_ database: Database) throws -> Bool {
    try DatabaseInspection.tables(of: database).contains { table in
      try table != "grdb_migrations"
        && Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM \(table.quoted))") == true
    }
  }

  /// The version of the program that brought the database to its schema; nil when it is unknown.
  private static func writer(_ database: Database) throws -> String? {
    guard try DatabaseInspection.tables(of: database).contains("marks") else { return nil }
    return try Reader(database: database).schemaWriter()
  }

  /// Whether a file has all tables of this program.
  static func isCurrent(_ connection: DatabaseQueue) throws -> Bool {
    try connection.read { try Int.fetchOne($0, sql: "PRAGMA user_version") == version }
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

  /// The schema of a database of Firetally; 0 for one without tables.
  static func foundVersion(_ database: Database, path: String) throws -> Int {
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
    for migration in migrations {
      migrator.registerMigration(migration.identifier, foreignKeyChecks: .immediate) { database in
        try database.execute(sql: migration.sql)
        try database.execute(
          sql: """
            PRAGMA application_id = \(applicationId);
            PRAGMA user_version = \(migration.version);
            """)
      }
    }
    return migrator
  }
}

/// What comes after 0.2.0, in one step.
///
/// Until its release it may grow, each time by one `version`: databases that were made in between
/// are of no release, and are refused.
enum SinceRelease020: Migration {
  static let identifier = "since-0.2.0"

  /// A new column of users raises it, too: to its `since`.
  static let version = 34

  static let sql = """
    -- States that keep jobs from doing well: docs/incidents.md. causes, jobs and waiting are JSON
    -- lists; times are in microseconds; told is the last message that arrived, tried one that did
    -- not; claimed_at is when a process last took on to tell it.
    CREATE TABLE incidents (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        causes TEXT NOT NULL,
        sentence TEXT NOT NULL,
        jobs TEXT NOT NULL,
        waiting TEXT NOT NULL,
        began_at INTEGER NOT NULL,
        seen_at INTEGER NOT NULL,
        ended_at INTEGER,
        runs INTEGER NOT NULL,
        returns INTEGER NOT NULL,
        is_changed INTEGER NOT NULL,
        told TEXT,
        told_at INTEGER,
        tried TEXT,
        claimed_at INTEGER
    ) STRICT;
    DELETE FROM marks WHERE name GLOB 'outage:*' OR name GLOB 'outage-hooks:*';

    -- Changes that somebody proposed: docs/proposals.md. Times are in microseconds.
    CREATE TABLE setting_proposals (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL,
        old_value TEXT,
        value INTEGER NOT NULL,
        reason TEXT NOT NULL,
        expected_points REAL NOT NULL,
        proposed_at INTEGER NOT NULL
    );
    -- Tiers of accounts as sync-auth saw them change: docs/jobs/sync-auth.md#history. from_tier is
    -- NULL at the first reading, to_tier where the account is gone.
    CREATE TABLE tier_changes (
        id INTEGER PRIMARY KEY,
        uid TEXT NOT NULL,
        from_tier TEXT,
        to_tier TEXT,
        seen_at INTEGER NOT NULL
    );
    -- 1 while the claim of the tier cannot be read; tier is NULL then.
    ALTER TABLE auth_users ADD COLUMN names_other_tier INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX tier_changes_uid ON tier_changes(uid);
    INSERT INTO tier_changes (uid, to_tier, seen_at)
        SELECT uid, tier, synced_at FROM auth_users WHERE tier IN ('lite', 'plus', 'pro');
    -- The few events of moments, the paywall and tiers: docs/moments.md#events.
    CREATE INDEX events_paywall ON events(at)
        WHERE feature IS NULL AND (name GLOB 'moment_*' OR name IN ('paywall_shown', 'tier_changed'));
    \(TimeViews.creation(of: [TimeViews.changesOfTiers]))
    \(OnlineUsersTable.additions(Release020.version + 1...version))
    """
}
