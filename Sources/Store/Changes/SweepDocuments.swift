import GRDB
package import Model

/// Deletes rows whose documents are gone: a sweep collects the keys of all documents that there are,
/// and the rows without one become tombstones. See `docs/rules.md#deletes`.
extension Writer {
  /// Forgets what an unfinished sweep of the table collected, and where it would go on, whatever
  /// job it is of: half a list would show the other half's documents as gone.
  package func clearSweep(of table: SyncTable) throws {
    try clearCursors(withPrefix: table.sweepPrefix)
    try run("DELETE FROM swept_documents WHERE table_name = ?", [table.name])
  }

  /// Collects the keys of documents that are there; `keys` has one text a row.
  ///
  /// To be committed page by page. A key that comes twice counts once.
  package func sweep(_ keys: TableRows, of table: SyncTable) throws {
    try insert(keys, of: table, into: "swept_documents")
  }

  /// Remembers documents that became no row, so that a count can tell them from rows that are missing.
  package func noteSkipped(_ keys: TableRows, of table: SyncTable) throws {
    try insert(keys, of: table, into: "skipped_documents")
  }

  /// Deletes every row that the sweep met no document of, leaves a tombstone for each, and forgets
  /// the sweep; returns how many those were.
  ///
  /// To be called once the sweep is complete: with nothing collected it deletes every row.
  package func deleteUnswept(of table: SyncTable, at snapshot: Instant) throws -> Int {
    try run(
      """
      INSERT OR REPLACE INTO tombstones (table_name, key, deleted_at)
      SELECT ?, row.\(table.key), ? FROM \(table.quoted) AS row
      WHERE \(Self.isUnswept("row.\(table.key)"))
      """, [table.name, snapshot.microseconds, table.name])
    let deleted = try run(
      "DELETE FROM \(table.quoted) WHERE \(Self.isUnswept(table.key))", [table.name])
    try run(
      """
      DELETE FROM skipped_documents WHERE table_name = ?
      AND \(Self.isUnswept("skipped_documents.key"))
      """, [table.name, table.name])
    try clearSweep(of: table)
    return deleted
  }

  /// Removes the tombstones of documents that are rows again.
  package func clearTombstonesOfRows(in table: SyncTable) throws {
    try run(
      """
      DELETE FROM tombstones WHERE table_name = ? AND EXISTS
      (SELECT 1 FROM \(table.quoted) AS row WHERE row.\(table.key) = tombstones.key)
      """, [table.name])
  }

  /// True for a key that the sweep did not meet; its one parameter is the table's name.
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
