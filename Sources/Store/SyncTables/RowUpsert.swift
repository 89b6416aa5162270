import GRDB
import Glibc
package import Model
import Synchronization

/// How many rows an upsert inserted, updated and left.
package struct UpsertCounts: Hashable, Sendable {
  package var inserted: Int = 0
  package var updated: Int = 0
  /// Rows with an equal `updateTime`, which are not written.
  package var unchanged: Int = 0

  package static func += (left: inout UpsertCounts, right: UpsertCounts) {
    left.inserted += right.inserted
    left.updated += right.updated
    left.unchanged += right.unchanged
  }
}

extension Writer {
  /// Inserts new rows and overwrites those with another `updateTime`, which keep their number.
  ///
  /// The hot path: texts are bound in place. Of rows with one key the last one stays. `now` becomes
  /// the `synced_at` of the written rows.
  ///
  /// `children` are the rows of each child table, which replace those of the written rows; empty
  /// without any. Rows that were certain at `bound` or later are kept, and count as unchanged; nil
  /// keeps none.
  package func upsert(
    _ rows: TableRows, with children: [ChildRows] = [], into table: SyncTable, at now: Instant,
    keepingSince bound: Instant? = nil
  ) throws -> UpsertCounts {
    // Building the SQL costs as much as a few rows.
    guard rows.count > 0 else { return UpsertCounts() }
    var upsert = try RowUpsert(table, in: database, at: now, keepingSince: bound)
    defer { upsert.finish() }
    try rows.bytes.withUnsafeBytes { text in
      try upsert.perform(rows.cells[...], text)
    }
    for (child, rows) in zip(table.children, children) {
      try ChildUpsert(child, in: database).perform(upsert.written, rows)
    }
    return upsert.counts
  }

  /// Takes back rows whose documents were found to be gone at `bound` or later, when an older state
  /// was stored; returns how many.
  package func removeRows(goneSince bound: Instant, from table: SyncTable) throws -> Int {
    try run(
      """
      DELETE FROM \(table.quoted) WHERE \(table.key) IN
      (SELECT key FROM tombstones WHERE table_name = ? AND deleted_at >= ?)\(table.isLive())
      """, [table.name, bound.microseconds])
  }

  /// Deletes the tombstones of documents that are rows again.
  package func clearTombstonesOfRows(in table: SyncTable) throws {
    try run(
      """
      DELETE FROM tombstones WHERE table_name = ? AND EXISTS
      (SELECT 1 FROM \(table.quoted) AS row
      WHERE row.\(table.key) = tombstones.key\(table.isLive("row.")))
      """, [table.name])
  }
}

/// The statements of an upsert.
///
/// Among known rows it looks each one up first: an unchanged row costs one step of the cursor and
/// no write. Among new rows it inserts many at once and skips known keys. Neither triggers the `ON
/// CONFLICT REPLACE` of `OnlineUsers`, which would change the `id`.
struct RowUpsert {
  /// With one row per statement, half of the time goes into starting and ending statements.
  static let rowsAtOnce = 32

  private(set) var counts = UpsertCounts()
  /// The rows that were written, in their order; empty for a table without child tables.
  private(set) var written: [WrittenRow] = []

  private var known: KeyedRowCursor
  private let insert: RawStatement
  private let insertMany: RawStatement
  private let update: RawStatement
  private let database: Database
  private let width: Int
  private let table: SyncTable
  private let hasChildren: Bool
  private let numbersRows: Bool
  /// Whether the last row was new, so that the next ones probably are.
  private var expectsNewRows = false

  init(
    _ table: SyncTable, in database: Database, at now: Instant, keepingSince bound: Instant? = nil
  ) throws {
    self.database = database
    width = table.columns.count
    self.table = table
    hasChildren = !table.children.isEmpty
    numbersRows = table == .onlineUsers
    let select = bound.map { table.selectFromKey(keepingSince: $0.microseconds) }
    known = KeyedRowCursor(try RawStatement(database, sql: select ?? table.selectFromKey))
    insert = try RawStatement(database, sql: table.insert)
    insertMany = try RawStatement(database, sql: table.insertNew(rowCount: Self.rowsAtOnce))
    update = try RawStatement(database, sql: table.update)
    for statement in [insert, insertMany, update] {
      try statement.bind(now.microseconds, at: Int32(width + 1))
    }
  }

  /// Stores the rows of `cells`, whose texts are in `text`.
  mutating func perform(_ cells: ArraySlice<TableRows.Cell>, _ text: UnsafeRawBufferPointer) throws
  {
    var rest = cells
    while !rest.isEmpty {
      let many = rest.prefix(Self.rowsAtOnce * width)
      // An insert of many rows does not show which of them are new.
      if expectsNewRows, !hasChildren, many.count == Self.rowsAtOnce * width {
        try performMany(many, text)
        rest = rest.dropFirst(many.count)
      } else {
        try perform(row: rest.prefix(width), text)
        rest = rest.dropFirst(width)
      }
    }
  }

