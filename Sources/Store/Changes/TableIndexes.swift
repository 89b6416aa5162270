import GRDB

/// The indexes of a table, which a first load goes without; see `docs/decisions/013-first-load.md`.
enum TableIndexes {
  /// Builds what a first load of users that was killed left unbuilt; the connection is outside a transaction.
  ///
  /// While another process writes, the indexes stay missing: it may be that load, which builds them.
  static func restore(_ database: Database) throws {
    guard try !missing(of: .onlineUsers, in: database).isEmpty else { return }
    try database.execute(sql: "PRAGMA busy_timeout = 0")
    let outcome = Result {
      try database.inTransaction(.immediate) {
        try build(of: .onlineUsers, in: database)
        return .commit
      }
    }
    let milliseconds = Int(DatabaseFile.busyTimeoutSeconds * 1_000)
    try database.execute(sql: "PRAGMA busy_timeout = \(milliseconds)")
    do {
      try outcome.get()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return
    }
  }

  static func build(of table: SyncTable, in database: Database) throws {
    let missing = try missing(of: table, in: database)
    guard !missing.isEmpty else { return }
    let cache = try Reader(database: database).count("PRAGMA cache_size")
    // The sorter works in files and threads of its own once the cache is small: twice as fast.
    try database.execute(sql: "PRAGMA cache_size = -2000; PRAGMA threads = 2")
    for sql in missing { try database.execute(sql: sql) }
    try database.execute(sql: "PRAGMA threads = 0; PRAGMA cache_size = \(cache)")
  }

  private static func missing(of table: SyncTable, in database: Database) throws -> [String] {
    guard !table.indexes.isEmpty else { return [] }
    let present = try String.fetchSet(
      database, sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?",
      arguments: [table.name])
    return table.indexes.filter { !present.contains($0.key) }.sorted { $0.key < $1.key }
      .map(\.value)
  }
}

extension Writer {
  /// Drops the table's indexes while it has no row: a first load is much faster without them.
  ///
  /// Does nothing when there are rows. `buildIndexes` brings the indexes back, or the next opening
  /// after a crash; until then questions are answered slowly.
  package func dropIndexesIfEmpty(of table: SyncTable) throws {
    guard try isEmpty(table) else { return }
    for name in table.indexes.keys.sorted() {
      try database.execute(sql: "DROP INDEX IF EXISTS \(SyncTable.quoted(name))")
    }
  }

  /// Builds those of the table's indexes that are missing.
  package func buildIndexes(of table: SyncTable) throws {
    try TableIndexes.build(of: table, in: database)
  }
}
