import GRDB

/// Whole documents that tables of collections keep.
extension Readable {
  /// The documents of a table behind a path, in the order of paths; deleted ones are left out.
  package func documents(
    of table: String, after path: String, limit: Int
  ) throws -> [(path: String, document: String)] {
    try reader.rows(
      """
      SELECT document_path, document FROM \(table.quoted)
      WHERE document_path > ? AND \(hasDocument(in: table)) ORDER BY document_path LIMIT ?
      """, [path, limit]
    ) { ($0.wholeText(0), $0.wholeText(1)) }
  }

  /// The number of these documents, and when the newest of them was written, in microseconds since
  /// 1970; 0 without one.
  package func documentCount(of table: String) throws -> (count: Int, syncedAt: Int64) {
    let found: [(Int, Int64)] = try reader.rows(
      """
      SELECT count(*), ifnull(max(synced_at), 0) FROM \(table.quoted)
      WHERE \(hasDocument(in: table))
      """
    ) { ($0[0], $0[1]) }
    return found.first ?? (0, 0)
  }

  /// The condition of rows with a document that is not marked as deleted.
  private func hasDocument(in table: String) throws -> String {
    let isMarked = try reader.hasRow(
      in: "pragma_table_info(?)", where: "name = ?", [table, SyncTable.deletedColumn])
    return "document IS NOT NULL" + (isMarked ? " AND \(SyncTable.deletedColumn) IS NULL" : "")
  }
}