  private mutating func performMany(
    _ rows: ArraySlice<TableRows.Cell>, _ text: UnsafeRawBufferPointer
  ) throws {
    try bindMany(rows, text)
    try insertMany.run()
    let inserted = database.changesCount
    guard inserted < Self.rowsAtOnce else {
      counts.inserted += inserted
      return
    }
    expectsNewRows = false
    if numbersRows { try undoMany() } else { counts.inserted += inserted }
    for start in stride(from: rows.startIndex, to: rows.endIndex, by: width) {
      try perform(row: rows[start..<start + width], text)
    }
    // The rows that were just inserted count as unchanged in that loop.
    if !numbersRows { counts.unchanged -= inserted }
  }

  /// Takes back an insert of many rows: each row that it ignored has used up a number, so the
  /// numbers would depend on which rows were inserted together.
  private func undoMany() throws {
    try database.execute(
      sql: """
        UPDATE sqlite_sequence SET seq = seq - \(Self.rowsAtOnce) WHERE name = ?1
        """, arguments: [table.name])
    try database.execute(
      sql: """
        DELETE FROM \(table.quoted)
        WHERE rowid > (SELECT seq FROM sqlite_sequence WHERE name = ?1)
        """, arguments: [table.name])
  }

  private func bindMany(
    _ rows: ArraySlice<TableRows.Cell>, _ text: UnsafeRawBufferPointer
  ) throws {
    // The parameter after the first row's is `synced_at`, which all rows share.
    var index: Int32 = 1
    for cell in rows {
      try insertMany.bind(cell, in: text, at: index)
      index += index == Int32(width) ? 2 : 1
    }
  }

  private mutating func perform(
    row: ArraySlice<TableRows.Cell>, _ text: UnsafeRawBufferPointer
  ) throws {
    expectsNewRows = try !known.find(key(of: row, in: text))
    if expectsNewRows {
      try insert.bind(row, in: text)
      try insert.run()
      counts.inserted += 1
      if hasChildren { noteWritten(row, text, isKnown: false) }
    } else if row.last == .integer(known.updateTime) || known.updateTime == .max {
      counts.unchanged += 1
    } else {
      try update.bind(row, in: text)
      try update.bind(known.rowId, at: Int32(width + 2))
      try update.run()
      counts.updated += 1
      if hasChildren { noteWritten(row, text, isKnown: true) }
    }
  }

  private mutating func noteWritten(
    _ row: ArraySlice<TableRows.Cell>, _ text: UnsafeRawBufferPointer, isKnown: Bool
  ) {
    let key = isKnown ? Array(key(of: row, in: text)) : []
    written.append(WrittenRow(index: row.startIndex / width, isKnown: isKnown, key: key))
  }

  private func key(
    of row: ArraySlice<TableRows.Cell>, in text: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    guard case .text(let range) = row.first else { return .init(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: text[range])
  }

  func finish() {
    known.finish()
    for statement in [insert, insertMany, update] { statement.reset() }
  }
}

extension RawStatement {
  /// Binds a row's cells to the parameters from 1; their texts are in `text`.
  func bind(_ row: ArraySlice<TableRows.Cell>, in text: UnsafeRawBufferPointer) throws {
    var index: Int32 = 1
    for cell in row {
      try bind(cell, in: text, at: index)
      index += 1
    }
  }

  func bind(_ cell: TableRows.Cell, in text: UnsafeRawBufferPointer, at index: Int32) throws {
    switch cell {
    case .null: try bindNull(at: index)
    case .integer(let number): try bind(number, at: index)
    case .real(let number): try bind(number, at: index)
    case .text(let range): try bind(text: UnsafeRawBufferPointer(rebasing: text[range]), at: index)
    case .blob(let range): try bind(blob: UnsafeRawBufferPointer(rebasing: text[range]), at: index)
    }
  }
}

extension Writer {
  /// Deletes the staged rows of a replace, for example of one that was killed.
  package func clearStagedRows(of table: SyncTable) throws {
    try database.execute(sql: "DELETE FROM \(table.staging)")
  }

  /// Stages a page of rows; the table itself does not change.
  ///
  /// Commit it page by page. Of rows with one key the last one stays.
  package func stage(_ rows: TableRows, for table: SyncTable) throws {
    let statement = try RawStatement(database, sql: table.stage)
    defer { statement.reset() }
    let cells = rows.cells
    let width = rows.width
    try rows.bytes.withUnsafeBytes { text in
      for start in stride(from: 0, to: cells.count, by: width) {
        try statement.bind(cells[start..<start + width], in: text)
        try statement.run()
      }
    }
  }

