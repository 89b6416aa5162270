package import Store
package import Workspace

/// The changes that a collection's table needs before rows are stored; see
/// `docs/jobs/sync-collection.md#changed-declarations`.
package struct TableChanges: Hashable, Sendable {
  /// Whether the table does not exist yet.
  package let isNew: Bool
  package private(set) var columns = ColumnChanges()
  /// The changes as shown to people, without fillings; in the order of the declaration, removals
  /// last.
  package private(set) var changes: [SchemaChange] = []
  /// Whether rows must be written again although their documents did not change.
  package private(set) var refills = false

  /// The registered source of the column `deleted_at`, which no field fills.
  package static let deletedMapping = "@deleted"

  /// Compares a table with the stored table of that name; `stored` is nil if there is none.
  ///
  /// - Throws: `WorkspaceError.refused` when the stored table belongs to another collection.
  package init(
    _ table: SyncTable, as wanted: TableRegistration, stored: StoredTable?
  ) throws(WorkspaceError) {
    let marks = SyncTable.Column(SyncTable.deletedColumn, .integer)
    try self.init(
      table.name, table.columns + (table.keepsDeleted ? [marks] : []), as: wanted, stored: stored)
  }

  /// Compares a table with these columns with the stored one; `stored` is nil if there is none.
  init(
    _ table: String, _ columns: [SyncTable.Column], as wanted: TableRegistration,
    stored: StoredTable?
  ) throws(WorkspaceError) {
    isNew = stored == nil
    guard let stored else { return }
    guard let registration = stored.registration else {
      throw .refused(
        .badData,
        "The table '\(table)' exists, and no sync-collection job created it; nothing was fetched. "
          + "Name another one under 'table', or drop that table.")
    }
    guard registration.source == wanted.source else {
      throw .refused(
        .badData,
        "The table '\(table)' holds \(registration.source), and the job now names "
          + "\(wanted.source). Name another one under 'table', or start over with "
          + "DROP TABLE \"\(table)\".")
    }
    let comparison = Comparison(table, wanted.columns, registration.columns, stored.columns)
    for column in columns { compare(column, comparison) }
    for name in registration.columns.keys.sorted() { remove(name, comparison) }
  }

  private mutating func compare(_ column: SyncTable.Column, _ known: Comparison) {
    guard let to = known.wanted[column.name] else { return }
    let from = known.before[column.name.lowercased()]
    var change = SchemaChange(
      action: .added, table: known.table, column: column.name, from: nil, to: Self.text(to))
    guard let stored = known.stored[column.name.lowercased()] else {
      return add(column, change, filledBy: to)
    }
    // Deletion marks and values of a field must not share a column.
    let isMark = from == Self.deletedMapping || to == Self.deletedMapping
    guard from == nil || stored.type != column.type || isMark && from != to else {
      guard from != to else { return }
      change.action = .changed
      change.from = from.map(Self.text)
      changes.append(change)
      refills = true
      return
    }
    let kept = keep(stored.name, known, isReplaced: true)
    change.action = .changed
    change.from = from.map(Self.text) ?? "a column that the job did not declare"
    change.keptAs = kept
    add(column, change, filledBy: to)
  }

  private mutating func add(
    _ column: SyncTable.Column, _ change: SchemaChange, filledBy mapping: String
  ) {
    columns.added.append(column)
    changes.append(change)
    if mapping != Self.deletedMapping { refills = true }
  }

  private mutating func remove(_ name: String, _ known: Comparison) {
    guard let stored = known.stored[name.lowercased()], !known.isWanted(name),
      let from = known.before[name.lowercased()]
    else { return }
    let kept = keep(stored.name, known, isReplaced: false)
    changes.append(
      SchemaChange(
        action: .removed, table: known.table, column: name, from: Self.text(from), to: nil,
        keptAs: kept))
  }

  /// Plans to keep a column, and returns the name that it gets.
  private mutating func keep(
    _ name: String, _ known: Comparison, isReplaced: Bool
  ) -> String {
    let taken = Set(columns.kept.map { $0.name.lowercased() })
    let kept = Self.nameOfKept(name) { name in
      known.stored[name] != nil || known.isWanted(name) || taken.contains(name)
    }
    columns.kept.append(.init(name, as: kept, isReplaced: isReplaced))
    return kept
  }

  /// Returns `NAME_removed`, or `NAME_removed_2` and so on if taken; `isTaken` gets lower-case
  /// names.
  static func nameOfKept(
    _ name: String, isTaken: (String) throws -> Bool
  ) rethrows -> String {
    var kept = "\(name)_removed"
    var number = 1
    while try isTaken(kept.lowercased()) {
      number += 1
      kept = "\(name)_removed_\(number)"
    }
    return kept
  }

  private static func text(_ mapping: String) -> String {
    switch mapping {
    case "": "the whole document"
    case deletedMapping: "the time of deletion"
    default: mapping
    }
  }

  /// The declared and the stored columns; SQLite's names are case-insensitive.
  private struct Comparison {
    let table: String
    /// The declared sources, by name.
    let wanted: [String: String]
    /// The registered sources, by lower-case name.
    let before: [String: String]
    let stored: [String: SyncTable.Column]
    private let wantedNames: Set<String>

    init(
      _ table: String, _ wanted: [String: String], _ before: [String: String],
      _ stored: [SyncTable.Column]
    ) {
      self.table = table
      self.wanted = wanted
      self.before = Dictionary(before.map { ($0.lowercased(), $1) }) { first, _ in first }
      self.stored = Dictionary(stored.map { ($0.name.lowercased(), $0) }) { first, _ in first }
      wantedNames = Set(wanted.keys.map { $0.lowercased() })
    }

    func isWanted(_ name: String) -> Bool { wantedNames.contains(name.lowercased()) }
  }
}

