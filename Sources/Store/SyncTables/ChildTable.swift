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

  /// The statement that creates the table.
  var creation: String {
    let keys = [Self.pathColumn, position.name.quoted]
    let all =
      ["\(Self.pathColumn) TEXT NOT NULL", "\(position.declaration) NOT NULL"]
      + columns.map(\.declaration) + ["PRIMARY KEY (\(keys.joined(separator: ", ")))"]
    let lines = all.joined(separator: ",\n    ")
    return "CREATE TABLE \(quoted) (\n    \(lines)\n) STRICT, WITHOUT ROWID"
  }

  /// The statement that lets each document's rows go with the parent's row, whoever deletes that.
  func trigger(below parent: SyncTable) -> String {
    """
    CREATE TRIGGER IF NOT EXISTS \("\(name)_with_its_document".quoted)
    AFTER DELETE ON \(parent.quoted) BEGIN
        DELETE FROM \(quoted) WHERE \(Self.pathColumn) = old.\(parent.key);
    END
    """
  }

  /// Parameters: the cells of so many rows.
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
    try String.fetchAll(
      reader.database, sql: "SELECT name FROM sync_child_tables WHERE parent = ? ORDER BY name",
      arguments: [table])
  }

  /// Whether nothing fills the table any more: its job does not declare it.
  package func isOrphan(childTable name: String) throws -> Bool {
    try reader.count("SELECT count(*) FROM sync_child_tables WHERE name = ?", [name]) == 0
  }
}

extension Writer {
  package func createTable(_ child: ChildTable) throws {
    try database.execute(sql: child.creation)
  }

  /// Adds missing columns, and empties those without a mapping.
  package func alterTable(
    _ child: ChildTable, adding added: [SyncTable.Column], emptying emptied: [String]
  ) throws {
    for column in added { try run("ALTER TABLE \(child.quoted) ADD COLUMN \(column.declaration)") }
    guard !emptied.isEmpty else { return }
    let assignments = emptied.map { "\($0.quoted) = NULL" }.joined(separator: ", ")
    try run("UPDATE \(child.quoted) SET \(assignments)")
  }

  /// Ties a child table to its parent, with whose rows its rows are deleted.
  package func attach(_ child: ChildTable, to parent: SyncTable) throws {
    try run(
      "INSERT OR REPLACE INTO sync_child_tables (name, parent) VALUES (?, ?)",
      [child.name, parent.name])
    try database.execute(sql: child.trigger(below: parent))
  }

  /// Empties a child table.
  package func clearChildTable(_ name: String) throws { try run("DELETE FROM \(name.quoted)") }

  /// Empties a child table that its job no longer declares; the table itself stays.
  package func detachChildTable(_ name: String) throws {
    if try database.tableExists(name) { try clearChildTable(name) }
    try run("DELETE FROM sync_child_tables WHERE name = ?", [name])
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

/// A parent row that an upsert wrote.
struct WrittenRow {
  let index: Int
  /// Whether the table had the row before.
  let isKnown: Bool
  /// The document's path; empty for a new row.
  let key: [UInt8]
}
