import GRDB

extension Readable {
  /// Whether a table has no rows, or is not there yet.
  package func isEmpty(_ table: SyncTable) throws -> Bool {
    guard try reader.database.tableExists(table.name) else { return true }
    return try reader.count("SELECT EXISTS (SELECT 1 FROM \(table.quoted))") == 0
  }

  /// How many rows a table has, and how many documents are known that became no row.
  ///
  /// O(rows), of the narrowest index.
  package func mirrorCounts(of table: SyncTable) throws -> (rows: Int, skipped: Int) {
    let rows = try reader.count("SELECT count(*) FROM \(table.quoted)")
    let skipped = try reader.count(
      """
      SELECT count(*) FROM skipped_documents AS skipped WHERE table_name = ? AND NOT EXISTS
      (SELECT 1 FROM \(table.quoted) AS row WHERE row.\(table.key) = skipped.key)
      """, [table.name])
    return (rows, skipped)
  }

  /// How many rows the sweep has met no document of.
  package func unsweptCount(of table: SyncTable) throws -> Int {
    try reader.count(
      """
      SELECT count(*) FROM \(table.quoted) AS row
      WHERE \(Writer.isUnswept("row.\(table.key)"))
      """, [table.name])
  }

  /// The snapshots in which documents of the table turned out to be gone, by key.
  package func tombstones(of table: SyncTable) throws -> [String: Int64] {
    let rows = try Row.fetchCursor(
      reader.database, sql: "SELECT key, deleted_at FROM tombstones WHERE table_name = ?",
      arguments: [table.name])
    var tombstones: [String: Int64] = [:]
    while let row = try rows.next() { tombstones[row[0]] = row[1] }
    return tombstones
  }
}
