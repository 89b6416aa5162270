import GRDB
import Model

/// The tables of jobs of kind sync-collection; see `docs/jobs/sync-collection.md#tables`.
extension SyncTable {
  /// The columns that every such table has besides the declared ones.
  ///
  /// No declared column may have one of these names or one of `rowNumberNames`.
  package static let ownColumns = [
    "document_path", "document_id", "document", "update_time", "synced_at",
  ]

  /// SQLite's names for a row's number.
  package static let rowNumberNames = ["rowid", "oid", "_rowid_"]

  package static let documentColumn = "document"

  /// The column with the time when a row's document was found to be gone.
  package static let deletedColumn = "deleted_at"

  /// The table of a collection.
  ///
  /// A row's cells are the document's path and id, the declared columns, the whole document as JSON
  /// if `hasDocument`, and `update_time`.
  package static func collection(
    name: String, columns: [Column], hasDocument: Bool, children: [ChildTable] = [],
    keepsDeleted: Bool = false
  ) -> SyncTable {
    SyncTable(
      name: name,
      columns: [Column("document_path", .text), Column("document_id", .text)] + columns
        + (hasDocument ? [Column(documentColumn, .text)] : [])
        + [Column("update_time", .integer)],
      cursorPrefix: "collection \(name) ", children: children, keepsDeleted: keepsDeleted)
  }

  /// Whether a name, in any case, belongs to a table of the program or of SQLite.
  package static func isReserved(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasPrefix("sqlite_") || ownTables.contains(name)
  }

  /// The tables that the migrations create, GRDB's table of migrations, and that of backups.
  private static var ownTables: Set<String> {
    let lines = Schema.migrations.flatMap { $0.sql.split(separator: "\n") }
    let made = ["CREATE TABLE ", "CREATE VIEW IF NOT EXISTS "].flatMap { verb in
      lines.filter { $0.hasPrefix(verb) }.map { line in
        line.dropFirst(verb.count).prefix { $0 != " " }.lowercased()
      }
    }
    return Set(made + ["grdb_migrations", BackupFiles.table])
  }

  var creation: String {
    let declared = columns.dropFirst(2).dropLast().map(\.declaration)
    let all =
      ["\(key) TEXT PRIMARY KEY NOT NULL", "document_id TEXT NOT NULL"] + declared
      + ["update_time INTEGER NOT NULL", "synced_at INTEGER NOT NULL"]
      + (keepsDeleted ? ["\(Self.deletedColumn) INTEGER"] : [])
    return "CREATE TABLE \(quoted) (\n    \(all.joined(separator: ",\n    "))\n) STRICT"
  }
}

extension SyncTable.Column {
  /// The column in CREATE TABLE and ALTER TABLE; missing values are NULL.
  var declaration: String { "\(name.quoted) \(type.rawValue)" }
}

/// The declaration of a job of kind sync-collection when it created or last changed its table.
package struct TableRegistration: Hashable, Sendable {
  package var source: String
  package var columns: [String: String]

  package init(source: String, columns: [String: String]) {
    self.source = source
    self.columns = columns
  }
}

/// A table as it is in the database.
package struct StoredTable: Hashable, Sendable {
  /// Nil for a table that no job created.
  package var registration: TableRegistration?
  package var columns: [SyncTable.Column]
}

extension Readable {
  /// The table of a name, in any case; nil when nothing in the database has the name.
  package func storedTable(named name: String) throws -> StoredTable? {
    let isThere = try reader.count(
      "SELECT count(*) FROM sqlite_schema WHERE name = ? COLLATE NOCASE", [name])
    guard isThere > 0 else { return nil }
    return StoredTable(registration: try registration(of: name), columns: try columns(of: name))
  }

  private func registration(of name: String) throws -> TableRegistration? {
    try reader.value("SELECT source FROM sync_tables WHERE name = ?", [name]).map { source in
      TableRegistration(source: source, columns: try columnMappings(of: name))
    }
  }

  /// What fills the columns of a table, by their names.
  func columnMappings(of table: String) throws -> [String: String] {
    let mappings: [(String, String)] = try reader.rows(
      "SELECT name, mapping FROM sync_columns WHERE table_name = ?", [table]
    ) { ($0["name"], $0["mapping"]) }
    return Dictionary(mappings) { _, last in last }
  }

  private func columns(of name: String) throws -> [SyncTable.Column] {
    try reader.rows("SELECT name, type FROM pragma_table_xinfo(?)", [name]) { row in
      // What somebody else added may be of a type that no declared column has.
      SyncTable.Column(row["name"], SyncTable.ColumnType(rawValue: row["type"]) ?? .blob)
    }
  }

  /// The fields that earlier runs saw in the documents of a table, each with its kinds.
  package func knownFields(of table: SyncTable) throws -> [String: [String]] {
    var fields: [String: [String]] = [:]
    try reader.forEachRow("SELECT field, kinds FROM sync_fields WHERE table_name = ?", [table.name])
    { row in
      fields[row.wholeText(0)] = row.wholeText(1).split(separator: ",").map(String.init)
    }
    return fields
  }
}

extension Writer {
  /// Creates the table of a collection and deletes what an earlier table of its name left.
  package func createTable(_ table: SyncTable) throws {
    try removeViewsWithoutTable()
    try clearCursors(of: table)
    try forgetFields(of: table)
    try setRewritePosition(nil, of: table)
    try database.execute(sql: table.creation)
  }

  /// Makes the next sync write every row again.
  package func outdateRows(of table: SyncTable) throws {
    try run("UPDATE \(table.quoted) SET update_time = 0")
  }

  /// Stores the table's declaration, for the next comparison.
  package func register(_ table: String, as registration: TableRegistration) throws {
    try insert(
      into: "sync_tables", [("name", table), ("source", registration.source)], orReplace: true)
    try run("DELETE FROM sync_columns WHERE table_name = ?", [table])
    for (name, mapping) in registration.columns.sorted(by: { $0.key < $1.key }) {
      try insert(
        into: "sync_columns", [("table_name", table), ("name", name), ("mapping", mapping)])
    }
    try refreshView(of: table)
  }

  /// Replaces the stored fields of the table's documents, each with its kinds.
  package func setKnownFields(_ fields: [String: [String]], of table: SyncTable) throws {
    try forgetFields(of: table)
    for (field, kinds) in fields.sorted(by: { $0.key < $1.key }) {
      try run(
        "INSERT INTO sync_fields (table_name, field, kinds) VALUES (?, CAST(? AS TEXT), ?)",
        [table.name, field.wholeBytes, kinds.joined(separator: ",")])
    }
    try refreshView(of: table.name)
  }

  /// Forgets the fields of the table's documents, so that the next run compares with nothing.
  package func forgetFields(of table: SyncTable) throws {
    try run("DELETE FROM sync_fields WHERE table_name = ?", [table.name])
  }
}
