import GRDB

/// The indexes of a table, which a large load goes without; see `docs/decisions/013-first-load.md`.
enum TableIndexes {
  /// Rows that a load has to add to a table with rows, before its indexes are dropped.
  static let newRowsWorthIt = 10_000
  /// Their share of the rows that are there: one in so many.
  static let shareWorthIt = 16
  static let loadCacheKibibytes = 4_096

  /// Builds what a first load of users that was killed left unbuilt; the connection is outside a transaction.
  ///
  /// While another process writes, the indexes stay missing: it may be that load, which builds them.
  static func restore(_ database: Database) throws {
    guard try !missing(of: .onlineUsers, in: database).isEmpty else { return }
    try database.execute(sql: "PRAGMA busy_timeout = 0")
    let outcome = Result {
      try database.inTransaction(.immediate) {
        while try buildNext(of: .onlineUsers, in: database) {}
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

  /// Builds the first index that is missing; false when none is.
  static func buildNext(of table: SyncTable, in database: Database) throws -> Bool {
    guard let statement = try missing(of: table, in: database).first else { return false }
    // The sorter works in files and a thread of its own once the cache is small: twice as fast; with a
    // second thread it is no faster on two cores, and uses more of them.
    try database.execute(sql: "PRAGMA cache_size = -2000; PRAGMA threads = 1")
    try database.execute(sql: statement)
    let cache = DatabaseFile.writerCacheKibibytes
    try database.execute(sql: "PRAGMA threads = 0; PRAGMA cache_size = -\(cache)")
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
  /// Drops the table's indexes where building them anew costs less than keeping them up.
  ///
  /// That is so in an empty table, and once a load has added `TableIndexes.newRowsWorthIt` rows and a
  /// sixteenth of what there is. `buildNextIndex` brings them back, or the next opening after a crash;
  /// until then questions are answered slowly.
  package func dropIndexes(of table: SyncTable, addedRows: Int) throws {
    // Counting the rows would read the table; they are numbered from 1 on.
    let rows = try reader.count("SELECT max(rowid) FROM \(table.quoted)")
    let isWorthIt =
      addedRows >= TableIndexes.newRowsWorthIt
      && addedRows >= rows / TableIndexes.shareWorthIt
    guard rows == 0 || isWorthIt else { return }
    for name in table.indexes.keys.sorted() {
      try database.execute(sql: "DROP INDEX IF EXISTS \(SyncTable.quoted(name))")
    }
    // Without indexes, rows only go to the ends of what there is.
    try database.execute(sql: "PRAGMA cache_size = -\(TableIndexes.loadCacheKibibytes)")
  }

  /// Builds the first of the table's indexes that is missing; false when none is.
  package func buildNextIndex(of table: SyncTable) throws -> Bool {
    try TableIndexes.buildNext(of: table, in: database)
  }
}
