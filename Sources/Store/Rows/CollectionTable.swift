/// The tables of jobs of kind sync-collection; see `docs/jobs.md#tables`.
extension SyncTable {
  /// Columns that every such table has, beside the declared ones.
  ///
  /// A declared column may not have one of these names, nor one of SQLite's names for a row's number.
  package static let ownColumns = [
    "document_path", "document_id", "document", "update_time", "synced_at",
  ]

  /// The names by which SQLite reads a row's number.
  package static let rowNumberNames = ["rowid", "oid", "_rowid_"]

  /// The column of whole documents.
  package static let documentColumn = "document"

  /// The table of a collection: a row's cells are the document's path and id, the declared columns,
  /// the whole document as JSON where it is kept, and `update_time`.
  package static func collection(
    name: String, columns: [Column], hasDocument: Bool
  ) -> SyncTable {
    SyncTable(
      name: name,
      columns: [Column("document_path", .text), Column("document_id", .text)] + columns
        + (hasDocument ? [Column(documentColumn, .text)] : [])
        + [Column("update_time", .integer)],
      cursorPrefix: "collection \(name) ")
  }

  /// Whether a table of this name, in any case, is one of the program's own or of SQLite's.
  package static func isReserved(_ name: String) -> Bool {
    let name = name.lowercased()
    return name.hasPrefix("sqlite_") || ownTables.contains(name)
  }

  /// The tables that the migrations make, and the one that counts these.
  private static var ownTables: Set<String> {
    let lines = Schema.migrations.flatMap { $0.sql.split(separator: "\n") }
    let made = lines.filter { $0.hasPrefix("CREATE TABLE ") }.map { line in
      line.dropFirst("CREATE TABLE ".count).prefix { $0 != " " }.lowercased()
    }
    return Set(made + ["grdb_migrations"])
  }

  /// The statement that makes the table.
  var creation: String {
    let declared = columns.dropFirst(2).dropLast().map(\.declaration)
    let all =
      ["\(key) TEXT PRIMARY KEY NOT NULL", "document_id TEXT NOT NULL"] + declared
      + ["update_time INTEGER NOT NULL", "synced_at INTEGER NOT NULL"]
    return "CREATE TABLE \(quoted) (\n    \(all.joined(separator: ",\n    "))\n) STRICT"
  }
}

extension SyncTable.Column {
  /// The column as CREATE TABLE and ALTER TABLE have it; NULL is for values that are not there.
  var declaration: String { "\(SyncTable.quoted(name)) \(type.rawValue)" }
}
