import GRDB
import Model

/// How the columns of a table in the database become the declared ones; see
/// `docs/jobs/sync-collection.md#changed-declarations`.
package struct ColumnChanges: Hashable, Sendable {
  /// A column whose values stay under another name.
  package struct Kept: Hashable, Sendable {
    /// As it is in the database.
    package var column: String
    package var name: String
    /// Whether a new column gets the old name; indexes and views then belong to the new one.
    package var isReplaced: Bool

    package init(_ column: String, as name: String, isReplaced: Bool) {
      self.column = column
      self.name = name
      self.isReplaced = isReplaced
    }
  }

  package var added: [SyncTable.Column]
  package var kept: [Kept]

  package init(added: [SyncTable.Column] = [], kept: [Kept] = []) {
    self.added = added
    self.kept = kept
  }

  package var isEmpty: Bool { added.isEmpty && kept.isEmpty }
}

extension Writer {
  /// Changes the columns of a table; new ones are NULL.
  ///
  /// What reads a column that is only kept (an index, a view, a trigger) follows it to its new
  /// name. Register the table's declaration in the same transaction: that makes its view again.
  package func changeColumns(of table: String, _ changes: ColumnChanges) throws {
    guard !changes.isEmpty else { return }
    try alteringSchema(of: table) {
      try rename(changes.kept.filter { !$0.isReplaced }, in: table)
      let before = try dependents()
      try rename(changes.kept.filter(\.isReplaced), in: table)
      try dropFollowers(before)
      for column in changes.added {
        try run("ALTER TABLE \(table.quoted) ADD COLUMN \(column.declaration)")
      }
      try restore(before)
    }
  }

  /// Gives a table another name; its indexes and all views follow it.
  package func renameTable(_ table: String, to name: String) throws {
    try alteringSchema(of: table) {
      try settingViewsAside {
        try run("ALTER TABLE \(table.quoted) RENAME TO \(name.quoted)")
      }
    }
  }

  /// Does what SQLite refuses beside a view or a trigger that does not work.
  ///
  /// The program's own view of the table is removed; other views that do not work, or would not,
  /// are set aside.
  private func alteringSchema(of table: String, _ change: () throws -> Void) throws {
    try removeViewsWithoutTable()
    try removeView(of: table)
    let views = try views()
    for view in views where !isWorking(view) { try run("DROP VIEW \(view.name.quoted)") }
    try change()
    try restore(views)
  }

  private func rename(_ columns: [ColumnChanges.Kept], in table: String) throws {
    for kept in columns {
      try settingViewsAside {
        try run(
          """
          ALTER TABLE \(table.quoted)
          RENAME COLUMN \(kept.column.quoted) TO \(kept.name.quoted)
          """)
      }
    }
  }

  /// Tries again without the newest view for as long as SQLite refuses: a view of a view does not
  /// follow a renaming.
  private func settingViewsAside(_ rename: () throws -> Void) throws {
    var views = try views()
    while true {
      do {
        return try rename()
      } catch let error as DatabaseError {
        guard let newest = views.popLast() else { throw error }
        try run("DROP VIEW \(newest.name.quoted)")
      }
    }
  }

  private func views() throws -> [Dependent] { try dependents().filter { $0.type == "view" } }

  /// Indexes, views and triggers, in the order in which they were made.
  private func dependents() throws -> [Dependent] {
    try reader.rows(
      """
      SELECT type, name, sql FROM sqlite_schema
      WHERE type IN ('index', 'view', 'trigger') AND sql IS NOT NULL ORDER BY rowid
      """
    ) { Dependent(type: $0["type"], name: $0["name"], sql: $0["sql"]) }
  }

  private func isWorking(_ view: Dependent) -> Bool {
    do {
      _ = try database.makeStatement(sql: "SELECT * FROM \(view.name.quoted)")
      return true
    } catch {
      return false
    }
  }

  /// Drops what a renaming has changed.
  private func dropFollowers(_ before: [Dependent]) throws {
    let known = Set(before)
    for changed in try dependents() where !known.contains(changed) {
      try run("DROP \(changed.type) IF EXISTS \(changed.name.quoted)")
    }
  }

  /// Makes those again that are missing, as they were.
  private func restore(_ before: [Dependent]) throws {
    let present = Set(try dependents().map(\.name))
    for missing in before where !present.contains(missing.name) { try run(missing.sql) }
  }
}

private struct Dependent: Hashable {
  let type: String
  let name: String
  let sql: String
}

extension Readable {
  /// The indexes that cover a column, by name; SQLite drops no column that has one.
  package func indexes(on column: String, of table: String) throws -> [String] {
    try reader.values(
      """
      SELECT list.name FROM pragma_index_list(?1) AS list
      JOIN pragma_index_info(list.name) AS info
      WHERE list.origin = 'c' AND info.name = ?2 COLLATE NOCASE ORDER BY 1
      """, [table, column])
  }
}
