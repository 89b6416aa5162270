import GRDB
import Model

/// A step of the schema, never changed after its release.
struct Migration {
  /// Stable: it is stored in the database.
  let identifier: String
  /// The schema that it leads to, SQLite's `user_version`.
  let version: Int
  let sql: String

  /// The schema of 0.1.0; `Tests/Golden/Store` has it too.
  ///
  /// Its identifier is the last of the 23 that a database of 0.1.0 has.
  static let release010 = Migration(
    identifier: "023-erasures", version: 23,
    sql: String(decoding: PackageResources.release_0_1_0_sql, as: UTF8.self))

  /// What 0.2.0 brought, in one step.
  static let release020 = Migration(
    identifier: "since-0.1.0", version: 30,
    sql: String(decoding: PackageResources.release_0_2_0_sql, as: UTF8.self))

  /// What comes after 0.2.0: a step for each schema that a development build had.
  static let sinceRelease020 = steps(
    of: String(decoding: PackageResources.since_0_2_0_sql, as: UTF8.self), named: "since-0.2.0",
    after: release020.version)

  /// What each step in a file begins with, before its number.
  private static let stepMark = "-- schema "

  /// The steps of a file: a line `-- schema 35` begins the one that leads to schema 35.
  ///
  /// Each also adds the columns of users since the step before. The first has the identifier
  /// `name`, the others their number behind it.
  static func steps(of text: String, named name: String, after version: Int) -> [Migration] {
    var steps: [Migration] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(stepMark), let number = Int(line.dropFirst(stepMark.count)) {
        let last = steps.last?.version ?? version
        steps.append(
          Migration(
            identifier: steps.isEmpty ? name : "\(name)-\(number)", version: number,
            sql: OnlineUsersTable.additions(last + 1...number) + "\n"))
      } else if let step = steps.popLast() {
        steps.append(
          Migration(
            identifier: step.identifier, version: step.version, sql: step.sql + line + "\n"))
      }
    }
    return steps
  }
}

/// The schema that this program works on, as the sum of its migrations: one a release, and since
/// the last release one for each change, so that a development build's database is brought up to
/// date, too.
///
/// `user_version` says which it is, so that opening an up-to-date database costs two pragmas.
enum Schema {
  static let migrations = [Migration.release010, .release020] + Migration.sinceRelease020

  /// A new column of users raises it, too: to its `since`.
  static let version = 42

