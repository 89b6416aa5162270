import GRDB
package import Model

/// Earlier versions of a collection's rows, in a table of their own; see
/// `docs/jobs/sync-collection.md#history`.
///
/// Triggers keep them, for every program that changes a row: no load has to know of them.
package enum HistoryTable {
  /// The columns beside those of the rows; times are microseconds since 1970.
  package static let ownColumns = ["valid_from", "valid_to", "seen_from", "seen_to", "changed"]

  /// `Orders_history`.
  package static func name(of table: String) -> String { "\(table)_history" }

  /// What the table is registered as.
  package static func source(of table: String) -> String {
    "\(sourcePrefix)\(table)"
  }

  fileprivate static let sourcePrefix = "earlier versions of the table "

  /// The table whose versions a registration's source names; nil for other sources.
  static func table(ofSource source: String) -> String? {
    source.hasPrefix(sourcePrefix) ? String(source.dropFirst(sourcePrefix.count)) : nil
  }

  /// What versions have of a table's columns.
  package static func columns(of table: SyncTable) -> [SyncTable.Column] {
    Array(table.columns.dropFirst(2).dropLast())
  }

  /// The registration of the versions of a table whose columns have these mappings.
  package static func registration(
    of table: String, _ mappings: [String: String]
  ) -> TableRegistration {
    TableRegistration(
      source: source(of: table), columns: mappings.filter { $0.key != SyncTable.deletedColumn })
  }

  fileprivate static func triggers(of table: SyncTable) -> [(name: String, sql: String)] {
    let triggers = VersionTriggers(table)
    return [triggers.changed, triggers.touched, triggers.deleted]
  }
}

/// The triggers of one table, by their names.
private struct VersionTriggers {
  private let table: SyncTable
  /// The columns that versions have as rows do, with those of the version.
  private let target: String
  private let old: String
  /// The columns whose change makes a version, each with the condition that it changed.
  private let differences: [(column: String, condition: String)]

  private var history: String { HistoryTable.name(of: table.name).quoted }
  /// When the row's document was found to be gone.
  private var marked: String { table.keepsDeleted ? "old.\(SyncTable.deletedColumn)" : "NULL" }
  private var isOther: String {
    let conditions = differences.map(\.condition).joined(separator: " OR ")
    return conditions.isEmpty ? "false" : "(\(conditions))"
  }

  init(_ table: SyncTable) {
    self.table = table
    let columns = table.columns.map(\.name).filter { $0 != "update_time" }
    target = (columns + HistoryTable.ownColumns).map(\.quoted).joined(separator: ", ")
    old = columns.map { "old.\($0.quoted)" }.joined(separator: ", ")
    differences = columns.dropFirst(2).map { column in
      (column, "\(Self.content("old", column)) IS NOT \(Self.content("new", column))")
    }
  }

  /// What of a column counts as content: a document without its times.
  private static func content(_ row: String, _ column: String) -> String {
    guard column == SyncTable.documentColumn else { return "\(row).\(column.quoted)" }
    return "json_remove(\(row).document, '$.updateTime', '$.createTime')"
  }

  private func name(_ word: String) -> String { "\(table.name)_version_\(word)" }

  /// A JSON list of the columns that changed.
  private var list: String {
    guard !differences.isEmpty else { return "'[]'" }
    let names = differences.map { column, condition in
      "SELECT '\(column.replacingScalars("'", with: "''"))' AS name WHERE \(condition)"
    }
    return "(SELECT json_group_array(name) FROM (\(names.joined(separator: " UNION ALL "))))"
  }

  /// A row with another content, or whose document is back.
  var changed: (name: String, sql: String) {
    let cameBack =
      table.keepsDeleted
      ? " OR (\(marked) IS NOT NULL AND new.\(SyncTable.deletedColumn) IS NULL)" : ""
    let until = "ifnull(\(marked), new.update_time)"
    return (
      name("changed"),
      """
      CREATE TRIGGER \(name("changed").quoted) AFTER UPDATE ON \(table.quoted)
      WHEN old.update_time > 0 AND new.update_time > 0
        AND new.update_time <> old.update_time AND (\(isOther)\(cameBack))
      BEGIN
        INSERT INTO \(history) (\(target)) VALUES (\(old), min(old.update_time, \(until)),
          \(until), old.synced_at, new.synced_at, \(list));
      END
      """
    )
  }

  /// A row that was written again with the same content: one version holds all such times.
  var touched: (name: String, sql: String) {
    let isSame = """
      \(table.key) = old.\(table.key) AND valid_to = old.update_time AND changed = '[]'
      """
    return (
      name("touched"),
      """
      CREATE TRIGGER \(name("touched").quoted) AFTER UPDATE ON \(table.quoted)
      WHEN old.update_time > 0 AND new.update_time > old.update_time AND NOT \(isOther)
        AND \(marked) IS NULL
      BEGIN
        INSERT INTO \(history) (\(target))
        SELECT \(old), old.update_time, old.update_time, old.synced_at, new.synced_at, '[]'
        WHERE NOT EXISTS (SELECT 1 FROM \(history) WHERE \(isSame));
        UPDATE \(history) SET valid_to = new.update_time, seen_to = new.synced_at
        WHERE \(isSame);
      END
      """
    )
  }

