import GRDB
import Model

/// A table with a row for each element of an array, or entry of a map, of another table's
/// documents; see `docs/jobs/sync-collection.md#child-tables`.
package struct ChildTable: Hashable, Sendable {
  /// The column of an array's indexes.
  package static let indexColumn = "idx"
  /// The column of the document's path, as in the parent table.
  package static let pathColumn = "document_path"

  package let name: String
  /// The index in an array, or the key in a map; with the document's path it is the key.
  package let position: SyncTable.Column
  package let columns: [SyncTable.Column]

  package init(name: String, position: SyncTable.Column, columns: [SyncTable.Column]) {
    self.name = name
    self.position = position
    self.columns = columns
  }

  /// In the order of a row's cells.
  var allColumns: [SyncTable.Column] {
    [SyncTable.Column(Self.pathColumn, .text), position] + columns
  }

  var quoted: String { name.quoted }

  var creation: String {
    let keys = [Self.pathColumn, position.name.quoted]
    let all =
      ["\(Self.pathColumn) TEXT NOT NULL", "\(position.declaration) NOT NULL"]
      + columns.map(\.declaration) + ["PRIMARY KEY (\(keys.joined(separator: ", ")))"]
    let lines = all.joined(separator: ",\n    ")
    return "CREATE TABLE \(quoted) (\n    \(lines)\n) STRICT, WITHOUT ROWID"
  }

  /// What the trigger is called that lets each document's rows go with the parent's row.
  package static func trigger(of name: String) -> String { name + triggerSuffix }

  fileprivate static let triggerSuffix = "_with_its_document"

  /// The statement that makes the trigger, which works for every program that deletes the parent's
  /// row.
  fileprivate static func trigger(of name: String, below parent: String) -> String {
    """
    CREATE TRIGGER IF NOT EXISTS \(trigger(of: name).quoted)
    AFTER DELETE ON \(parent.quoted) BEGIN
        DELETE FROM \(name.quoted) WHERE \(pathColumn) = old.\(pathColumn);
    END
    """
  }

  /// Parameters: the cells of that number of rows.
  func insert(rowCount: Int) -> String {
    let width = allColumns.count
    let rows = (0..<rowCount).map { row in
      "(\((1...width).map { "?\(row * width + $0)" }.joined(separator: ", ")))"
    }
    return """
      INSERT INTO \(quoted) (\(allColumns.map(\.name.quoted).joined(separator: ", ")))
      VALUES \(rows.joined(separator: ", "))
      """
  }
}

extension Readable {
  /// The child tables that jobs declare for this table.
  package func childTables(of table: String) throws -> [String] {
    try reader.values("SELECT name FROM sync_child_tables WHERE parent = ? ORDER BY name", [table])
  }

  /// The table whose child table this is; nil for one that no job declares.
  package func parent(ofChildTable name: String) throws -> String? {
    try reader.value("SELECT parent FROM sync_child_tables WHERE name = ?", [name])
  }
}

extension Writer {
  package func createTable(_ child: ChildTable) throws {
    try database.execute(sql: child.creation)
  }

  /// Ties a child table to its parent, with whose rows its rows are deleted.
  package func attach(_ child: ChildTable, to parent: SyncTable) throws {
    try run(
      "INSERT OR REPLACE INTO sync_child_tables (name, parent) VALUES (?, ?)",
      [child.name, parent.name])
    try run(ChildTable.trigger(of: child.name, below: parent.name))
  }

  package func clearChildTable(_ name: String) throws { try run("DELETE FROM \(name.quoted)") }

  /// Keeps the rows of a child table under another name, where they still go with their document.
  package func keepChildTable(_ name: String, as kept: String, below parent: SyncTable) throws {
    try run("DROP TRIGGER IF EXISTS \(ChildTable.trigger(of: name).quoted)")
    try renameTable(name, to: kept)
    try run("DELETE FROM sync_child_tables WHERE name = ?", [name])
    for table in ["sync_tables", "sync_fields", "sync_columns"] {
      let column = table == "sync_tables" ? "name" : "table_name"
      try run("UPDATE OR REPLACE \(table) SET \(column) = ? WHERE \(column) = ?", [kept, name])
    }
    try run(ChildTable.trigger(of: kept, below: parent.name))
    try refreshView(of: kept)
  }

  /// Forgets a child table that somebody dropped.
  package func forgetChildTable(_ name: String) throws {
    try run("DELETE FROM sync_child_tables WHERE name = ?", [name])
  }

  /// Removes the triggers of child tables that somebody dropped: no row could be deleted with them.
  package func removeTriggersWithoutTable(of parent: SyncTable) throws {
    let names: [String] = try reader.values(
      """
      SELECT name FROM sqlite_schema AS made
      WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE AND substr(name, -?3) = ?2
        AND NOT EXISTS (SELECT 1 FROM sqlite_schema AS child WHERE child.type = 'table'
          AND child.name = substr(made.name, 1, length(made.name) - ?3) COLLATE NOCASE)
      """, [parent.name, ChildTable.triggerSuffix, ChildTable.triggerSuffix.count])
    for name in names { try run("DROP TRIGGER \(name.quoted)") }
  }
}

/// The statements that replace the child rows of parent rows that were written.
struct ChildUpsert {
  private let insert: RawStatement
  private let insertMany: RawStatement
  private let delete: RawStatement
  private let width: Int

  init(_ table: ChildTable, in database: Database) throws {
    width = table.allColumns.count
    insert = try RawStatement(database, sql: table.insert(rowCount: 1))
    insertMany = try RawStatement(database, sql: table.insert(rowCount: RowUpsert.rowsAtOnce))
    delete = try RawStatement(
      database, sql: "DELETE FROM \(table.quoted) WHERE \(ChildTable.pathColumn) = ?1")
  }

  /// Stores the child rows of the parent rows that were written, in their order.
  func perform(_ written: [WrittenRow], _ children: ChildRows) throws {
    defer { for statement in [insert, insertMany, delete] { statement.reset() } }
    try children.rows.bytes.withUnsafeBytes { text in
      var pending = 0..<0
      for row in written {
        let range = children.range(of: row.index)
        if row.isKnown || range.lowerBound != pending.upperBound {
          try insert(pending, children.rows, text)
          pending = range
        } else {
          pending = pending.lowerBound..<range.upperBound
        }
        // Of documents with one path the last one stays.
        if row.isKnown { try row.key.withUnsafeBytes { try deleteRows(of: $0) } }
      }
      try insert(pending, children.rows, text)
    }
  }

  private func deleteRows(of key: UnsafeRawBufferPointer) throws {
    try delete.bind(text: key, at: 1)
    try delete.run()
  }

  private func insert(
    _ range: Range<Int>, _ rows: TableRows, _ text: UnsafeRawBufferPointer
  ) throws {
    var row = range.lowerBound
    while row < range.upperBound {
      let isMany = range.upperBound - row >= RowUpsert.rowsAtOnce
      let count = isMany ? RowUpsert.rowsAtOnce : 1
      let statement = isMany ? insertMany : insert
      try statement.bind(rows.cells[row * width..<(row + count) * width], in: text)
      try statement.run()
      row += count
    }
  }
}

struct WrittenRow {
  let index: Int
  let isKnown: Bool
  /// The document's path; empty for a new row.
  let key: [UInt8]
}
