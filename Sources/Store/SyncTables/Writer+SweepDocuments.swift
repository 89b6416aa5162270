import GRDB
package import Model

extension Readable {
  /// Whether a table has no rows or does not exist.
  package func isEmpty(_ table: SyncTable) throws -> Bool {
    try !reader.database.tableExists(table.name) || !reader.hasRow(in: table.quoted)
  }

  /// The number of rows, and of documents that were skipped: O(rows) of the narrowest index.
  package func mirrorCounts(of table: SyncTable) throws -> (rows: Int, skipped: Int) {
    let rows = try reader.count(
      "SELECT count(*) FROM \(table.quoted)"
        + (table.keepsDeleted ? " WHERE \(SyncTable.deletedColumn) IS NULL" : ""))
    let skipped = try reader.count(
      """
      SELECT count(*) FROM skipped_documents AS skipped WHERE table_name = ? AND NOT EXISTS
      (SELECT 1 FROM \(table.quoted) AS row WHERE row.\(table.key) = skipped.key)
      """, [table.name])
    return (rows, skipped)
  }

  /// The number of rows without a swept document.
  package func unsweptCount(of table: SyncTable) throws -> Int {
    try reader.count(
      """
      SELECT count(*) FROM \(table.quoted) AS row
      WHERE \(Writer.isUnswept("row.\(table.key)"))\(table.isLive("row."))
      """, [table.name])
  }
}

/// Deletes rows whose documents are gone; see `docs/loads.md#deletes`.
///
/// A sweep collects the keys of all documents; rows without a document become tombstones.
extension Writer {
  /// Deletes the keys and cursors of an unfinished sweep of the table, of any job.
  ///
  /// Half a list would show the other half's documents as gone.
  package func clearSweep(of table: SyncTable) throws {
    try clearCursors(withPrefix: table.sweepPrefix)
    try run("DELETE FROM swept_documents WHERE table_name = ?", [table.name])
  }

  /// Collects the keys of existing documents; `keys` has one text in each row.
  ///
  /// Commit it page by page. A key that comes twice counts once.
  package func sweep(_ keys: TableRows, of table: SyncTable) throws {
    try insert(keys, of: table, into: "swept_documents")
  }

  /// Counts rows that were certain at `bound` or later as swept; returns the number of all swept
  /// documents.
  package func sweepRows(certainSince bound: Instant, of table: SyncTable) throws -> Int {
    try run(
      """
      INSERT OR IGNORE INTO swept_documents (table_name, key)
      SELECT ?, \(table.key) FROM \(table.quoted) WHERE update_time >= ?
      """, [table.name, bound.microseconds])
    return try reader.count(
      "SELECT count(*) FROM swept_documents WHERE table_name = ?", [table.name])
  }

  /// Stores the keys of documents that were skipped, so that counts can explain them.
  package func noteSkipped(_ keys: TableRows, of table: SyncTable) throws {
    try insert(keys, of: table, into: "skipped_documents")
  }

  /// Turns every row without a swept document into a tombstone, ends the sweep, and returns their
  /// number.
  ///
  /// A table that keeps such rows marks them instead. Rows of child tables go with their row.
  ///
  /// Call it when the sweep is complete: without collected keys it deletes all rows.
  package func deleteUnswept(of table: SyncTable, at snapshot: Instant) throws -> Int {
    try run(
      """
      INSERT OR REPLACE INTO tombstones (table_name, key, deleted_at)
      SELECT ?, row.\(table.key), ? FROM \(table.quoted) AS row
      WHERE \(Self.isUnswept("row.\(table.key)"))\(table.isLive("row."))
      """, [table.name, snapshot.microseconds, table.name])
    let deleted = try deleteOrMarkUnswept(of: table, at: snapshot)
    try run(
      """
      DELETE FROM skipped_documents WHERE table_name = ?
      AND \(Self.isUnswept("skipped_documents.key"))
      """, [table.name, table.name])
    try clearSweep(of: table)
    return deleted
  }

  private func deleteOrMarkUnswept(of table: SyncTable, at snapshot: Instant) throws -> Int {
    let isUnswept = Self.isUnswept(table.key)
    guard table.keepsDeleted else {
      return try run("DELETE FROM \(table.quoted) WHERE \(isUnswept)", [table.name])
    }
    return try run(
      """
      UPDATE \(table.quoted) SET \(SyncTable.deletedColumn) = ?
      WHERE \(isUnswept)\(table.isLive())
      """, [snapshot.microseconds, table.name])
  }

  /// The SQL condition that the sweep lacks a key; its one parameter is the table's name.
  static func isUnswept(_ key: String) -> String {
    """
    NOT EXISTS (SELECT 1 FROM swept_documents AS swept
    WHERE swept.table_name = ? AND swept.key = \(key))
    """
  }

  private func insert(_ keys: TableRows, of table: SyncTable, into target: String) throws {
    let statement = try RawStatement(
      database, sql: "INSERT OR IGNORE INTO \(target) (table_name, key) VALUES (?1, ?2)")
    defer { statement.reset() }
    var name = table.name
    try name.withUTF8 { name in
      try keys.bytes.withUnsafeBytes { bytes in
        try statement.bind(text: UnsafeRawBufferPointer(name), at: 1)
        for case .text(let range) in keys.cells {
          try statement.bind(text: UnsafeRawBufferPointer(rebasing: bytes[range]), at: 2)
          try statement.run()
        }
      }
    }
  }
}
