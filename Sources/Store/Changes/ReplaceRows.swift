import GRDB
package import Model

/// What a replace did to the rows of a table.
package struct ReplaceCounts: Hashable, Sendable {
  package var upserted: UpsertCounts
  package var deleted: Int

  package init(upserted: UpsertCounts = UpsertCounts(), deleted: Int = 0) {
    self.upserted = upserted
    self.deleted = deleted
  }
}

extension Writer {
  /// Forgets the rows of an earlier replace that did not come to its end.
  package func clearStagedRows(of table: SyncTable) throws {
    try database.execute(sql: "DELETE FROM \(table.staging)")
  }

  /// Keeps a page of rows aside; the table that everyone reads stays as it is.
  ///
  /// To be committed page by page; a key that occurs twice ends as its last row.
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

  /// Makes the staged rows the only ones: others are deleted, those that stay keep their number.
  ///
  /// Empties the staging table, and makes unfinished loads begin anew. With nothing staged it deletes
  /// every row.
  package func replaceRowsWithStaged(
    of table: SyncTable, at now: Instant
  ) throws -> ReplaceCounts {
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
    return ReplaceCounts(
      upserted: UpsertCounts(inserted: inserted, updated: updated, unchanged: unchanged),
      deleted: deleted)
  }
}
