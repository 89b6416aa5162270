import GRDB
package import Model

/// How many rows a change of `OnlineUsers` touched.
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
  /// Inserts new users and overwrites those whose `updateTime` is another one; a user keeps its `id`.
  ///
  /// The hot path: texts are bound in place. A user that occurs twice ends as its last row.
  /// `at` becomes the `synced_at` of the rows written.
  package func upsert(_ rows: UserRows, at now: Instant) throws -> UpsertCounts {
    let upsert = try UserUpsert(database, at: now)
    defer { upsert.finish() }
    var counts = UpsertCounts()
    let cells = rows.cells
    let width = OnlineUsersTable.columns.count
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
/// what happened, and never meets the table's `ON CONFLICT REPLACE`, which would change the `id`.
private struct UserUpsert {
  let find: RawStatement
  let insert: RawStatement
  let update: RawStatement

  private static let syncedAtIndex = Int32(OnlineUsersTable.columns.count + 1)

  init(_ database: Database, at now: Instant) throws {
    find = try RawStatement(
      database, sql: "SELECT id, update_time FROM OnlineUsers WHERE user_id = ?1")
    insert = try RawStatement(database, sql: OnlineUsersTable.insert)
    update = try RawStatement(database, sql: OnlineUsersTable.update)
    try insert.bind(now.microseconds, at: Self.syncedAtIndex)
    try update.bind(now.microseconds, at: Self.syncedAtIndex)
  }

  func perform(
    _ row: ArraySlice<UserRows.Cell>, _ text: UnsafeRawBufferPointer,
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
    try update.bind(find.integer(column: 0), at: Self.syncedAtIndex + 1)
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
  func bind(_ row: ArraySlice<UserRows.Cell>, in text: UnsafeRawBufferPointer) throws {
    var index: Int32 = 1
    for cell in row {
      try bind(cell, in: text, at: index)
      index += 1
    }
  }

  func bind(_ cell: UserRows.Cell, in text: UnsafeRawBufferPointer, at index: Int32) throws {
    switch cell {
    case .integer(let number): try bind(number, at: index)
    case .text(let range): try bind(text: UnsafeRawBufferPointer(rebasing: text[range]), at: index)
    }
  }
}
