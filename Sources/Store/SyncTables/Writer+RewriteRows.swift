import GRDB
package import Model

/// A document as a table keeps it.
package struct KeptDocument: Hashable, Sendable {
  /// The document's path, the key of its row.
  package let key: String
  package let json: [UInt8]
}

/// Filling columns from the documents that a table keeps; see
/// `docs/jobs/sync-collection.md#changed-declarations`.
extension Readable {
  /// The last key whose row is filled; empty before the first, nil when nothing is to be filled.
  package func rewritePosition(of table: SyncTable) throws -> String? {
    try mark(named: table.rewriteMark)
  }

  /// Whether a row lacks its whole document: a read over all rows.
  package func lacksDocuments(_ table: SyncTable) throws -> Bool {
    try reader.hasRow(in: table.quoted, where: "\(SyncTable.documentColumn) IS NULL")
  }

  /// The next documents in the order of their keys, up to that number of bytes but at least one;
  /// empty after the last.
  package func keptDocuments(
    of table: SyncTable, after key: String, bytes: Int
  ) throws -> [KeptDocument] {
    let rows = try Row.fetchCursor(
      reader.database,
      sql: """
        SELECT \(table.key), \(SyncTable.documentColumn) FROM \(table.quoted)
        WHERE \(table.key) > ? ORDER BY \(table.key)
        """, arguments: [key])
    var documents: [KeptDocument] = []
    var left = bytes
    while left > 0, let row = try rows.next() {
      let document = KeptDocument(key: row.wholeText(0), json: Array(row.wholeText(1).utf8))
      documents.append(document)
      left -= document.json.count + 1
    }
    return documents
  }
}

extension Writer {
  /// Stores the last key whose row is filled; nil when all are.
  package func setRewritePosition(_ key: String?, of table: SyncTable) throws {
    try setMark(key, named: table.rewriteMark)
  }

  /// Writes the declared columns of existing rows, and their child rows.
  ///
  /// The document, its `update_time` and a mark of deletion stay. Rows whose key is not in the
  /// table are left out. Returns the number of written rows.
  package func rewrite(
    _ rows: TableRows, with children: [ChildRows], in table: SyncTable, at now: Instant
  ) throws -> Int {
    let statement = try RawStatement(database, sql: table.rewrite)
    defer { statement.reset() }
    let width = rows.width
    var written: [WrittenRow] = []
    try rows.bytes.withUnsafeBytes { text in
      try statement.bind(now.microseconds, at: Int32(width + 1))
      for index in 0..<rows.count {
        let cells = rows.cells[index * width..<(index + 1) * width]
        try statement.bind(cells, in: text)
        try statement.run()
        guard database.changesCount > 0, case .text(let key) = cells.first else { continue }
        written.append(WrittenRow(index: index, isKnown: true, key: Array(text[key])))
      }
    }
    for (child, rows) in zip(table.children, children) {
      try ChildUpsert(child, in: database).perform(written, rows)
    }
    return written.count
  }

  /// Makes the next load write the row of a key again.
  package func outdateRow(_ key: String, of table: SyncTable) throws {
    try run("UPDATE \(table.quoted) SET update_time = 0 WHERE \(table.key) = ?", [key])
  }
}

extension SyncTable {
  fileprivate var rewriteMark: MarkName { "rewrite of \(name)" }

  /// Parameters: the columns, then `synced_at`.
  fileprivate var rewrite: String {
    let kept = [Self.documentColumn, "update_time"]
    let assignments =
      columns.enumerated().dropFirst()
      .filter { !kept.contains($1.name) }
      .map { "\($1.name.quoted) = ?\($0 + 1)" } + ["synced_at = ?\(columns.count + 1)"]
    return "UPDATE \(quoted) SET \(assignments.joined(separator: ", ")) WHERE \(key) = ?1"
  }
}
