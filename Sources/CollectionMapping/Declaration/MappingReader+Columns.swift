import Firestore
import Store
package import Sync
package import Workspace

/// The keys `table` and `columns`; see `docs/jobs/sync-collection.md#columns`.
extension MappingReader {
  /// The largest number of letters of a name.
  package static let longestIdentifier = 64

  /// Reads the table; the default is the collection's id with `_` for invalid characters.
  package func table(of source: CollectionSource) -> String {
    guard entry("table") == nil else { return namedTable() ?? "" }
    let name = Self.identifier(from: source.collectionId)
    if SyncTable.isReserved(name), !name.isEmpty {
      missing("table", "'\(name)' is one of Firetally's own tables, so name another one")
    }
    return name
  }

  /// Reads `table`; returns nil for an invalid name.
  package func namedTable() -> String? {
    guard let entry = entry("table"),
      let name = text("table", wanted: Self.identifierWanted, where: Self.isIdentifier)
    else { return nil }
    guard !SyncTable.isReserved(name) else {
      problem(entry, "'\(name)' is one of Firetally's own tables; choose another name")
      return nil
    }
    return name
  }

  /// Reads the columns under `key`, of a collection's table or of a child table.
  package func columns(_ key: String = "columns", in scope: ColumnScope) -> [MappedColumn] {
    let reader = mapping(key)
    let columns = reader.entries.filter { $0.scalar != .null }.compactMap {
      reader.column($0, in: scope)
    }
    var names: Set<String> = []
    for entry in reader.entries where !names.insert(entry.name.lowercased()).inserted {
      reader.problem(entry, "is declared twice; SQLite does not tell capitals apart")
    }
    return columns
  }

  private func column(_ entry: Entry, in scope: ColumnScope) -> MappedColumn? {
    guard isColumnName(entry.name, entry, in: scope) else { return nil }
    guard case .mapping = entry.scalar else {
      return text(of: entry).flatMap { shortColumn(entry.name, $0, entry, in: scope) }
    }
    let keys = MappedColumn.keys
    let reader = mapping(of: entry)
    reader.refuseOthers(than: keys.names)
    let pathEntry = reader.entry("path")
    guard let text = pathEntry.map({ reader.text(of: $0) }) ?? entry.name,
      let source = reader.source(text, pathEntry ?? entry, in: scope)
    else { return nil }
    let form = reader.choice("as", of: MappedColumn.Form.self)
    let fallback = source.standardKind
    if reader.entry("type") == nil, fallback == nil {
      reader.missing("type", "one of \(Self.kinds)")
    }
    let kind = reader.choice("type", of: MappedColumn.Kind.self)
    guard let kind = kind ?? (reader.entry("type") == nil ? fallback : nil) else { return nil }
    let column = MappedColumn(name: entry.name, source: source, kind: kind, form: form)
    return reader.fits(column, entry) ? column : nil
  }

  /// Reads a column in its short form: `address.city TEXT`, or `@id`.
  func shortColumn(
    _ name: String, _ text: String, _ entry: Entry, in scope: ColumnScope
  ) -> MappedColumn? {
    if text.hasPrefix("@"), !text.contains(" ") {
      guard let source = source(text, entry, in: scope) else { return nil }
      guard let kind = source.standardKind else {
        wrongType(entry, wanted: "'@value' and a type such as '@value TEXT'")
        return nil
      }
      return MappedColumn(name: name, source: source, kind: kind)
    }
    let space = text.lastIndex(of: " ")
    guard let space, let kind = MappedColumn.Kind(rawValue: String(text[space...].dropFirst()))
    else {
      wrongType(
        entry, wanted: "a field and a type such as 'address.city TEXT'; types are \(Self.kinds)")
      return nil
    }
    let path = text[..<space].drop { $0 == " " }
    let end = path.lastIndex { $0 != " " }
    guard let source = source(end.map { String(path[...$0]) } ?? "", entry, in: scope) else {
      return nil
    }
    let column = MappedColumn(name: name, source: source, kind: kind)
    return fits(column, entry) ? column : nil
  }

  /// Reads the source that a text names: the path of a value, or a part of the document.
  private func source(
    _ text: String, _ entry: Entry, in scope: ColumnScope
  ) -> MappedColumn.Source? {
    guard text.hasPrefix("@") else {
      return valuePath(text, in: entry).map { .field($0) }
    }
    if scope.isElement {
      guard text != "@value" else { return .field(ValuePath(steps: [])) }
      problem(
        entry,
        "'\(text)' names the document; a child table takes only '@value', the element itself, and "
          + "document_path leads to the rest")
      return nil
    }
    guard let part = DocumentPart(text) else {
      problem(
        entry,
        "'\(text)' is unknown; there are @id, @path, @createTime, @updateTime, and with a number "
          + "from 1 to \(DocumentPart.deepestParent) @parent(1).id and @parent(1).path")
      return nil
    }
    if let depth = scope.parentCount, part.parentLevel > depth {
      let parents = depth == 1 ? "1 parent" : "\(depth) parents"
      problem(entry, "'\(text)' is deeper than the collection: its documents have \(parents)")
      return nil
    }
    return .document(part)
  }