  /// Replaces all rows by the staged ones; rows that stay keep their number.
  ///
  /// It empties the staging table, and unfinished loads begin again. Without staged rows it deletes
  /// all rows.
  package func replaceRowsWithStaged(
    of table: SyncTable, at now: Instant
  ) throws -> CommitCounts {
    try clearCursors(of: table)
    let unchanged = try reader.count(
      """
      SELECT count(*) FROM \(table.staging) AS new
      JOIN \(table.quoted) AS old
      ON old.\(table.key) = new.\(table.key) AND old.update_time = new.update_time
      """)
    let deleted = try run(
      """
      DELETE FROM \(table.quoted)
      WHERE \(table.key) NOT IN (SELECT \(table.key) FROM \(table.staging))
      """)
    let updated = try run(table.updateFromStaging, [now.microseconds])
    let inserted = try run(table.insertFromStaging, [now.microseconds])
    try clearStagedRows(of: table)
    return CommitCounts(
      upserted: UpsertCounts(inserted: inserted, updated: updated, unchanged: unchanged),
      deleted: deleted)
  }
}

/// Looks up the `update_time` of a table's rows by key, on connections of its own.
///
/// It reads while the store's own connection writes, and sees what was committed before.
package final class StoredTimes: Sendable {
  private let path: String
  private let table: SyncTable
  /// Connections that nobody uses: there are as many as lookups were made at once.
  private let idle = Mutex<[DatabaseQueue]>([])

  fileprivate init(of table: SyncTable, path: String) {
    self.path = path
    self.table = table
  }

  /// Looks up any number of rows in one snapshot.
  ///
  /// - Throws: what `body` throws, or `StoreError`.
  package func withLookup<T>(_ body: (Lookup) throws -> T) throws -> T {
    try StoreError.translating(path: path) {
      let connection =
        try idle.withLock { $0.popLast() } ?? DatabaseFile.connect(path: path, mode: .readOnly)
      defer { idle.withLock { $0.append(connection) } }
      return try connection.read { database in
        let lookup = Lookup(KeyedRowCursor(try RawStatement(database, sql: table.selectFromKey)))
        defer { lookup.finish() }
        return try body(lookup)
      }
    }
  }

  /// Valid inside the closure of `withLookup`.
  package final class Lookup {
    /// Keys in a row that have no row, after which no more are looked up: the rest are probably
    /// new.
    package static let mostMisses = 32

    private var rows: KeyedRowCursor
    private var misses = 0

    fileprivate init(_ rows: KeyedRowCursor) {
      self.rows = rows
    }

    /// Nil without a row of this key, and for every key after a number of such keys in a row.
    ///
    /// The key's bytes must stay in place until the closure's end.
    package func updateTime(
      ofKey key: UnsafeRawBufferPointer, endingAfter mostMisses: Int = mostMisses
    ) throws -> Int64? {
      guard misses < mostMisses else { return nil }
      guard try rows.find(key) else {
        misses += 1
        return nil
      }
      misses = 0
      return rows.updateTime
    }

    fileprivate func finish() { rows.finish() }
  }
}

extension Store {
  /// Opens no connection before the first lookup.
  package func storedTimes(of table: SyncTable) -> StoredTimes {
    StoredTimes(of: table, path: path)
  }
}

/// Finds rows by key, one after the other: in one step when the keys come in order, else by a
/// lookup.
///
/// Rows may be written meanwhile.
struct KeyedRowCursor {
  private let statement: RawStatement
  /// Whether the statement is at a row; `isTaken` when `find` has returned that row.
  private var isOnRow = false
  private var isTaken = false
  /// How often one step found the row, and how often it did not.
  private var steps = (hits: 0, misses: 0)

  /// The statement is `SyncTable.selectFromKey`.
  init(_ statement: RawStatement) {
    self.statement = statement
  }

  /// Moves to the row with this key, a text; false without one.
  mutating func find(_ key: UnsafeRawBufferPointer) throws -> Bool {
    if isOnRow, steps.hits >= steps.misses {
      if isTaken { isOnRow = try statement.step() }
      isTaken = isOnRow && isAt(key)
      if isTaken {
        steps.hits += 1
        return true
      }
      steps.misses += 1
    }
    statement.rewind()
    try statement.bind(text: key, at: 1)
    isOnRow = try statement.step()
    isTaken = isOnRow && isAt(key)
    return isTaken
  }

  var rowId: Int64 { statement.integer(column: 0) }
  /// The `update_time` of the row that was found.
  var updateTime: Int64 { statement.integer(column: 1) }

  private func isAt(_ key: UnsafeRawBufferPointer) -> Bool {
    let found = statement.text(column: 2)
    guard let left = found.baseAddress, let right = key.baseAddress else {
      return found.isEmpty && key.isEmpty
    }
    return found.count == key.count && memcmp(left, right, key.count) == 0
  }

  /// Ends the statement; call it before the keys' bytes go away.
  func finish() { statement.reset() }
}