/// A change of a table that a job's new declaration requires; see
/// `docs/jobs/sync-collection.md#changed-declarations`.
package struct SchemaChange: Hashable, Sendable {
  package enum Action: String, Hashable, Sendable {
    case added, changed, removed
  }

  /// The source of the values of a new or changed column.
  package enum Filling: String, Hashable, Sendable {
    case none
    /// The documents that the table keeps, without a request.
    case documents
    /// The load, which reads all documents once more.
    case fullRead
  }

  package var action: Action
  package var table: String
  /// Nil for a change of a whole child table.
  package var column: String?
  /// The previous source of the column or table; nil for none.
  package var from: String?
  /// The new source; nil for none.
  package var to: String?
  /// The new name of the present values; nil when they are not kept.
  package var keptAs: String?
  package var filling = Filling.none
  /// The indexes that stay on the kept column.
  package var keptIndexes: [String] = []

  /// The SQL that removes the kept values; nil when there are none.
  package var removal: String? {
    guard let keptAs else { return nil }
    guard column != nil else {
      return "DROP TRIGGER \"\(keptAs)_with_its_document\"; DROP TABLE \"\(keptAs)\""
    }
    let indexes = keptIndexes.map { "DROP INDEX \"\($0)\"; " }.joined()
    return "\(indexes)ALTER TABLE \"\(table)\" DROP COLUMN \"\(keptAs)\""
  }
}

extension SchemaChange: CustomStringConvertible {
  /// `Orders.city: added, total REAL, filled by reading all documents`.
  package var description: String {
    var parts = ["\(action.rawValue)"]
    switch (from, to) {
    case (let from?, let to?): parts[0] += " from \(from) to \(to)"
    case (nil, let to?): parts[0] += ", \(to)"
    case (let from?, nil): parts[0] += ", was \(from)"
    case (nil, nil): break
    }
    switch filling {
    case .none: break
    case .documents: parts.append("filled from the stored documents, without a read")
    case .fullRead: parts.append("filled by reading all documents")
    }
    if let keptAs { parts.append("present values kept as \(keptAs)") }
    return "\([table, column].compactMap(\.self).joined(separator: ".")): "
      + parts.joined(separator: "; ")
  }

  /// The warning of a run that has made the change.
  package var warning: String {
    let removal = removal.map { "; \($0) removes them" } ?? ""
    return "Schema changed: \(description)\(removal)."
  }
}
