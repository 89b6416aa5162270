import GRDB

/// Whole documents that tables of collections keep.
extension Readable {
  /// The documents of a table behind a path, in the order of paths; deleted ones are left out.
  package func documents(
    of table: String, after path: String, limit: Int
  ) throws -> [(path: String, document: String)] {
    let isMarked = try reader.count(
      "SELECT count(*) FROM pragma_table_info(?) WHERE name = ?", [table, SyncTable.deletedColumn])
    return try reader.rows(
      """
      SELECT document_path, document FROM \(table.quoted)
      WHERE document_path > ? AND document IS NOT NULL
      \(isMarked > 0 ? "AND \(SyncTable.deletedColumn) IS NULL" : "")
      ORDER BY document_path LIMIT ?
      """, [path, limit]
    ) { ($0.wholeText(0), $0.wholeText(1)) }
  }

  /// The rows of a table that keep a document.
  package func rowCount(of table: String) throws -> Int {
    try reader.count("SELECT count(document) FROM \(table.quoted)")
  }
}
