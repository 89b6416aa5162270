package import Store

/// The changes that a collection's table needs before rows go into it; see
/// `docs/jobs/sync-collection.md#tables`.
package struct TablePlan: Hashable, Sendable {
  package enum Conflict: Error, Hashable, Sendable {
    /// The database has a table of that name that no job made.
    case taken(table: String)
    case otherSource(table: String, stored: String, wanted: String)
    case otherType(table: String, column: String, stored: String, wanted: String)
  }

  /// Whether the table does not exist yet.
  package let isNew: Bool
  /// Columns that the table lacks.
  package let added: [SyncTable.Column]
  /// Columns to empty: filled before and no longer declared; sorted.
  package let undeclared: [String]
  /// Whether rows count as changed although their documents did not, since columns hold other
  /// fields.
  package let rewritesRows: Bool

  /// What the registration says of the column `deleted_at`, which no field fills.
  package static let deletedMapping = "@deleted"

  /// Compares a table with the stored one of its name; nil for none.
  package init(
    _ table: SyncTable, as wanted: TableRegistration, stored: StoredTable?
  ) throws(Conflict) {
    try self.init(table.name, table.columns, as: wanted, stored: stored)
  }

  /// Compares a table of these columns with the stored one of its name; nil for none.
  init(
    _ table: String, _ columns: [SyncTable.Column], as wanted: TableRegistration,
    stored: StoredTable?
  ) throws(Conflict) {
    guard let stored else {
      self.init(isNew: true)
      return
    }
    guard let registration = stored.registration else { throw .taken(table: table) }
    guard registration.source == wanted.source else {
      throw .otherSource(
        table: table, stored: registration.source, wanted: wanted.source)
    }
    let types = Dictionary(stored.columns.map { ($0.name.lowercased(), $0.type) }) { first, _ in
      first
    }
    for column in columns {
      guard let type = types[column.name.lowercased()], type != column.type else { continue }
      throw .otherType(
        table: table, column: column.name, stored: type.rawValue,
        wanted: column.type.rawValue)
    }
    let added = columns.filter { types[$0.name.lowercased()] == nil }
    let undeclared = registration.columns.keys.filter { name in
      wanted.columns[name] == nil && types[name.lowercased()] != nil
    }
    let isRemapped = wanted.columns.contains { name, mapping in
      let before = registration.columns[name]
      return before != mapping && !(before == nil && mapping == Self.deletedMapping)
    }
    self.init(
      added: added, undeclared: undeclared.sorted(), rewritesRows: !added.isEmpty || isRemapped)
  }

  private init(
    isNew: Bool = false, added: [SyncTable.Column] = [], undeclared: [String] = [],
    rewritesRows: Bool = false
  ) {
    self.isNew = isNew
    self.added = added
    self.undeclared = undeclared
    self.rewritesRows = rewritesRows
  }
}

extension TablePlan.Conflict: CustomStringConvertible {
  package var description: String {
    switch self {
    case .taken(let table):
      "The table '\(table)' exists, and no sync-collection job created it; "
        + "nothing was fetched. Give the job another name under 'table', or drop that table."
    case .otherSource(let table, let stored, let wanted):
      "The table '\(table)' holds \(stored), and the job now names \(wanted). Give the job another "
        + "name under 'table', or start over with DROP TABLE \"\(table)\"."
    case .otherType(let table, let column, let stored, let wanted):
      "The column '\(column)' of the table '\(table)' is \(stored), and the job now says \(wanted). "
        + "Declare it under another name, or let the run make it anew after "
        + "ALTER TABLE \"\(table)\" DROP COLUMN \"\(column)\"."
    }
  }
}
