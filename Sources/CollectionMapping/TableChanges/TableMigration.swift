import Firestore
package import Store
import Sync
import Workspace

/// The changes that a job's declaration makes in the database before documents are fetched; see
/// `docs/decisions/035-changed-declarations.md`.
package struct TableMigration: Sendable {
  struct Child: Sendable {
    var field: ExplodedField
    var registration: TableRegistration
    var table: TableChanges
    /// The new name of the former table of this name, which held other elements; nil for none.
    var replacedKeptAs: String?
  }

  var table: TableChanges
  var children: [Child] = []
  /// Child tables that are no longer declared, each with its new name; nil for a dropped table.
  var removed: [(name: String, keptAs: String?)] = []
  /// The source of the values of new and changed columns.
  var filling = SchemaChange.Filling.none
  /// The changes with their fillings; empty for a new table.
  package var changes: [SchemaChange] = []
}

extension CollectionPullRequest {
  /// Compares the declaration with the database; changes nothing.
  ///
  /// - Throws: `WorkspaceError.refused` when a table belongs to another collection.
  package func migration(in reader: some Readable) throws -> TableMigration {
    let stored = try reader.storedTable(named: tableName)
    try checkHistory(in: reader)
    var migration = TableMigration(
      table: try TableChanges(table, as: registration, stored: stored))
    var changes = migration.table.changes
    for field in exploded {
      let (child, ownChanges) = try child(field, in: reader)
      migration.children.append(child)
      changes += ownChanges
    }
    let declared = Set(exploded.map { $0.tableName.lowercased() })
    for name in try reader.childTables(of: tableName) where !declared.contains(name.lowercased()) {
      let kept = try reader.storedTable(named: name).map { _ in try nameOfKept(name, reader) }
      migration.removed.append((name, kept))
      changes.append(
        SchemaChange(action: .removed, table: name, column: nil, from: nil, to: nil, keptAs: kept))
    }
    guard stored != nil else { return migration }
    migration.filling = try filling(migration, stored, in: reader)
    migration.changes = try changes.map { change in
      var change = change
      // Deletion marks are filled without a rewrite.
      let isFilled = change.action != .removed && change.column != SyncTable.deletedColumn
      if isFilled { change.filling = migration.filling }
      if let column = change.column, change.action == .removed {
        change.keptIndexes = try reader.indexes(on: column, of: change.table)
      }
      return change
    }
    return migration
  }

  /// - Throws: `WorkspaceError.refused` when a table with other data has the name of the history.
  private func checkHistory(in reader: some Readable) throws {
    let name = HistoryTable.name(of: tableName)
    guard keepsHistory, let other = try reader.storedTable(named: name),
      other.registration?.source != HistoryTable.source(of: tableName)
    else { return }
    throw WorkspaceError.refused(
      .badData,
      "The table '\(name)' holds other data, so 'history' cannot keep versions in it. Rename it, or "
        + "name another table under 'table'.")
  }

  private func child(
    _ field: ExplodedField, in reader: some Readable
  ) throws -> (TableMigration.Child, [SchemaChange]) {
    let name = field.tableName
    let registration = field.registration(below: source, in: tableName)
    let stored = try reader.storedTable(named: name)
    let added = SchemaChange(
      action: .added, table: name, column: nil, from: nil, to: registration.source)
    if let stored, let before = stored.registration, before.source != registration.source {
      let parent = try reader.parent(ofChildTable: name)
      guard
        parent.map({ $0.lowercased() == tableName.lowercased() })
          ?? ExplodedField.isElements(before.source, below: tableName)
      else {
        throw WorkspaceError.refused(
          .badData,
          "The table '\(name)' holds \(before.source), for another job; nothing was fetched. Name "
            + "another one under 'table', or start over with DROP TABLE \"\(name)\".")
      }
      let kept = try nameOfKept(name, reader)
      var change = added
      change.action = .changed
      change.from = before.source
      change.keptAs = kept
      let table = try TableChanges(name, field.table.columns, as: registration, stored: nil)
      return (
        .init(field: field, registration: registration, table: table, replacedKeptAs: kept),
        [change]
      )
    }
    let table = try TableChanges(name, field.table.columns, as: registration, stored: stored)
    let child = TableMigration.Child(field: field, registration: registration, table: table)
    return (child, table.isNew ? [added] : table.changes)
  }

  private func nameOfKept(_ table: String, _ reader: some Readable) throws -> String {
    let declared = Set((exploded.map(\.tableName) + [tableName]).map { $0.lowercased() })
    return try TableChanges.nameOfKept(table) {
      try declared.contains($0) || reader.storedTable(named: $0) != nil
    }
  }

