import GRDB
package import Model

/// What became of a range of a shard's rows.
package struct GatheredRows: Hashable, Sendable {
  package var inserted = 0
  /// Rows that were known with another `update_time`.
  package var updated = 0
  /// Rows that name an erased person, which are left out.
  package var erased = 0
}

/// Merging the rows of an attached shard; see `docs/shards.md#gather`.
///
/// What comes out is what `upsert` would have stored of the same documents in the same order: new
/// rows in the order of the shard, known ones in place and only with another `update_time`.
extension Writer {
  /// - Parameters:
  ///   - rows: the numbers of the rows to take.
  ///   - table: the table, whose shard has the same columns.
  ///   - erased: whose rows are left out.
  ///   - cells: those of a row that may name people; in a child row all may.
  ///   - remembersSkipped: whether the keys of such rows are stored as skipped, unless they name
  ///     people themselves.
  /// - Returns: what became of the rows.
  /// - Throws: the database's errors.
  package func gather(
    _ rows: ClosedRange<Int64>, into table: SyncTable, without erased: ErasedPeople = .none,
    in cells: PersonCells = .all, remembersSkipped: Bool = false
  ) throws -> GatheredRows {
    let sql = GatherStatements(table)
    let bounds: StatementArguments = [rows.lowerBound, rows.upperBound]
    var gathered = GatheredRows()
    try run("CREATE TEMP TABLE IF NOT EXISTS left_out (row INTEGER PRIMARY KEY)")
    try run("DELETE FROM temp.left_out")
    if !erased.isEmpty {
      try leaveOut(of: sql.rows, bounds) { row, key in
        let isErased = erased.areNamed(inLastRowOf: row, cells: cells)
        if isErased, remembersSkipped, !erased.areNamed(inKeyOfLastRowOf: row) {
          try run("INSERT OR IGNORE INTO main.skipped_documents VALUES (?, ?)", [table.name, key])
        }
        return isErased
      }
      for child in table.children {
        try leaveOut(of: sql.rows(of: child), bounds) { row, _ in
          erased.areNamed(inLastRowOf: row, cells: .all)
        }
      }
      gathered.erased = try reader.count("SELECT count(*) FROM temp.left_out")
    }
    do {
      gathered.inserted = try run(sql.insert(onlyNew: false), bounds)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      // Some row is known, and nothing was inserted. Which children change is told by the rows that
      // are known, so that they go first.
      for child in table.children {
        try run(sql.deleteRows(of: child), bounds)
        try run(sql.insertRows(of: child, onlyWritten: true), bounds)
      }
      gathered.updated = try run(sql.update, bounds)
      gathered.inserted = try run(sql.insert(onlyNew: true), bounds)
      return gathered
    }
    for child in table.children { try run(sql.insertRows(of: child, onlyWritten: false), bounds) }
    return gathered
  }

  /// Lists the rows that are left out, by the cells behind their number, the first of them the key.
  private func leaveOut(
    of sql: String, _ bounds: StatementArguments,
    _ isLeftOut: (TableRows, _ key: String) throws -> Bool
  ) throws {
    let rows = try Row.fetchCursor(database, sql: sql, arguments: bounds)
    while let row = try rows.next() {
      var cells = TableRows(width: max(1, row.count - 1))
      for column in 1..<row.count {
        // Only texts name people.
        let value: DatabaseValue = row[column]
        if case .string = value.storage {
          cells.append(text: row.wholeText(column))
        } else {
          cells.append(nil)
        }
      }
      guard try isLeftOut(cells, row.wholeText(1)) else { continue }
      let number: Int64 = row[0]
      try run("INSERT OR IGNORE INTO temp.left_out VALUES (?)", [number])
    }
  }

  /// Adds the skipped documents of an attached shard.
  package func gatherSkipped(of table: SyncTable) throws {
    try run(
      """
      INSERT OR IGNORE INTO main.skipped_documents
      SELECT table_name, key FROM shard.skipped_documents WHERE table_name = ?
      """, [table.name])
  }

