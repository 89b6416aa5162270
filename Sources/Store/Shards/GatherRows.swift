import GRDB
package import Model

/// A range of the rows of an attached shard, by their numbers, and what is known of the table.
package struct GatherRange: Hashable, Sendable {
  /// The last row that was taken before; 0 for none.
  package var after: Int64
  /// The last row to take.
  package var last: Int64
  /// Whether the table may hold rows of these keys.
  package var expectsKnown: Bool

  package init(after: Int64, last: Int64, expectsKnown: Bool) {
    self.after = after
    self.last = last
    self.expectsKnown = expectsKnown
  }
}

/// What became of a range of rows.
package struct GatheredRows: Hashable, Sendable {
  package var inserted = 0
  /// Rows that were known with another `update_time`, that of the first document of its key.
  package var updated = 0
  /// Rows that were left out.
  package var leftOut = 0
}

/// Which rows of a shard must not be stored; called with the rows of the table or of a child table.
package typealias LeavesOut = (_ rows: TableRows, _ row: Int, _ isChild: Bool) -> Bool

extension Readable {
  /// The number of the last row of an attached shard's table; 0 for none.
  package func lastRow(ofShardTable table: SyncTable) throws -> Int64 {
    try Int64.fetchOne(
      reader.database, sql: "SELECT max(rowid) FROM \(ShardFile.schema).\(table.quoted)") ?? 0
  }
}

/// Merging the rows of an attached shard; see `docs/shards.md#gather`.
///
/// What comes out is what `upsert` would have stored of the same documents in the same order: new
/// rows in the order of the shard, known ones in place and only with another `update_time`.
extension Writer {
  /// - Parameters:
  ///   - range: the rows to take.
  ///   - table: the table, whose shard has the same columns.
  ///   - leavesOut: decides on each row; nil when all of them are taken.
  ///   - noteLeftOut: whether the keys of rows that are left out are remembered as skipped.
  /// - Returns: what became of the rows.
  /// - Throws: the database's errors.
  package func gather(
    _ range: GatherRange, into table: SyncTable, leavesOut: LeavesOut? = nil,
    noteLeftOut: (_ rows: TableRows, _ row: Int) -> Bool = { _, _ in false }
  ) throws -> GatheredRows {
    let statements = GatherStatements(table)
    let bounds: StatementArguments = [range.after, range.last]
    if leavesOut == nil, !range.expectsKnown, let count = try insertAll(statements, bounds) {
      for child in table.children { try run(statements.insertAllRows(of: child), bounds) }
      return GatheredRows(inserted: count)
    }
    var gathered = GatheredRows()
    try run(GatherStatements.makeList)
    try run("DELETE FROM temp.gathered")
    try run(statements.list, bounds)
    if let leavesOut {
      gathered.leftOut = try leaveOut(range, of: table, leavesOut, noteLeftOut)
    }
    gathered.updated = try reader.count("SELECT coalesce(sum(flips), 0) FROM temp.gathered")
    for child in table.children { try run(statements.deleteRows(of: child)) }
    try run(statements.update)
    gathered.inserted = try run(statements.insertNew)
    for child in table.children { try run(statements.insertRows(of: child)) }
    return gathered
  }

  /// Inserts rows none of which is known; nil, and nothing is changed, when one is.
  private func insertAll(
    _ statements: GatherStatements, _ bounds: StatementArguments
  ) throws -> Int? {
    do {
      return try run(statements.insertAll, bounds)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      return nil
    }
  }