  /// Whether a database of this schema is brought up to date: that of a release or of a later step,
  /// or one without tables.
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
    try migrate(connection, migrations)
    try connection.write {
      try Writer(database: $0).setMark(ProgramVersion.current, named: writerName)
    }
  }

  /// Whether any table but the list of migrations has a row.
  private static func holdsRows(_ database: Database) throws -> Bool {
    try DatabaseInspection.tables(of: database).contains { table in
      try table != "grdb_migrations" && Reader(database: database).hasRow(in: table.quoted)
    }
  }

  /// The name of the mark with the version of the program that made the schema.
  static let writerName: MarkName = "schema written by"

  /// The version of the program that brought the database to its schema; nil when it is unknown.
  private static func writer(_ database: Database) throws -> String? {
    guard try DatabaseInspection.tables(of: database).contains("marks") else { return nil }
    return try Reader(database: database).mark(named: writerName)
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
  static func migrate(_ connection: DatabaseQueue, _ migrations: [Migration]) throws {
    var version = try storedVersion(connection)
    while true {
      do {
        return try migrator(migrations).migrate(connection)
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

  private static func migrator(_ migrations: [Migration]) -> DatabaseMigrator {
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

  /// The indexes by name, each with its statement: a start has no time to find them in the schema.
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

/// One of the program's own views, which shows a table with its times.
struct TimeView {
  let name: String
  let table: String
  /// Columns in microseconds since 1970.
  let micros: [String]
  /// Columns in seconds since 1970.
  let seconds: [String]

  /// The columns that it adds.
  var times: [String] { (micros + seconds).map { $0 + TimeViews.isoSuffix } }

  var selection: String { TimeViews.selection(of: table, micros, seconds) }
}

/// The views that add times in ISO 8601, and single values of JSON, to a table's columns; see
/// `docs/export.md#views`.
enum TimeViews {
  /// The program's own, and what each selects, as the steps of the schema have them in SQL.
  static let all = [
    view("v_users", of: "OnlineUsers", ["update_time", "synced_at"], ["user_last_time_seen"]),
    view("v_auth_users", of: "auth_users", accountTimes),
    view("v_events", of: "events", ["at"]),
    view("v_runs", of: "sync_runs", ["started_at", "ended_at", "read_time"]),
    view("v_ratings", of: "ratings", ["at"]),
    view("v_outbox", of: "outbox", outboxTimes),
    view("v_settings", of: "settings", ["fetched_at"]),
    view("v_reviews", of: "app_store_reviews", ["updated_at", "found_at", "synced_at"]),
    view("v_feedback", of: "app_rating_feedback", ["update_time", "synced_at"], ["timestamp"]),
    view("v_tier_changes", of: "tier_changes", ["seen_at"]),
    view("v_audit_reads", of: "audit_reads", ["at"]),
    view("v_purchases", of: "purchases", ["at", "paid_until", "stated_at"]),
  ]

  private static let accountTimes = [
    "created_at", "last_sign_in_at", "last_refresh_at", "synced_at",
  ]

  private static let outboxTimes = [
    "created_at", "sending_since", "next_attempt_at", "delivered_at",
  ]

  private static func view(
    _ name: String, of table: String, _ micros: [String], _ seconds: [String] = []
  ) -> TimeView {
    TimeView(name: name, table: table, micros: micros, seconds: seconds)
  }

  static let isoSuffix = "_iso"
  static let valueSuffix = "_value"

  /// The column that a view's column of this name was made from, whether or not it has a number;
  /// nil for one without the suffix.
  static func source(of column: String, _ suffix: String) -> Substring? {
    var name = column[...]
    let digits = name.reversed().prefix(while: \.isWholeNumber).count
    if digits > 0, name.dropLast(digits).hasSuffix("\(suffix)_") {
      name = name.dropLast(digits + 1)
    }
    return name.hasSuffix(suffix) ? name.dropLast(suffix.count) : nil
  }

  /// The SELECT of the view of a table.
  ///
  /// - Parameters:
  ///   - table: an SQL identifier, quoted where it needs to be.
  ///   - micros: columns in microseconds since 1970; 0 means none.
  ///   - seconds: columns in seconds since 1970.
  ///   - json: columns of JSON with Firestore's type names.
  ///   - columns: all columns of the table, whose names none that is added gets.
  /// - Returns: the statement, without a semicolon.
  static func selection(
    of table: String, _ micros: [String], _ seconds: [String] = [], json: [String] = [],
    besides columns: [String] = []
  ) -> String {
    // SQLite ignores the case of names.
    var taken = Set(columns.map { $0.lowercased() })
    func added(
      _ columns: [String], _ suffix: String, _ value: (String) -> String
    ) -> [String] {
      columns.map { column in
        var name = column + suffix
        var number = 1
        while !taken.insert(name.lowercased()).inserted {
          number += 1
          name = "\(column)\(suffix)_\(number)"
        }
        return ",\n    \(value(column)) AS \(name.quoted)"
      }
    }
    let values =
      added(micros, isoSuffix, fromMicroseconds) + added(seconds, isoSuffix, fromSeconds)
      + added(json, valueSuffix, singleValue)
    return "SELECT *\(values.joined())\nFROM \(table)"
  }

  /// `2026-01-31T08:00:00.000000Z`, always of this length, so that texts sort as times do.
  private static func fromMicroseconds(_ column: String) -> String {
    let name = column.quoted
    // The remainder of a time before 1970 is negative in SQL.
    let rest = "((\(name) % 1000000 + 1000000) % 1000000)"
    return "strftime('%Y-%m-%dT%H:%M:%S', (nullif(\(name), 0) - \(rest)) / 1000000, 'unixepoch')"
      + " || printf('.%06dZ', \(rest))"
  }

  /// The value of any kind but arrays and maps, which SQL cannot decode at every depth.
  private static func singleValue(_ column: String) -> String {
    let name = column.quoted
    let values = ["string", "double", "boolean", "timestamp", "reference", "bytes"].map {
      "\(name) ->> '$.\($0)Value'"
    }
    return "CASE WHEN json_valid(\(name)) THEN coalesce("
      + "CAST(\(name) ->> '$.integerValue' AS INTEGER), \(values.joined(separator: ", "))) END"
  }

  private static func fromSeconds(_ column: String) -> String {
    "strftime('%Y-%m-%dT%H:%M:%SZ', nullif(\(column.quoted), 0), 'unixepoch')"
  }
}
