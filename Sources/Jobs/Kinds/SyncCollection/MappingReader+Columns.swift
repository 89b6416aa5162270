import Firestore
import Rules
import Store
import Sync
import Yams

/// The keys `table` and `columns`; see `docs/jobs/sync-collection.md#columns`.
extension MappingReader {
  /// Letters of a name at most.
  static let longestIdentifier = 64

  /// The table, by default the collection's id with `_` for what a name cannot have.
  func table(of source: CollectionSource) -> String {
    guard let entry = entry("table") else {
      let name = Self.identifier(from: source.collectionId)
      if SyncTable.isReserved(name), !name.isEmpty {
        missing("table", "'\(name)' is one of Firetally's own tables, so name another one")
      }
      return name
    }
    guard let name = text(of: entry) else { return "" }
    guard Self.isIdentifier(name) else {
      wrongType(entry, wanted: Self.identifierWanted)
      return ""
    }
    if SyncTable.isReserved(name) {
      problem(entry, "'\(name)' is one of Firetally's own tables; choose another name")
    }
    return name
  }

  func columns() -> [MappedColumn] {
    let reader = mapping("columns")
    let columns = reader.entries.filter { $0.scalar != .null }.compactMap { reader.column($0) }
    var names: Set<String> = []
    for entry in reader.entries where !names.insert(entry.name.lowercased()).inserted {
      reader.problem(entry, "is declared twice; SQLite does not tell capitals apart")
    }
    return columns
  }

  private func column(_ entry: Entry) -> MappedColumn? {
    let reserved = SyncTable.ownColumns + SyncTable.rowNumberNames
    guard Self.isIdentifier(entry.name) else {
      problem(entry, "a column's name must be \(Self.identifierWanted)")
      return nil
    }
    guard !reserved.contains(entry.name.lowercased()) else {
      problem(entry, "every table has a column of that name; choose another one")
      return nil
    }
    guard case .mapping = entry.scalar else { return shortColumn(entry) }
    let keys = SyncCollectionOptions.columnKeys
    let reader = MappingReader(entry.value, keyPath: path(entry.name), log: log, keys: keys)
    reader.refuseOthers(than: keys.paths)
    let pathEntry = reader.entry("path")
    let path = pathEntry.map { reader.text(of: $0) } ?? entry.name
    if reader.entry("type") == nil { reader.missing("type", "one of \(Self.kinds)") }
    guard let path, let kind = reader.choice("type", of: MappedColumn.Kind.self),
      let fieldPath = reader.fieldPath(path, in: pathEntry ?? entry)
    else { return nil }
    return column(entry, fieldPath, kind)
  }

  /// `address.city TEXT`.
  private func shortColumn(_ entry: Entry) -> MappedColumn? {
    guard let text = text(of: entry) else { return nil }
    let space = text.lastIndex(of: " ")
    guard let space, let kind = MappedColumn.Kind(rawValue: String(text[space...].dropFirst()))
    else {
      wrongType(
        entry, wanted: "a field and a type such as 'address.city TEXT'; types are \(Self.kinds)")
      return nil
    }
    let path = text[..<space].drop { $0 == " " }
    let end = path.lastIndex { $0 != " " }
    return fieldPath(end.map { String(path[...$0]) } ?? "", in: entry).flatMap {
      column(entry, $0, kind)
    }
  }

  private func column(
    _ entry: Entry, _ path: FieldPath, _ kind: MappedColumn.Kind
  ) -> MappedColumn? {
    guard path != .documentName else {
      problem(entry, "the name is in the columns document_path and document_id of every table")
      return nil
    }
    return MappedColumn(name: entry.name, path: path, kind: kind)
  }

  private static let kinds = MappedColumn.Kind.allCases.map(\.rawValue).joined(separator: ", ")

  private static let identifierWanted =
    "letters, digits and _, not a digit first, at most \(longestIdentifier) of them"

  static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= longestIdentifier else { return false }
    return !isDigit(first) && text.utf8.allSatisfy(isWordByte)
  }

  /// The id with `_` for what the name of a table or a column cannot have.
  static func identifier(from id: String) -> String {
    let bytes = id.utf8.prefix(longestIdentifier - 1).map { isWordByte($0) ? $0 : 0x5F }
    let isBehindDigit = bytes.first.map(isDigit) ?? false
    return (isBehindDigit ? "_" : "") + String(decoding: bytes, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == 0x5F || (97...122).contains(byte | 0x20)
  }
}