  /// Takes rows out of the list, and returns how many.
  private func leaveOut(
    _ range: GatherRange, of table: SyncTable, _ leavesOut: LeavesOut,
    _ noteLeftOut: (TableRows, Int) -> Bool
  ) throws -> Int {
    let statements = GatherStatements(table)
    var left: Set<Int64> = []
    var keys: [String] = []
    let sources =
      [(sql: statements.rows, isChild: false)]
      + table.children.map { (sql: statements.childRows($0), isChild: true) }
    for (sql, isChild) in sources {
      let found = try Row.fetchCursor(database, sql: sql, arguments: [range.after, range.last])
      while let row = try found.next() {
        let cells = TableRows(texts: row)
        guard leavesOut(cells, 0, isChild), left.insert(row[0]).inserted else { continue }
        if !isChild, noteLeftOut(cells, 0) { keys.append(row.wholeText(1)) }
      }
    }
    for row in left { try run("DELETE FROM temp.gathered WHERE row = ?", [row]) }
    for key in keys {
      try run("INSERT OR IGNORE INTO skipped_documents VALUES (?, ?)", [table.name, key])
    }
    return left.count
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
  private let table: SyncTable
  private let columns: [String]
  private let source: String
  private static let range = "new.rowid > ?1 AND new.rowid <= ?2"

  /// `row` and `old` are row numbers, the latter NULL for a new row; `writes` whether the row is
  /// written, `flips` whether the first document of its key had another `update_time`.
  static let makeList = """
    CREATE TEMP TABLE IF NOT EXISTS gathered
    (row INTEGER PRIMARY KEY, old INTEGER, writes INTEGER NOT NULL, flips INTEGER NOT NULL)
    """

  init(_ table: SyncTable) {
    self.table = table
    columns = table.columns.map(\.name.quoted) + ["synced_at"]
    source = "\(ShardFile.schema).\(table.quoted)"
  }

  private var columnList: String { columns.joined(separator: ", ") }
  private var newColumns: String { columns.map { "new.\($0)" }.joined(separator: ", ") }

  var insertAll: String {
    """
    INSERT OR ABORT INTO main.\(table.quoted) (\(columnList))
    SELECT \(newColumns) FROM \(source) AS new WHERE \(Self.range) ORDER BY new.rowid
    """
  }

  /// A row whose document was gone has the `update_time` -1, as in `SyncTable.selectFromKey`.
  var list: String {
    let known =
      table.keepsDeleted
      ? "iif(old.\(SyncTable.deletedColumn) IS NULL, old.update_time, -1)" : "old.update_time"
    return """
      INSERT INTO temp.gathered
      SELECT new.rowid, old.rowid,
        old.rowid IS NOT NULL AND (first.key IS NOT NULL OR \(known) <> new.update_time),
        old.rowid IS NOT NULL AND \(known) <> coalesce(first.update_time, new.update_time)
      FROM \(source) AS new
      LEFT JOIN main.\(table.quoted) AS old ON old.\(table.key) = new.\(table.key)
      LEFT JOIN \(ShardFile.schema).\(ShardFile.rewritten) AS first
        ON first.key = new.\(table.key)
      WHERE \(Self.range) ORDER BY new.rowid
      """
  }

  var update: String {
    var assignments = columns.dropFirst().map { "\($0) = new.\($0)" }
    if table.keepsDeleted { assignments.append("\(SyncTable.deletedColumn) = NULL") }
    return """
      UPDATE main.\(table.quoted) SET \(assignments.joined(separator: ", "))
      FROM temp.gathered AS list CROSS JOIN \(source) AS new
      WHERE list.writes AND new.rowid = list.row AND main.\(table.quoted).rowid = list.old
      """
  }

  var insertNew: String {
    """
    INSERT INTO main.\(table.quoted) (\(columnList))
    SELECT \(newColumns) FROM temp.gathered AS list CROSS JOIN \(source) AS new
    WHERE list.old IS NULL AND new.rowid = list.row ORDER BY list.row
    """
  }

  /// Row number and cells, for a look at each.
  var rows: String {
    "SELECT new.rowid, \(newColumns) FROM \(source) AS new WHERE \(Self.range) ORDER BY new.rowid"
  }

  func childRows(_ child: ChildTable) -> String {
    """
    SELECT new.rowid, \(Self.cells(of: child)) FROM \(source) AS new
    CROSS JOIN \(ShardFile.schema).\(child.quoted) AS child ON \(Self.isOf(child))
    WHERE \(Self.range)
    """
  }

  func insertAllRows(of child: ChildTable) -> String {
    """
    INSERT INTO main.\(child.quoted) (\(Self.names(of: child)))
    SELECT \(Self.cells(of: child)) FROM \(source) AS new
    CROSS JOIN \(ShardFile.schema).\(child.quoted) AS child ON \(Self.isOf(child))
    WHERE \(Self.range) ORDER BY new.rowid
    """
  }

  func deleteRows(of child: ChildTable) -> String {
    """
    DELETE FROM main.\(child.quoted) WHERE \(ChildTable.pathColumn) IN (
      SELECT new.\(ChildTable.pathColumn) FROM temp.gathered AS list
      CROSS JOIN \(source) AS new WHERE list.writes AND new.rowid = list.row)
    """
  }

  func insertRows(of child: ChildTable) -> String {
    """
    INSERT INTO main.\(child.quoted) (\(Self.names(of: child)))
    SELECT \(Self.cells(of: child)) FROM temp.gathered AS list
    CROSS JOIN \(source) AS new
    CROSS JOIN \(ShardFile.schema).\(child.quoted) AS child ON \(Self.isOf(child))
    WHERE (list.writes OR list.old IS NULL) AND new.rowid = list.row ORDER BY list.row
    """
  }

  private static func isOf(_ child: ChildTable) -> String {
    "child.\(ChildTable.pathColumn) = new.\(ChildTable.pathColumn)"
  }

  private static func names(of child: ChildTable) -> String {
    child.allColumns.map(\.name.quoted).joined(separator: ", ")
  }

  private static func cells(of child: ChildTable) -> String {
    child.allColumns.map { "child.\($0.name.quoted)" }.joined(separator: ", ")
  }
}