  /// Adds the keys of all documents of an attached shard to the sweep of the table.
  package func sweepShard(of table: SyncTable) throws {
    try run(
      """
      INSERT OR IGNORE INTO main.swept_documents
      SELECT ?1, \(table.key) FROM shard.\(table.quoted)
      UNION ALL
      SELECT ?1, key FROM shard.skipped_documents WHERE table_name = ?1
      """, [table.name])
  }
}

/// The SQL of a merge of the rows from `?1` to `?2`: `new` are the shard's rows, `old` the table's.
private struct GatherStatements {
  private let table: SyncTable
  private let columns: [String]
  private let newColumns: String
  private let source: String
  private let isKnown: String
  /// Whether the known row equals the new one; false for a row whose document was gone.
  private let isSame: String
  private let isInRange = "new.rowid BETWEEN ?1 AND ?2"
  private let isTaken: String
  private let isWritten: String

  init(_ table: SyncTable) {
    self.table = table
    columns = table.columns.map(\.name.quoted) + ["synced_at"]
    newColumns = columns.map { "new.\($0)" }.joined(separator: ", ")
    source = "shard.\(table.quoted) AS new"
    isKnown = "old.\(table.key) = new.\(table.key)"
    isSame = "old.update_time = new.update_time\(table.isLive("old."))"
    isTaken = "\(isInRange) AND new.rowid NOT IN (SELECT row FROM temp.left_out)"
    isWritten =
      "NOT EXISTS (SELECT 1 FROM main.\(table.quoted) AS old WHERE \(isKnown) AND \(isSame))"
  }

  func insert(onlyNew: Bool) -> String {
    let isNew = "AND NOT EXISTS (SELECT 1 FROM main.\(table.quoted) AS old WHERE \(isKnown))"
    return """
      INSERT OR ABORT INTO main.\(table.quoted) (\(columns.joined(separator: ", ")))
      SELECT \(newColumns) FROM \(source)
      WHERE \(isTaken) \(onlyNew ? isNew : "") ORDER BY new.rowid
      """
  }

  var update: String {
    var assignments = columns.dropFirst().map { "\($0) = new.\($0)" }
    if table.keepsDeleted { assignments.append("\(SyncTable.deletedColumn) = NULL") }
    return """
      UPDATE main.\(table.quoted) AS old SET \(assignments.joined(separator: ", "))
      FROM \(source) WHERE \(isTaken) AND \(isKnown) AND NOT (\(isSame))
      """
  }

  /// Row number and cells.
  var rows: String { "SELECT new.rowid, \(newColumns) FROM \(source) WHERE \(isInRange)" }

  func rows(of child: ChildTable) -> String {
    "SELECT new.rowid, \(cells(of: child, "child.")) \(joined(child)) WHERE \(isInRange)"
  }

  func deleteRows(of child: ChildTable) -> String {
    """
    DELETE FROM main.\(child.quoted) WHERE \(ChildTable.pathColumn) IN (
      SELECT new.\(ChildTable.pathColumn) FROM \(source) WHERE \(isTaken) AND \(isWritten))
    """
  }

  func insertRows(of child: ChildTable, onlyWritten: Bool) -> String {
    """
    INSERT INTO main.\(child.quoted) (\(cells(of: child, "")))
    SELECT \(cells(of: child, "child.")) \(joined(child))
    WHERE \(isTaken)\(onlyWritten ? " AND \(isWritten)" : "") ORDER BY new.rowid
    """
  }

  private func joined(_ child: ChildTable) -> String {
    """
    FROM \(source) CROSS JOIN shard.\(child.quoted) AS child
      ON child.\(ChildTable.pathColumn) = new.\(ChildTable.pathColumn)
    """
  }

  private func cells(of child: ChildTable, _ prefix: String) -> String {
    child.allColumns.map { prefix + $0.name.quoted }.joined(separator: ", ")
  }
}
