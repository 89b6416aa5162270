import Firestore
import Model
import Store

/// What a job's declaration changed in the database before its documents were fetched.
struct TablePreparation {
  /// Columns that an earlier run filled and the job no longer declares, each with its table.
  var undeclaredColumns: [UndeclaredColumn] = []
  /// Child tables of which the same is true.
  var undeclaredTables: [String] = []
}

/// A column that is no longer declared.
package struct UndeclaredColumn: Hashable, Sendable {
  package var table: String
  package var column: String

  package init(table: String, column: String) {
    self.table = table
    self.column = column
  }
}

extension CollectionPullRequest {
  /// Creates or alters the table and its child tables, all in the writer's transaction.
  ///
  /// - Throws: `TablePlan.Conflict` when a table is not for this collection.
  func prepareTables(in writer: Writer) throws -> TablePreparation {
    let table = table
    var prepared = TablePreparation()
    let plan = try TablePlan(
      table.name, table.columns, as: registration,
      stored: try writer.storedTable(named: table.name))
    let changedChildren = try prepareChildren(isNew: plan.isNew, &prepared, in: writer)
    if plan.isNew {
      try writer.createTable(table)
    } else {
      try writer.alterTable(
        table, adding: plan.added, emptying: plan.undeclared,
        rewritesRows: plan.rewritesRows || changedChildren)
    }
    try writer.register(table.name, as: registration)
    for child in table.children { try writer.attach(child, to: table) }
    prepared.undeclaredColumns += plan.undeclared.map { .init(table: table.name, column: $0) }
    try forgetOtherFilters(in: writer)
    return prepared
  }

  /// Creates or alters the child tables; returns whether their rows have to be written again.
  private func prepareChildren(
    isNew: Bool, _ prepared: inout TablePreparation, in writer: Writer
  ) throws -> Bool {
    var isChanged = false
    for field in exploded {
      let child = field.table
      let registration = field.registration(below: source, in: tableName)
      let plan = try TablePlan(
        child.name, child.columns, as: registration,
        stored: try writer.storedTable(named: child.name))
      let wasLeft = try writer.isOrphan(childTable: child.name)
      isChanged = isChanged || plan.isNew || plan.rewritesRows || wasLeft
      if plan.isNew {
        try writer.createTable(child)
      } else {
        try writer.alterTable(child, adding: plan.added, emptying: plan.undeclared)
        // The parent table was dropped, or the child table was left for a time.
        if isNew || wasLeft { try writer.clearChildTable(child.name) }
      }
      try writer.register(child.name, as: registration)
      prepared.undeclaredColumns += plan.undeclared.map { .init(table: child.name, column: $0) }
    }
    let declared = Set(exploded.map(\.tableName))
    for name in try writer.childTables(of: tableName) where !declared.contains(name) {
      try writer.detachChildTable(name)
      prepared.undeclaredTables.append(name)
    }
    return isChanged
  }

  /// Forgets how far loads by another filter got: they do not know what came into the table since.
  private func forgetOtherFilters(in writer: Writer) throws {
    let name = "filter of \(tableName)"
    let text = String(decoding: source.query(selecting: []).json.serialized(), as: UTF8.self)
    guard try writer.metadata(named: name) != text else { return }
    try writer.clearCursors(of: table)
    try writer.setMetadata(text, named: name)
  }

  var registration: TableRegistration {
    var fills = columns.map { ($0.name, $0.mapping) }
    if hasDocument { fills.append((SyncTable.documentColumn, "")) }
    if keepsDeleted { fills.append((SyncTable.deletedColumn, TablePlan.deletedMapping)) }
    return TableRegistration(
      source: source.description, columns: Dictionary(fills) { _, last in last })
  }
}
