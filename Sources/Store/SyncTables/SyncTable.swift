import GRDB
package import Model

/// A table that pulls fill: one row for each document.
package struct SyncTable: Hashable, Sendable {
  /// The column types of SQLite's STRICT tables.
  package enum ColumnType: String, CaseIterable, Codable, Sendable {
    case text = "TEXT"
    case integer = "INTEGER"
    case real = "REAL"
    case blob = "BLOB"
  }

  package struct Column: Hashable, Sendable {
    package let name: String
    package let type: ColumnType

    package init(_ name: String, _ type: ColumnType) {
      self.name = name
      self.type = type
    }
  }

  package let name: String
  /// In the order of a row's cells: the key first, `update_time` last.
  ///
  /// The table also has `synced_at`, the time when a row was last written.
  package let columns: [Column]
  /// The indexes by name, each with the statement that builds it; a first load drops them.
  package private(set) var indexes: [String: String] = [:]
  /// The ORDER BY in which a replace inserts rows; empty for the order in which they came.
  package private(set) var replaceOrder = ""
  /// The prefix of the cursor keys of pulls into this table.
  package let cursorPrefix: String
  /// The tables of the elements of its documents' arrays and maps.
  package private(set) var children: [ChildTable] = []
  /// Whether rows whose documents are gone stay, with the time in `deleted_at`.
  package private(set) var keepsDeleted = false

  package var sweepPrefix: String { cursorPrefix + "sweep " }
}

/// The statements that write whole rows.
extension SyncTable {
  var quoted: String { name.quoted }
  /// The table where a replace collects its pages.
  var staging: String { "\(name)_staging".quoted }
  var key: String { (columns.first?.name ?? "").quoted }
  var columnList: String { columns.map { $0.name.quoted }.joined(separator: ", ") }
  private var parameters: String { (1...columns.count).map { "?\($0)" }.joined(separator: ", ") }

  /// Selects row number, `update_time` and key by key, starting at the key in the parameter.
  ///
  /// A row whose document was gone has the `update_time` -1: whatever comes is written.
  var selectFromKey: String {
    let updateTime =
      keepsDeleted ? "iif(\(Self.deletedColumn) IS NULL, update_time, -1)" : "update_time"
    return "SELECT rowid, \(updateTime), \(key) FROM \(quoted) WHERE \(key) >= ?1 ORDER BY \(key)"
  }

  /// The condition, with AND before it, that a row's document is not known to be gone.
  func isLive(_ row: String = "") -> String {
    keepsDeleted ? " AND \(row)\(Self.deletedColumn) IS NULL" : ""
  }

  /// Parameters: the columns, then `synced_at`.
  var insert: String {
    """
    INSERT INTO \(quoted) (\(columnList), synced_at)
    VALUES (\(parameters), ?\(columns.count + 1))
    """
  }

  /// Inserts rows whose key is new; parameters as in `insert`, then the columns of the other rows.
  func insertNew(rowCount: Int) -> String {
    let width = columns.count
    let rows = (0..<rowCount).map { row in
      let first = row == 0 ? 1 : row * width + 2
      let values = (first..<first + width).map { "?\($0)" }.joined(separator: ", ")
      return "(\(values), ?\(width + 1))"
    }
    return """
      INSERT OR IGNORE INTO \(quoted) (\(columnList), synced_at)
      VALUES \(rows.joined(separator: ", "))
      """
  }

  /// Parameters: those of `insert`, then the row's number.
  var update: String {
    let assignments = columns.enumerated().dropFirst()
      .map { "\($1.name.quoted) = ?\($0 + 1)" }.joined(separator: ", ")
    return """
      UPDATE \(quoted) SET \(assignments), synced_at = ?\(columns.count + 1)
      \(keepsDeleted ? ", \(Self.deletedColumn) = NULL" : "")
      WHERE rowid = ?\(columns.count + 2)
      """
  }

  /// Parameters: the columns.
  var stage: String {
    "INSERT OR REPLACE INTO \(staging) (\(columnList)) VALUES (\(parameters))"
  }

