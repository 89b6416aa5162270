import GRDB
import Model

/// The views `v_NAME` of tables that jobs of kind sync-collection fill; see
/// `docs/export.md#views`.
extension Writer {
  /// A mark in each view that the program made; any other view of the name is left alone.
  private static let mark = "/* firetally */"

  /// Makes the view of a table as the table and its known fields are now, or removes it with the
  /// table.
  ///
  /// Call it in the transaction that makes or changes the table. Where something else has the name,
  /// there is no view.
  package func refreshView(of table: String) throws {
    let view = "v_\(table)"
    let present = try Row.fetchOne(
      database, sql: "SELECT type, sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE",
      arguments: [view])
    let wanted = try selection(of: table).map { "CREATE VIEW \(view.quoted) AS \(Self.mark) \($0)" }
    if let present {
      let sql: String = present["sql"]
      guard present["type"] == "view", sql.contains(Self.mark), sql != wanted else { return }
      try run("DROP VIEW \(view.quoted)")
    }
    if let wanted { try run(wanted) }
  }

  /// Removes the view of a table, if the program made it.
  func removeView(of table: String) throws {
    let view = "v_\(table)"
    let isOwn = try reader.count(
      """
      SELECT count(*) FROM sqlite_schema
      WHERE type = 'view' AND name = ? COLLATE NOCASE AND instr(sql, ?) > 0
      """, [view, Self.mark])
    if isOwn > 0 { try run("DROP VIEW \(view.quoted)") }
  }

  /// Removes the views of tables that somebody dropped: SQLite would change no table beside them.
  package func removeViewsWithoutTable() throws {
    let names: [String] = try reader.values(
      """
      SELECT name FROM sqlite_schema AS view
      WHERE type = 'view' AND instr(sql, ?) > 0 AND NOT EXISTS (
        SELECT 1 FROM sqlite_schema AS made
        WHERE made.type = 'table' AND made.name = substr(view.name, 3) COLLATE NOCASE)
      """, [Self.mark])
    for name in names { try run("DROP VIEW \(name.quoted)") }
  }

  /// Nil when there is no such table.
  private func selection(of table: String) throws -> String? {
    let columns = try reader.rows(
      "SELECT name, type FROM pragma_table_info(?)", [table]
    ) { row -> (name: String, type: String) in (row["name"], row["type"]) }
    guard
      try reader.count(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE",
        [table]) > 0
    else { return nil }
    return TimeViews.selection(
      of: table.quoted, try reader.instantColumns(ofCollectionTable: table),
      json: try columnsOfJSON(in: table), besides: columns.map(\.name))
  }

  /// The columns of typed JSON.
  private func columnsOfJSON(in table: String) throws -> [String] {
    try reader.values(
      """
      SELECT made.name FROM pragma_table_info(?1) AS made
      JOIN sync_columns AS declared ON declared.name = made.name COLLATE NOCASE
      WHERE declared.table_name = ?1 AND declared.mapping LIKE '% JSON'
      """, [table])
  }
}