  /// Reads the path of a value; it may lead through arrays.
  func valuePath(_ text: String, in entry: Entry) -> ValuePath? {
    do {
      let path = try ValuePath(parsing: text)
      guard path != ValuePath(.documentName) else {
        problem(entry, "the name is in the columns document_path and document_id of every table")
        return nil
      }
      return path
    } catch {
      problem(entry, error.description)
      return nil
    }
  }

  /// Whether the column's type can hold its form and its part of the document; reports problems.
  private func fits(_ column: MappedColumn, _ entry: Entry) -> Bool {
    if let form = column.form, form.kind != column.kind {
      problem(
        self.entry("as") ?? entry,
        "'\(form.rawValue)' needs type \(form.kind.rawValue), not \(column.kind.rawValue)")
      return false
    }
    guard case .document(let part) = column.source else { return true }
    let kinds: [MappedColumn.Kind] = part.isTime ? [.integer, .text] : [.text]
    let forms: [MappedColumn.Form] = part.isTime ? [.micros, .seconds, .iso] : []
    guard kinds.contains(column.kind) else {
      let names = kinds.map(\.rawValue).joined(separator: " or ")
      problem(self.entry("type") ?? entry, "'\(part)' needs type \(names)")
      return false
    }
    guard let form = column.form, !forms.contains(form) else { return true }
    problem(self.entry("as") ?? entry, "'\(part)' has no form '\(form.rawValue)'")
    return false
  }

  /// Whether a column can have the name; reports problems at the entry.
  func isColumnName(_ name: String, _ entry: Entry, in scope: ColumnScope) -> Bool {
    guard Self.isIdentifier(name) else {
      problem(entry, "a column's name must be \(Self.identifierWanted)")
      return false
    }
    guard !scope.reserved.contains(name.lowercased()) else {
      problem(entry, "every table has a column of that name; choose another one")
      return false
    }
    return true
  }

  private static let kinds = MappedColumn.Kind.allCases.map(\.rawValue).joined(separator: ", ")

  static let identifierWanted =
    "letters, digits and _, not a digit first, at most \(longestIdentifier) of them"

  package static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= longestIdentifier else { return false }
    return !isDigit(first) && text.utf8.allSatisfy(isWordByte)
  }

  /// Returns the id with `_` for characters that names of tables and columns cannot have.
  package static func identifier(from id: String) -> String {
    let bytes = id.utf8.prefix(longestIdentifier - 1).map { isWordByte($0) ? $0 : 0x5F }
    let isBehindDigit = bytes.first.map(isDigit) ?? false
    return (isBehindDigit ? "_" : "") + String(decoding: bytes, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == 0x5F || (97...122).contains(byte | 0x20)
  }
}

/// The place where columns are declared, with its restrictions.
package struct ColumnScope {
  /// Names that no declared column can have, in small letters.
  var reserved: [String]
  /// Whether the columns are those of a child table.
  var isElement = false
  /// The number of ancestors of each document; nil when it varies.
  var parentCount: Int?

  /// The columns of the table of a collection.
  package init(of source: CollectionSource, keepsDeleted: Bool) {
    reserved =
      SyncTable.ownColumns + SyncTable.rowNumberNames
      + (keepsDeleted ? [SyncTable.deletedColumn] : [])
    parentCount = source.parentCount
  }

  /// The scope of a child table's columns; `keyColumn` is nil for an array.
  init(ofElementsBy keyColumn: String?) {
    reserved = [ChildTable.pathColumn, (keyColumn ?? ChildTable.indexColumn).lowercased()]
    isElement = true
  }
}

extension CollectionSource {
  /// The number of ancestors of each document; nil for a group.
  fileprivate var parentCount: Int? {
    if let parents { return parents.depth }
    return isGroup ? nil : (parent.map { ResourceName.ids(in: $0).count } ?? 0) / 2
  }
}

extension MappedColumn {
  /// Those of a column that is declared by several words.
  static let keys = [
    ConfigurationKey("path", .text), ConfigurationKey("type", .choice(of: Kind.self)),
    ConfigurationKey("as", .choice(of: Form.self)),
  ]

  /// The key of the columns of a table, by name.
  package static let columnsKey = ConfigurationKey(
    "columns", .object([ConfigurationKey("*", .either([.text, .object(keys)]))]))
}

extension MappedColumn.Source {
  /// The column type that can be omitted; nil when it must be named.
  fileprivate var standardKind: MappedColumn.Kind? {
    guard case .document(let part) = self else { return nil }
    return part.isTime ? .integer : .text
  }
}