  /// Parameter: `synced_at`.
  var updateFromStaging: String {
    let assignments = columns.dropFirst()
      .map { "\($0.name.quoted) = new.\($0.name.quoted)" }.joined(separator: ", ")
    return """
      UPDATE \(quoted) SET \(assignments), synced_at = ?
      FROM \(staging) AS new
      WHERE \(quoted).\(key) = new.\(key) AND \(quoted).update_time <> new.update_time
      """
  }

  /// Parameter: `synced_at`.
  var insertFromStaging: String {
    """
    INSERT INTO \(quoted) (\(columnList), synced_at)
    SELECT \(columnList), ? FROM \(staging)
    WHERE \(key) NOT IN (SELECT \(key) FROM \(quoted))
    ORDER BY \(replaceOrder.isEmpty ? "rowid" : replaceOrder)
    """
  }
}

extension SyncTable {
  /// The app's own table; a row's cells are in the order of `UserColumn`.
  package static let onlineUsers = SyncTable(
    name: OnlineUsersTable.name,
    columns: UserColumn.allCases.map(\.descriptor).map {
      Column($0.name, $0.columnType)
    },
    indexes: OnlineUsersTable.indexes,
    replaceOrder: "user_last_time_seen DESC, user_id",
    cursorPrefix: SyncCursor.usersKeyPrefix)
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
  fileprivate var columnType: SyncTable.ColumnType { isInteger ? .integer : .text }
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
    let users = OnlineUsersTable.indexes
    guard try !missing(users, of: OnlineUsersTable.name, in: database).isEmpty else { return }
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
    try missing(table.indexes, of: table.name, in: database)
  }

  private static func missing(
    _ indexes: [String: String], of table: String, in database: Database
  ) throws -> [String] {
    guard !indexes.isEmpty else { return [] }
    let present = try String.fetchSet(
      database, sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?",
      arguments: [table])
    return indexes.filter { !present.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
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

/// The position at which an unfinished job continues.
package struct SyncCursor: Hashable, Sendable {
  /// JSON that only the job understands.
  package var value: String
  /// The start of the cursor's run.
  package var startedAt: Instant

  package init(value: String, startedAt: Instant) {
    self.value = value
    self.startedAt = startedAt
  }

  /// The prefix of the keys of loads into `OnlineUsers`.
  package static let usersKeyPrefix = "users "
}

extension Readable {
  /// The job's cursor of a key; nil when its last run was complete.
  package func cursor(job: String, key: String) throws -> SyncCursor? {
    try Row.fetchOne(
      reader.database,
      sql: "SELECT value, started_at FROM sync_cursors WHERE job = ? AND key = ?",
      arguments: [job, key]
    ).map { SyncCursor(value: $0["value"], startedAt: $0.requiredInstant("started_at")) }
  }

  package func cursorKeys(job: String, prefix: String) throws -> [String] {
    try String.fetchAll(
      reader.database,
      sql: "SELECT key FROM sync_cursors WHERE job = ? AND substr(key, 1, ?) = ? ORDER BY key",
      arguments: [job, prefix.count, prefix])
  }
}

extension Writer {
  /// Gives a job's cursor another key.
  package func renameCursor(job: String, from key: String, to other: String) throws {
    try run(
      "UPDATE OR REPLACE sync_cursors SET key = ? WHERE job = ? AND key = ?", [other, job, key])
  }

  /// Stores the cursor; call it in the transaction that stores the page's rows.
  package func setCursor(_ cursor: SyncCursor, job: String, key: String) throws {
    try run(
      """
      INSERT OR REPLACE INTO sync_cursors (job, key, value, started_at) VALUES (?, ?, ?, ?)
      """,
      [job, key, cursor.value, cursor.startedAt.microseconds])
  }

  package func clearCursor(job: String, key: String) throws {
    try run("DELETE FROM sync_cursors WHERE job = ? AND key = ?", [job, key])
  }

  /// Deletes the cursors of unfinished loads of the table, so that they begin again.
  package func clearCursors(of table: SyncTable) throws {
    try clearCursors(withPrefix: table.cursorPrefix)
  }

  func clearCursors(withPrefix prefix: String) throws {
    try run("DELETE FROM sync_cursors WHERE substr(key, 1, ?) = ?", [prefix.count, prefix])
  }
}
