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

  /// The number of these documents.
  package func documentCount(of table: String) throws -> Int {
    try reader.count(
      "SELECT count(*) FROM \(table.quoted) WHERE \(hasDocument(in: table))")
  }

  /// The condition of rows with a document that is not marked as deleted.
  private func hasDocument(in table: String) throws -> String {
    let isMarked = try reader.hasRow(
      in: "pragma_table_info(?)", where: "name = ?", [table, SyncTable.deletedColumn])
    return "document IS NOT NULL" + (isMarked ? " AND \(SyncTable.deletedColumn) IS NULL" : "")
  }
}
