package import Firestore
import Store

/// A column with its source; see `docs/jobs/sync-collection.md#columns`.
package struct MappedColumn: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case text = "TEXT"
    case integer = "INTEGER"
    case real = "REAL"
    case blob = "BLOB"
    /// A text with a value of any kind as JSON with Firestore's type names.
    case json = "JSON"
    /// A text with a value of any kind as plain JSON.
    case plainJSON = "PLAIN_JSON"
  }

  /// The stored form of one kind of value; see `docs/jobs/sync-collection.md#another-form`.
  package enum Form: String, CaseIterable, Sendable {
    case micros, seconds, iso, path, id, latitude, longitude

    package var kind: Kind {
      switch self {
      case .micros, .seconds: .integer
      case .iso, .path, .id: .text
      case .latitude, .longitude: .real
      }
    }
  }

  package enum Source: Hashable, Sendable {
    /// A value of the document or, in a child table, of an element.
    case field(ValuePath)
    case document(DocumentPart)
  }

  package var name: String
  package var source: Source
  package var kind: Kind
  /// Nil for the standard form.
  package var form: Form?

  package init(name: String, source: Source, kind: Kind, form: Form? = nil) {
    self.name = name
    self.source = source
    self.kind = kind
    self.form = form
  }

  /// The path of the value; nil for a part of the document itself.
  package var path: ValuePath? {
    if case .field(let path) = source { path } else { nil }
  }

  /// The source of the column as its table's registration names it.
  var mapping: String {
    let from =
      switch source {
      case .field(let path): path.steps.isEmpty ? "@value" : path.description
      case .document(let part): part.description
      }
    return "\(from) \(kind.rawValue)" + (form.map { " as \($0.rawValue)" } ?? "")
  }

  var stored: SyncTable.Column {
    let type: SyncTable.ColumnType =
      switch kind {
      case .text, .json, .plainJSON: .text
      case .integer: .integer
      case .real: .real
      case .blob: .blob
      }
    return SyncTable.Column(name, type)
  }

  /// The field to scan for the column; nil for a part of the document itself.
  var wanted: WantedField? {
    let isText = kind == .json || kind == .plainJSON || form == .latitude || form == .longitude
    return path.map { WantedField($0, isText ? .json : .value) }
  }
}

/// A part of the document besides its fields; see
/// `docs/jobs/sync-collection.md#the-document-itself`.
package enum DocumentPart: Hashable, Sendable {
  case id, path, createTime, updateTime
  /// The id of an ancestor document: level 1 is the collection's parent, level 2 that document's
  /// parent.
  case parentId(Int)
  case parentPath(Int)

  /// The highest level of an ancestor: subcollections nest to a depth of 100.
  package static let deepestParent = 99

  /// Parses `@id`, `@parent(2).path` and so on; returns nil for any other text.
  package init?(_ text: String) {
    switch text {
    case "@id": self = .id
    case "@path": self = .path
    case "@createTime": self = .createTime
    case "@updateTime": self = .updateTime
    default:
      guard text.hasPrefix("@parent("), let end = text.firstIndex(of: ")"),
        let level = Int(text[..<end].dropFirst("@parent(".count)), level > 0,
        level <= Self.deepestParent
      else { return nil }
      switch text[end...] {
      case ").id": self = .parentId(level)
      case ").path": self = .parentPath(level)
      default: return nil
      }
    }
  }

  /// The number of ancestors that the document must have.
  package var parentLevel: Int {
    switch self {
    case .id, .path, .createTime, .updateTime: 0
    case .parentId(let level), .parentPath(let level): level
    }
  }

  package var isTime: Bool { self == .createTime || self == .updateTime }
}

extension DocumentPart: CustomStringConvertible {
  package var description: String {
    switch self {
    case .id: "@id"
    case .path: "@path"
    case .createTime: "@createTime"
    case .updateTime: "@updateTime"
    case .parentId(let level): "@parent(\(level)).id"
    case .parentPath(let level): "@parent(\(level)).path"
    }
  }
}