  /// A row whose document a sweep found to be gone; rows that are erased leave no version.
  var deleted: (name: String, sql: String) {
    let isGone = "table_name = '\(table.name)' AND key = old.\(table.key)"
    return (
      name("deleted"),
      """
      CREATE TRIGGER \(name("deleted").quoted) AFTER DELETE ON \(table.quoted)
      WHEN old.update_time > 0 AND EXISTS (SELECT 1 FROM tombstones WHERE \(isGone))
      BEGIN
        INSERT INTO \(history) (\(target))
        SELECT \(old), min(old.update_time, deleted_at), deleted_at, old.synced_at, deleted_at, NULL
        FROM tombstones WHERE \(isGone);
      END
      """
    )
  }
}

extension Readable {
  /// The tables whose earlier versions are kept.
  package func tablesWithHistory() throws -> [String] {
    let sources: [String] = try reader.values("SELECT source FROM sync_tables ORDER BY name")
    return sources.compactMap(HistoryTable.table(ofSource:))
  }
}

extension Writer {
  /// Lets triggers keep the earlier versions of a table's rows from now on.
  ///
  /// The table has the declared columns; `changes` are those that its versions need.
  package func keepHistory(of table: SyncTable, changing changes: ColumnChanges) throws {
    let name = HistoryTable.name(of: table.name)
    if try reader.storedTable(named: name) == nil {
      try createHistory(of: table)
    } else {
      try changeColumns(of: name, changes)
    }
    let registration = HistoryTable.registration(
      of: table.name, try reader.columnMappings(of: table.name))
    if try reader.storedTable(named: name)?.registration != registration {
      try register(name, as: registration)
    }
    for (trigger, sql) in HistoryTable.triggers(of: table) {
      let present: String? = try reader.value(
        "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name = ?", [trigger])
      guard present != sql else { continue }
      try run("DROP TRIGGER IF EXISTS \(trigger.quoted)")
      try run(sql)
    }
  }

  private func createHistory(of table: SyncTable) throws {
    let name = HistoryTable.name(of: table.name)
    let columns = HistoryTable.columns(of: table).map(\.declaration)
    let own = ["valid_from", "valid_to", "seen_from", "seen_to"].map { "\($0) INTEGER NOT NULL" }
    let all =
      ["document_path TEXT NOT NULL", "document_id TEXT NOT NULL"] + columns + own + [
        "changed TEXT"
      ]
    try run("CREATE TABLE \(name.quoted) (\n    \(all.joined(separator: ",\n    "))\n) STRICT")
    try run(
      "CREATE INDEX \("\(name)_document".quoted) ON \(name.quoted) (document_path, valid_to)")
  }

  /// Keeps no more versions; those that are kept stay.
  package func endHistory(of table: SyncTable) throws {
    for (trigger, _) in HistoryTable.triggers(of: table) {
      try run("DROP TRIGGER IF EXISTS \(trigger.quoted)")
    }
  }

  /// Removes versions that were replaced before `cutoff`, as we saw it; returns how many.
  package func removeVersions(of table: String, before cutoff: Instant) throws -> Int {
    try run(
      "DELETE FROM \(HistoryTable.name(of: table).quoted) WHERE seen_to < ?",
      [cutoff.microseconds])
  }
}

/// Tables as they were; see `docs/sql.md#as-of`.
extension Reader {
  /// Runs `body` while each table with a history, and its view, shows the rows as of a time.
  ///
  /// Views of this connection hide the tables meanwhile.
  ///
  /// - Throws: what `body` throws, and `DatabaseError`.
  package func withVersions<T>(asOf time: Instant, _ body: () throws -> T) throws -> T {
    let tables = try tablesWithHistory()
    try removeVersionViews(of: tables)
    try writingTemporaryTables {
      for table in tables { try makeVersionViews(of: table, asOf: time) }
    }
    defer {
      // They go with the connection at the latest.
      do { try removeVersionViews(of: tables) } catch {}
    }
    return try body()
  }

  private func makeVersionViews(of table: String, asOf time: Instant) throws {
    let names: [String] = try values("SELECT name FROM pragma_table_info(?)", [table])
    let history = HistoryTable.name(of: table)
    let kept: Set<String> = Set(try values("SELECT name FROM pragma_table_info(?)", [history]))
    let isMarked = names.contains(SyncTable.deletedColumn)
    let selected = names.map { name in
      switch name {
      case "update_time": "valid_from"
      case "synced_at": "seen_from"
      default: kept.contains(name) ? name.quoted : "NULL"
      }
    }
    let moment = time.microseconds
    let lives =
      isMarked
      ? " AND (\(SyncTable.deletedColumn) IS NULL OR \(SyncTable.deletedColumn) > \(moment))" : ""
    try database.execute(
      sql: """
        CREATE TEMP VIEW \(table.quoted) AS
        SELECT \(names.map(\.quoted).joined(separator: ", ")) FROM main.\(table.quoted)
        WHERE update_time <= \(moment)\(lives)
        UNION ALL SELECT \(selected.joined(separator: ", ")) FROM main.\(history.quoted)
        WHERE valid_from <= \(moment) AND valid_to > \(moment)
        """)
    let view: String? = try value(
      "SELECT sql FROM main.sqlite_schema WHERE type = 'view' AND name = ?", ["v_\(table)"])
    guard let view, view.hasPrefix("CREATE VIEW ") else { return }
    try database.execute(sql: "CREATE TEMP VIEW " + view.dropFirst("CREATE VIEW ".count))
  }

  private func removeVersionViews(of tables: [String]) throws {
    try writingTemporaryTables {
      for table in tables {
        for name in ["v_\(table)", table] {
          try database.execute(sql: "DROP VIEW IF EXISTS temp.\(name.quoted)")
        }
      }
    }
  }
}
