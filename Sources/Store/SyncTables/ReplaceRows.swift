import GRDB
package import Model

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
