import GRDB
package import Model

/// How many rows a change of a table touched.
package struct UpsertCounts: Hashable, Sendable {
  package var inserted: Int
  package var updated: Int
  /// Rows with the stored `updateTime`, which were not written.
  package var unchanged: Int

  package init(inserted: Int = 0, updated: Int = 0, unchanged: Int = 0) {
    self.inserted = inserted
    self.updated = updated
    self.unchanged = unchanged
  }

  package static func += (left: inout UpsertCounts, right: UpsertCounts) {
    left.inserted += right.inserted
    left.updated += right.updated
    left.unchanged += right.unchanged
  }
}

extension Writer {
  /// Inserts new rows and overwrites those whose `updateTime` is another one, which keep their number.
  ///
  /// The hot path: texts are bound in place. A key that occurs twice ends as its last row.
  /// `at` becomes the `synced_at` of the rows written.
  package func upsert(
    _ rows: TableRows, into table: SyncTable, at now: Instant
  ) throws -> UpsertCounts {
    let upsert = try RowUpsert(table, in: database, at: now)
    defer { upsert.finish() }
    var counts = UpsertCounts()
    let cells = rows.cells
    let width = rows.width
    try rows.bytes.withUnsafeBytes { text in
      for start in stride(from: 0, to: cells.count, by: width) {
        try upsert.perform(cells[start..<start + width], text, counting: &counts)
      }
    }
    return counts
  }
}

/// The three statements of an upsert: one looks, the others write.
///
/// Looking first makes an unchanged row cost one index lookup and no write at all, tells exactly
/// what happened, and never meets the users' `ON CONFLICT REPLACE`, which would change the `id`.
private struct RowUpsert {
  let find: RawStatement
  let insert: RawStatement
  let update: RawStatement

  private let syncedAtIndex: Int32

  init(_ table: SyncTable, in database: Database, at now: Instant) throws {
    find = try RawStatement(database, sql: table.find)
    insert = try RawStatement(database, sql: table.insert)
    update = try RawStatement(database, sql: table.update)
    syncedAtIndex = Int32(table.columns.count + 1)
    try insert.bind(now.microseconds, at: syncedAtIndex)
    try update.bind(now.microseconds, at: syncedAtIndex)
  }

  func perform(
    _ row: ArraySlice<TableRows.Cell>, _ text: UnsafeRawBufferPointer,
    counting counts: inout UpsertCounts
  ) throws {
    try find.bind(row[row.startIndex], in: text, at: 1)
    defer { find.rewind() }
    guard try find.step() else {
      try insert.bind(row, in: text)
      try insert.run()
      counts.inserted += 1
      return
    }
    if row.last == .integer(find.integer(column: 1)) {
      counts.unchanged += 1
      return
    }
    try update.bind(row, in: text)
    try update.bind(find.integer(column: 0), at: syncedAtIndex + 1)
    find.rewind()
    try update.run()
    counts.updated += 1
  }

  func finish() {
    find.reset()
    insert.reset()
    update.reset()
  }
}

extension RawStatement {
  /// Binds a row's cells to the parameters from 1 on; the texts lie in `text`.
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
