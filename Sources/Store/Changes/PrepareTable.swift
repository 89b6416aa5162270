import GRDB

extension Writer {
  /// Makes the table of a collection; what an earlier one of its name left behind is forgotten.
  package func createTable(_ table: SyncTable) throws {
    try clearCursors(of: table)
    try forgetFields(of: table)
    try database.execute(sql: table.creation)
  }

  /// Brings a table up to date with what its job declares now.
  ///
  /// Columns that it lacks are added, those that nothing fills any more are emptied. With
  /// `rewritesRows`, rows count as changed when their documents are met again.
  package func alterTable(
    _ table: SyncTable, adding added: [SyncTable.Column], emptying emptied: [String],
    rewritesRows: Bool
  ) throws {
    for column in added {
      try run("ALTER TABLE \(table.quoted) ADD COLUMN \(column.declaration)")
    }
    var assignments = emptied.map { "\(SyncTable.quoted($0)) = NULL" }
    if rewritesRows { assignments.append("update_time = 0") }
    guard !assignments.isEmpty else { return }
    try run("UPDATE \(table.quoted) SET \(assignments.joined(separator: ", "))")
    try clearCursors(of: table)
    try forgetFields(of: table)
  }

  /// Makes every row count as changed when its document is met again.
  package func outdateRows(of table: SyncTable) throws {
    try run("UPDATE \(table.quoted) SET update_time = 0")
  }

  /// Remembers what the table holds, for the next comparison.
  package func register(_ table: SyncTable, as registration: TableRegistration) throws {
    try run(
      "INSERT OR REPLACE INTO sync_tables (name, source) VALUES (?, ?)",
      [table.name, registration.source])
    try run("DELETE FROM sync_columns WHERE table_name = ?", [table.name])
    for (name, mapping) in registration.columns.sorted(by: { $0.key < $1.key }) {
      try run(
        "INSERT INTO sync_columns (table_name, name, mapping) VALUES (?, ?, ?)",
        [table.name, name, mapping])
    }
  }

  /// Remembers the fields that documents of the table have, each with its kinds, instead of earlier ones.
  package func setKnownFields(_ fields: [String: [String]], of table: SyncTable) throws {
    try forgetFields(of: table)
    for (field, kinds) in fields.sorted(by: { $0.key < $1.key }) {
      try run(
        "INSERT INTO sync_fields (table_name, field, kinds) VALUES (?, CAST(? AS TEXT), ?)",
        [table.name, field.wholeBytes, kinds.joined(separator: ",")])
    }
  }

  private func forgetFields(of table: SyncTable) throws {
    try run("DELETE FROM sync_fields WHERE table_name = ?", [table.name])
  }
}
