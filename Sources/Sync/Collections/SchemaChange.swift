/// A change of a table that a job's new declaration asks for; see
/// `docs/jobs/sync-collection.md#changed-declarations`.
package struct SchemaChange: Hashable, Sendable {
  package enum Action: String, Hashable, Sendable {
    case added, changed, removed
  }

  /// Where the values of a new or changed column come from.
  package enum Filling: String, Hashable, Sendable {
    /// There is nothing to fill.
    case none
    /// From the documents that the table keeps, without a request.
    case documents
    /// By the load, which reads all documents once more.
    case fullRead
  }

  package var action: Action
  package var table: String
  /// Nil for a change of a whole child table.
  package var column: String?
  /// What filled the column or the table; nil for none.
  package var from: String?
  /// What fills it now; nil for nothing any more.
  package var to: String?
  /// The name under which the present values stay; nil when they do not, or are none.
  package var keptAs: String?
  package var filling: Filling
  /// Indexes that stay on the kept column.
  package var keptIndexes: [String] = []

  package init(
    _ action: Action, table: String, column: String?, from: String?, to: String?,
    keptAs: String? = nil, filling: Filling = .none
  ) {
    self.action = action
    self.table = table
    self.column = column
    self.from = from
    self.to = to
    self.keptAs = keptAs
    self.filling = filling
  }

  /// The SQL that removes what was kept; nil when nothing was.
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

  /// What a run warns with, once the change is made.
  package var warning: String {
    let removal = removal.map { "; \($0) removes them" } ?? ""
    return "Schema changed: \(description)\(removal)."
  }
}
