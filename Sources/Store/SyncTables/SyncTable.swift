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
    return selectFromKey(updateTime)
  }

  /// The same, where rows that were certain at `bound` or later have the highest `update_time`.
  ///
  /// Such is also a row whose document was found to be gone since.
  func selectFromKey(keepingSince bound: Int64) -> String {
    let known = keepsDeleted ? "max(update_time, ifnull(\(Self.deletedColumn), 0))" : "update_time"
    let other = keepsDeleted ? "iif(\(Self.deletedColumn) IS NULL, update_time, -1)" : "update_time"
    return selectFromKey("iif(\(known) >= \(bound), \(Int64.max), \(other))")
  }

  private func selectFromKey(_ updateTime: String) -> String {
    "SELECT rowid, \(updateTime), \(key) FROM \(quoted) WHERE \(key) >= ?1 ORDER BY \(key)"
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

/// The position at which an unfinished job continues.
package struct SyncCursor: Hashable, Sendable {
  /// JSON that only the job understands.
  package var value: String
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
    try reader.first(
      "SELECT value, started_at FROM sync_cursors WHERE job = ? AND key = ?", [job, key]
    ) { SyncCursor(value: $0["value"], startedAt: $0.requiredInstant("started_at")) }
  }

  package func cursorKeys(job: String, prefix: String) throws -> [String] {
    try reader.values(
      "SELECT key FROM sync_cursors WHERE job = ? AND substr(key, 1, ?) = ? ORDER BY key",
      [job, prefix.count, prefix])
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

/// Data that came from the project's Firestore; see `docs/jobs.md#whose-data`.
extension Readable {
  /// Whether anything fetched is stored: a user, an account, a setting, or a row of a collection's
  /// table.
  package func holdsFetchedData() throws -> Bool {
    try (["OnlineUsers", "settings", "auth_users"] + mirroredTables()).contains { table in
      try reader.hasRow(in: table.quoted)
    }
  }
}

extension Writer {
  /// Deletes what loads remember besides rows, so that one project's loads do not affect another's.
  ///
  /// Call it while no fetched row is stored. Filters, tiers, limits and the outbox stay.
  package func forgetLoads() throws {
    for table in ["sync_cursors", "tombstones", "skipped_documents", "swept_documents"] {
      try run("DELETE FROM \(table)")
    }
    try clearStagedRows(of: .onlineUsers)
    for pattern in MarkName.patternsOfLoads {
      try run("DELETE FROM marks WHERE name GLOB ?", [pattern])
    }
    try recordWhetherEmpty()
    try forgetRefreshTimes()
  }
}