  /// Returns the source that must fill the changed columns of an existing table.
  private func filling(
    _ migration: TableMigration, _ stored: StoredTable?, in reader: some Readable
  ) throws -> SchemaChange.Filling {
    let isUnfinished = try reader.rewritePosition(of: table) != nil
    var refills = migration.table.refills || isUnfinished
    for child in migration.children {
      let isLeft = try reader.parent(ofChildTable: child.field.tableName) == nil
      refills = refills || child.table.isNew || child.table.refills || isLeft
    }
    guard refills, try !reader.isEmpty(table) else { return .none }
    let name = SyncTable.documentColumn
    let isKept =
      hasDocument && stored?.registration?.columns[name] != nil
      && stored?.columns.contains { $0.name == name } == true
    return try isKept && !reader.lacksDocuments(table) ? .documents : .fullRead
  }

  var registration: TableRegistration {
    var fills = columns.map { ($0.name, $0.mapping) }
    if hasDocument { fills.append((SyncTable.documentColumn, "")) }
    if keepsDeleted { fills.append((SyncTable.deletedColumn, TableChanges.deletedMapping)) }
    return TableRegistration(
      source: source.description, columns: Dictionary(fills) { _, last in last })
  }
}

extension CollectionPullRequest {
  /// Creates or alters the table and its child tables, all in the writer's transaction.
  ///
  /// - Throws: `WorkspaceError.refused` when a table belongs to another collection.
  func migrate(in writer: Writer) throws -> TableMigration {
    let migration = try migration(in: writer)
    // A table with changed columns needs new triggers.
    if !keepsHistory || !migration.changes.isEmpty { try writer.endHistory(of: table) }
    try writer.removeTriggersWithoutTable(of: table)
    for (name, kept) in migration.removed {
      guard let kept else { try writer.forgetChildTable(name); continue }
      try writer.keepChildTable(name, as: kept, below: table)
    }
    for child in migration.children {
      try migrate(child, isNewParent: migration.table.isNew, writer)
    }
    if migration.table.isNew {
      try writer.createTable(table)
    } else {
      try writer.changeColumns(of: tableName, migration.table.columns)
      try prepareFilling(migration, in: writer)
    }
    try writer.register(tableName, as: registration)
    try writer.unifyTimeTexts(of: table)
    for child in table.children { try writer.attach(child, to: table) }
    if keepsHistory {
      try writer.keepHistory(of: table, changing: try historyChanges(in: writer))
    }
    try forgetOtherFilters(in: writer)
    return migration
  }

  /// Compares the table of versions with the declaration: it may have ended for a time, lacks
  /// `deleted_at`, and may have columns that were dropped from the table itself.
  private func historyChanges(in reader: some Readable) throws -> ColumnChanges {
    let name = HistoryTable.name(of: tableName)
    return try TableChanges(
      name, HistoryTable.columns(of: table),
      as: HistoryTable.registration(of: tableName, registration.columns),
      stored: try reader.storedTable(named: name)
    ).columns
  }

  private func migrate(
    _ child: TableMigration.Child, isNewParent: Bool, _ writer: Writer
  ) throws {
    let table = child.field.table
    if let kept = child.replacedKeptAs {
      try writer.keepChildTable(table.name, as: kept, below: self.table)
    }
    let isLeft = try writer.parent(ofChildTable: table.name) == nil
    if child.table.isNew {
      try writer.createTable(table)
    } else {
      try writer.changeColumns(of: table.name, child.table.columns)
      // The parent table was dropped, or the child table was undeclared for a time.
      if isNewParent || isLeft { try writer.clearChildTable(table.name) }
    }
    try writer.register(table.name, as: child.registration)
  }

  /// Sets the positions of the load and the rewrite to refill changed columns.
  private func prepareFilling(_ migration: TableMigration, in writer: Writer) throws {
    let isChanged = !migration.changes.isEmpty
    switch migration.filling {
    case .fullRead:
      try writer.setRewritePosition(nil, of: table)
      try writer.outdateRows(of: table)
      try writer.clearCursors(of: table)
    case .documents:
      let isUnderWay = try !isChanged && writer.rewritePosition(of: table) != nil
      if !isUnderWay { try writer.setRewritePosition("", of: table) }
      try keepCursors(in: writer)
    case .none:
      try writer.setRewritePosition(nil, of: table)
      if isChanged { try keepCursors(in: writer) }
    }
    if isChanged, !hasDocument || migration.filling == .fullRead {
      try writer.forgetFields(of: table)
    }
  }

  /// Clears the cursors after a change of the filter: they miss documents that the new one adds.
  private func forgetOtherFilters(in writer: Writer) throws {
    let name: MarkName = "filter of \(tableName)"
    let text = String(decoding: source.query(selecting: []).json.serialized(), as: UTF8.self)
    guard try writer.mark(named: name) != text else { return }
    try writer.clearCursors(of: table)
    try writer.setMark(text, named: name)
  }
}
