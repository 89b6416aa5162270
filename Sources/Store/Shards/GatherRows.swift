import GRDB
package import Model

/// What became of a range of a shard's rows.
package struct GatheredRows: Hashable, Sendable {
  package var inserted = 0
  /// Rows that were known with another `update_time`.
  package var updated = 0
  package var leftOut = 0
}

/// Which rows of a shard must not be stored; called with each row of the table and of its children.
package typealias LeavesOut = (_ row: TableRows, _ isChild: Bool) -> Bool

/// Merging the rows of an attached shard; see `docs/shards.md#gather`.
///
/// What comes out is what `upsert` would have stored of the same documents in the same order: new
/// rows in the order of the shard, known ones in place and only with another `update_time`.
extension Writer {
  /// - Parameters:
  ///   - rows: the numbers of the rows to take.
  ///   - table: the table, whose shard has the same columns.
  ///   - leavesOut: decides on each row; nil when all of them are taken.
  ///   - noteLeftOut: whether the key of a row that is left out is remembered as skipped.
  /// - Returns: what became of the rows.
  /// - Throws: the database's errors.
  package func gather(
    _ rows: ClosedRange<Int64>, into table: SyncTable, leavesOut: LeavesOut? = nil,
    noteLeftOut: (_ row: TableRows) -> Bool = { _ in false }
  ) throws -> GatheredRows {
    let statements = GatherStatements(table)
    let bounds: StatementArguments = [rows.lowerBound, rows.upperBound]
    var gathered = GatheredRows()
    try run("CREATE TEMP TABLE IF NOT EXISTS left_out (row INTEGER PRIMARY KEY)")
    try run("DELETE FROM temp.left_out")
    if let leavesOut {
      try leaveOut(statements, bounds, leavesOut, noteLeftOut)
      gathered.leftOut = try reader.count("SELECT count(*) FROM temp.left_out")
    }
    if let count = try insertUnknown(statements, bounds) {
      gathered.inserted = count
      for child in table.children {
        try run(statements.insertRows(of: child, onlyWritten: false), bounds)
      }
      return gathered
    }
    // Which children change is told by the rows that are known, so that they go first.
    for child in table.children {
      try run(statements.deleteRows(of: child), bounds)
      try run(statements.insertRows(of: child, onlyWritten: true), bounds)
    }
    gathered.updated = try run(statements.update, bounds)
    gathered.inserted = try run(statements.insert(onlyNew: true), bounds)
    return gathered
  }

  /// Inserts rows none of which is known; nil, and nothing is changed, when one is.
  private func insertUnknown(
    _ statements: GatherStatements, _ bounds: StatementArguments
  ) throws -> Int? {
    do {
      return try run(statements.insert(onlyNew: false), bounds)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      return nil
    }
  }

  /// Lists the rows that are left out.
  private func leaveOut(
    _ statements: GatherStatements, _ bounds: StatementArguments, _ leavesOut: LeavesOut,
    _ noteLeftOut: (TableRows) -> Bool
  ) throws {
    let table = statements.table
    let sources =
      [(statements.rows, false)] + table.children.map { (statements.rows(of: $0), true) }
    for (sql, isChild) in sources {
      let found = try Row.fetchCursor(database, sql: sql, arguments: bounds)
      while let row = try found.next() {
        let cells = TableRows(texts: row)
        guard leavesOut(cells, isChild) else { continue }
        let number: Int64 = row[0]
        try run("INSERT OR IGNORE INTO temp.left_out VALUES (?)", [number])
        guard !isChild, noteLeftOut(cells) else { continue }
        try run(
          "INSERT OR IGNORE INTO main.skipped_documents VALUES (?, ?)",
          [table.name, row.wholeText(1)])
      }
    }
  }

  /// Adds the skipped documents of an attached shard.
  package func gatherSkipped(of table: SyncTable) throws {
    try run(
      """
      INSERT OR IGNORE INTO main.skipped_documents
      SELECT table_name, key FROM \(ShardFile.schema).skipped_documents WHERE table_name = ?
      """, [table.name])
  }

