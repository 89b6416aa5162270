import GRDB

/// What a job of kind sync-collection said when it made or last changed its table.
package struct TableRegistration: Hashable, Sendable {
  /// Which documents the rows are.
  package var source: String
  /// By column, what fills it.
  package var columns: [String: String]

  package init(source: String, columns: [String: String]) {
    self.source = source
    self.columns = columns
  }
}

/// A table as it is in the file.
package struct StoredTable: Hashable, Sendable {
  /// Nil for one that no job made.
  package var registration: TableRegistration?
  package var columns: [SyncTable.Column]

  package init(registration: TableRegistration?, columns: [SyncTable.Column]) {
    self.registration = registration
    self.columns = columns
  }
}

extension Readable {
  /// The table of that name, in any case; nil when nothing in the database is called so.
  package func storedTable(named name: String) throws -> StoredTable? {
    let isThere = try reader.count(
      "SELECT count(*) FROM sqlite_schema WHERE name = ? COLLATE NOCASE", [name])
    guard isThere > 0 else { return nil }
    return StoredTable(
      registration: try registration(of: name), columns: try columns(of: name))
  }

  private func registration(of name: String) throws -> TableRegistration? {
    let database = reader.database
    guard
      let source = try String.fetchOne(
        database, sql: "SELECT source FROM sync_tables WHERE name = ?", arguments: [name])
    else { return nil }
    let rows = try Row.fetchAll(
      database, sql: "SELECT name, mapping FROM sync_columns WHERE table_name = ?",
      arguments: [name])
    return TableRegistration(
      source: source,
      columns: Dictionary(rows.map { ($0["name"], $0["mapping"]) }) { _, last in last })
  }

  private func columns(of name: String) throws -> [SyncTable.Column] {
    try Row.fetchAll(
      reader.database, sql: "SELECT name, type FROM pragma_table_info(?)", arguments: [name]
    ).compactMap { row in
      SyncTable.ColumnType(rawValue: row["type"]).map { SyncTable.Column(row["name"], $0) }
    }
  }

  /// The fields that earlier runs met in the documents of a table, each with its kinds.
  package func knownFields(of table: SyncTable) throws -> [String: [String]] {
    let rows = try Row.fetchCursor(
      reader.database, sql: "SELECT field, kinds FROM sync_fields WHERE table_name = ?",
      arguments: [table.name])
    var fields: [String: [String]] = [:]
    while let row = try rows.next() {
      fields[row.wholeText(0)] = row.wholeText(1).split(separator: ",").map(String.init)
    }
    return fields
  }
}
