package import Firestore
import Store

/// A column with the field that fills it; see `docs/jobs/sync-collection.md#columns`.
package struct MappedColumn: Hashable, Sendable {
  /// The values that a column takes.
  package enum Kind: String, CaseIterable, Sendable {
    case text = "TEXT"
    case integer = "INTEGER"
    case real = "REAL"
    case blob = "BLOB"
    /// A value of any kind, as JSON in a text.
    case json = "JSON"
  }

  package var name: String
  package var path: FieldPath
  package var kind: Kind

  package init(name: String, path: FieldPath, kind: Kind) {
    self.name = name
    self.path = path
    self.kind = kind
  }

  var stored: SyncTable.Column {
    let type: SyncTable.ColumnType =
      switch kind {
      case .text, .json: .text
      case .integer: .integer
      case .real: .real
      case .blob: .blob
      }
    return SyncTable.Column(name, type)
  }

  var wanted: WantedField { WantedField(path, kind == .json ? .json : .value) }
}
