import GRDB

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
    return table.indexes.filter { !present.contains($0.key) }.sorted { $0.key < $1.key }
      .map(\.value)
  }
}

extension Readable {
  /// Whether an index of the table is missing.
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
    for name in table.indexes.keys.sorted() {
      try database.execute(sql: "DROP INDEX IF EXISTS main.\(SyncTable.quoted(name))")
    }
    // Without indexes, rows are only appended, which needs little cache.
    try database.execute(sql: "PRAGMA cache_size = -\(TableIndexes.loadCacheKibibytes)")
  }

  /// Builds the table's first missing index; false when none is missing.
  package func buildNextIndex(of table: SyncTable) throws -> Bool {
    try TableIndexes.buildNext(of: table, in: database)
  }
}