  /// Adds the keys of all documents of an attached shard to the sweep of the table.
  package func sweepShard(of table: SyncTable) throws {
    try run(
      """
      INSERT OR IGNORE INTO main.swept_documents
      SELECT ?1, \(table.key) FROM \(ShardFile.schema).\(table.quoted)
      UNION ALL
      SELECT ?1, key FROM \(ShardFile.schema).skipped_documents WHERE table_name = ?1
      """, [table.name])
  }
}

extension TableRows {
  /// The cells of a row behind its number, of which only the texts count.
  fileprivate init(texts row: Row) {
    self.init(width: max(1, row.count - 1))
    for column in 1..<row.count {
      let value: DatabaseValue = row[column]
      if case .string = value.storage {
        append(text: row.wholeText(column))
      } else {
        append(nil)
      }
    }
  }
}

/// The SQL of a merge: `new` are the shard's rows, `old` the table's.
private struct GatherStatements {
  let table: SyncTable
  private let columns: [String]
  private let source: String
  private static let isInRange = "new.rowid BETWEEN ?1 AND ?2"
  private static let isTaken = "\(isInRange) AND new.rowid NOT IN (SELECT row FROM temp.left_out)"

  init(_ table: SyncTable) {
    self.table = table
    columns = table.columns.map(\.name.quoted) + ["synced_at"]
    source = "\(ShardFile.schema).\(table.quoted) AS new"
  }

  private var newColumns: String { columns.map { "new.\($0)" }.joined(separator: ", ") }

  /// Whether the known row is the new one; none is whose document was gone.
  private var isSame: String { "old.update_time = new.update_time\(table.isLive("old."))" }

  private func isKnown(_ condition: String = "") -> String {
    """
    EXISTS (SELECT 1 FROM main.\(table.quoted) AS old
      WHERE old.\(table.key) = new.\(table.key)\(condition))
    """
  }

  private var isWritten: String { "NOT \(isKnown(" AND \(isSame)"))" }

  func insert(onlyNew: Bool) -> String {
    """
    INSERT OR ABORT INTO main.\(table.quoted) (\(columns.joined(separator: ", ")))
    SELECT \(newColumns) FROM \(source)
    WHERE \(Self.isTaken)\(onlyNew ? " AND NOT \(isKnown())" : "") ORDER BY new.rowid
    """
  }

  var update: String {
    var assignments = columns.dropFirst().map { "\($0) = new.\($0)" }
    if table.keepsDeleted { assignments.append("\(SyncTable.deletedColumn) = NULL") }
    return """
      UPDATE main.\(table.quoted) AS old SET \(assignments.joined(separator: ", "))
      FROM \(source)
      WHERE \(Self.isTaken) AND old.\(table.key) = new.\(table.key) AND NOT (\(isSame))
      """
  }

  /// Row number and cells, for a look at each.
  var rows: String { "SELECT new.rowid, \(newColumns) FROM \(source) WHERE \(Self.isInRange)" }

  func rows(of child: ChildTable) -> String {
    "SELECT new.rowid, \(Self.cells(of: child)) \(joined(child)) WHERE \(Self.isInRange)"
  }

  func deleteRows(of child: ChildTable) -> String {
    """
    DELETE FROM main.\(child.quoted) WHERE \(ChildTable.pathColumn) IN (
      SELECT new.\(ChildTable.pathColumn) FROM \(source) WHERE \(Self.isTaken) AND \(isWritten))
    """
  }

  func insertRows(of child: ChildTable, onlyWritten: Bool) -> String {
    """
    INSERT INTO main.\(child.quoted) (\(Self.cells(of: child, "")))
    SELECT \(Self.cells(of: child)) \(joined(child))
    WHERE \(Self.isTaken)\(onlyWritten ? " AND \(isWritten)" : "") ORDER BY new.rowid
    """
  }

  private func joined(_ child: ChildTable) -> String {
    """
    FROM \(source) CROSS JOIN \(ShardFile.schema).\(child.quoted) AS child
      ON child.\(ChildTable.pathColumn) = new.\(ChildTable.pathColumn)
    """
  }

  private static func cells(of child: ChildTable, _ prefix: String = "child.") -> String {
    child.allColumns.map { prefix + $0.name.quoted }.joined(separator: ", ")
  }
}
