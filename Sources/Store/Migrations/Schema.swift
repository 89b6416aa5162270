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
    try connection.write {
      try Writer(database: $0).setMetadata(ProgramVersion.current, named: writerName)
    }
  }

  /// Whether any table but the list of migrations has a row.
  private static func holdsRows(_ database: Database) throws -> Bool {
    try DatabaseInspection.tables(of: database).contains { table in
      try table != "grdb_migrations" && Reader(database: database).hasRow(in: table.quoted)
    }
  }

  /// The name of the metadata with the version of the program that made the schema.
  static let writerName = "schema written by"

  /// The version of the program that brought the database to its schema; nil when it is unknown.
  private static func writer(_ database: Database) throws -> String? {
    guard try DatabaseInspection.tables(of: database).contains("marks") else { return nil }
    return try Reader(database: database).metadata(named: writerName)
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

/// The schema of 0.1.0, in `release-0.1.0.sql`; `Tests/Golden/Store` has it too.
enum Release010: Migration {
  /// The last of the 23 names that a database of 0.1.0 has in `grdb_migrations`.
  static let identifier = "023-erasures"

  static let version = 23

  static let sql = String(decoding: PackageResources.release_0_1_0_sql, as: UTF8.self)
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

/// The SQL of the table `OnlineUsers`.
enum OnlineUsersTable {
  static let name = "OnlineUsers"

  /// The columns of `OnlineUser`, in the order of `UserColumn`.
  static let userColumnList = UserColumn.ofUsers.map(\.descriptor.name).joined(separator: ", ")

  /// Adds the columns of some versions of the schema, which are empty or 0 until a load fills them.
  static func additions(_ versions: ClosedRange<Int>) -> String {
    UserColumn.allCases.map(\.descriptor).filter { versions.contains($0.since) }.map { column in
      let declaration =
        "\(column.name) \(column.columnType.rawValue) DEFAULT \(column.isInteger ? "0" : "''")"
      return """
        ALTER TABLE OnlineUsers ADD COLUMN \(declaration);
        ALTER TABLE OnlineUsers_staging ADD COLUMN \(declaration);
        """
    }.joined(separator: "\n")
  }

  /// The indexes by name, each with the statement of its migration.
  static let indexes = [
    "index_OnlineUsers_user_id":
      "CREATE UNIQUE INDEX index_OnlineUsers_user_id ON OnlineUsers(user_id)",
    "index_OnlineUsers_user_last_time_seen": """
    CREATE INDEX index_OnlineUsers_user_last_time_seen
        ON OnlineUsers(user_last_time_seen DESC)
    """,
    "index_OnlineUsers_isAd_last_time": """
    CREATE INDEX index_OnlineUsers_isAd_last_time ON OnlineUsers(isAd, user_last_time_seen DESC)
    """,
    "index_OnlineUsers_user_area": """
    CREATE INDEX index_OnlineUsers_user_area ON OnlineUsers(user_area, user_last_time_seen DESC)
    """,
    "index_OnlineUsers_user_city": """
    CREATE INDEX index_OnlineUsers_user_city ON OnlineUsers(user_city, user_last_time_seen DESC)
    """,
    "index_OnlineUsers_user_state": """
    CREATE INDEX index_OnlineUsers_user_state ON OnlineUsers(user_state, user_last_time_seen DESC)
    """,
  ]
}

extension UserColumnDescriptor {
  var columnType: SyncTable.ColumnType { isInteger ? .integer : .text }
}

/// The indexes of a table, which a large load drops; see `docs/decisions/013-first-load.md`.
enum TableIndexes {
  /// The fewest rows that a load must add to a table with rows before its indexes are dropped.
  static let newRowsWorthIt = 10_000
  /// The added rows must also be at least one in this many of the present rows.
  static let shareWorthIt = 16
  static let loadCacheKibibytes = 4_096

  /// Builds the indexes that a killed first load of users left out; call it outside a transaction.
  ///
  /// It does nothing while another process writes: that may be the load, which builds them itself.
  static func restore(_ database: Database) throws {
    guard try !missing(of: .onlineUsers, in: database).isEmpty else { return }
    try DatabaseFile.withoutWaiting(database) {
      try database.inTransaction(.immediate) {
        while try buildNext(of: .onlineUsers, in: database) {}
        return .commit
      }
    }
  }

  /// Builds the first missing index; false when none is missing.
  static func buildNext(of table: SyncTable, in database: Database) throws -> Bool {
    guard let statement = try missing(of: table, in: database).first else { return false }
    // With a small cache the sorter uses files and a thread of its own, which is twice as fast. A
    // second thread is no faster on two cores.
    let cache = try Int.fetchOne(database, sql: "PRAGMA cache_size") ?? 0
    try database.execute(sql: "PRAGMA cache_size = -2000; PRAGMA threads = 1")
    try database.execute(sql: statement)
    try database.execute(sql: "PRAGMA threads = 0; PRAGMA cache_size = \(cache)")
    return true
  }

  fileprivate static func missing(of table: SyncTable, in database: Database) throws -> [String] {
    guard !table.indexes.isEmpty else { return [] }
    let present = try String.fetchSet(
      database, sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?",
      arguments: [table.name])
    return table.indexes.filter { !present.contains($0.key) }.sorted { $0.key < $1.key }.map(
      \.value)
  }
}

extension Readable {
  package func lacksIndexes(of table: SyncTable) throws -> Bool {
    try !TableIndexes.missing(of: table, in: reader.database).isEmpty
  }
}

extension Writer {
  /// Drops the table's indexes when building them again costs less than updating them.
  ///
  /// That is so for an empty table, and after a load has added `TableIndexes.newRowsWorthIt` rows
  /// and a sixteenth of the present rows. `buildNextIndex` builds them again; after a crash the
  /// next opening does. Until then queries are slow.
  package func dropIndexes(of table: SyncTable, addedRows: Int) throws {
    // Counting the rows would read the table; row numbers start at 1.
    let rows = try reader.count("SELECT max(rowid) FROM \(table.quoted)")
    let isWorthIt =
      addedRows >= TableIndexes.newRowsWorthIt
      && addedRows >= rows / TableIndexes.shareWorthIt
    guard rows == 0 || isWorthIt else { return }
    // Else Debian's SQLite writes zeros over the dropped indexes: docs/privacy.md#deleted-rows.
    try database.execute(sql: "PRAGMA secure_delete = FAST")
    for name in table.indexes.keys.sorted() {
      try database.execute(sql: "DROP INDEX IF EXISTS main.\(name.quoted)")
    }
    // Without indexes, rows are only appended, which needs little cache.
    try database.execute(sql: "PRAGMA cache_size = -\(TableIndexes.loadCacheKibibytes)")
  }

  /// Builds the table's first missing index; false when none is missing.
  package func buildNextIndex(of table: SyncTable) throws -> Bool {
    try TableIndexes.buildNext(of: table, in: database)
  }
}
