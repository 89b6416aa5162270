import CollectionMapping
import Firestore
import Foundation
import Jobs
import Sync

/// The documents that a server holds, as tables of them should be; told without the mapping.
struct HeldProject {
  let documents: [String: Document]

  init(_ documents: [String: Document]) { self.documents = documents }

  /// An element that a child table should have.
  struct Element {
    let path: String
    /// The column that tells it from the others, and what stands there.
    let column: String
    let key: JSON
    let value: Value
  }

  /// The paths of the documents of all collections of an id, sorted.
  func paths(of collection: String) -> [String] {
    documents.keys.filter { $0.split(separator: "/").dropLast().last == collection[...] }.sorted()
  }

  func elements(of path: String, _ field: ExplodedField) -> [Element] {
    let value = documents[path].flatMap { Value.map($0.fields).value(at: field.path) }
    switch value {
    case .array(let elements)?:
      return elements.enumerated().map { index, element in
        Element(path: path, column: "idx", key: .number("\(index)"), value: element)
      }
    case .map(let entries)?:
      return entries.map { key, element in
        Element(path: path, column: field.keyColumn ?? "", key: .string(key), value: element)
      }
    default: return []
    }
  }
}

extension Value {
  /// What stands at the path; nil where it leads to nothing.
  fileprivate func value(at path: ValuePath) -> Value? {
    path.steps.reduce(self as Value?) { value, step in
      switch (value, step) {
      case (.map(let entries)?, .field(let name)): entries[name]
      case (.array(let elements)?, .element(let index)):
        index < elements.count ? elements[index] : nil
      default: nil
      }
    }
  }
}

/// A line of an export.
struct ExportedRow {
  private let cells: [String: JSON]
  let path: String

  init(_ json: JSON) {
    cells = if case .object(let cells) = json { cells } else { [:] }
    path = if case .string(let path)? = cells["document_path"] { path } else { "" }
  }

  subscript(column: String) -> JSON { cells[column] ?? .null }

  /// What of the row is not what the document says.
  func differences(from document: Document, _ options: SyncCollectionOptions) throws -> [String] {
    var found = try differences(from: .map(document.fields), options.columns)
    guard options.hasDocument else { return found }
    guard case .string(let text) = self["document"],
      try Document(json: JSON(parsing: Array(text.utf8))) == document
    else { return found + ["document"] }
    if self["update_time"] != document.updateTime.map({ .number("\($0.microseconds)") }) {
      found.append("update_time")
    }
    return found
  }

  /// The columns that do not hold what is in the value.
  func differences(from value: Value, _ columns: [MappedColumn]) throws -> [String] {
    try columns.filter { !(try holds($0, of: value)) }.map { "\($0.name): \(self[$0.name])" }
  }

  private func holds(_ column: MappedColumn, of value: Value) throws -> Bool {
    let cell = self[column.name]
    switch column.source {
    case .document(.parentId(let level)):
      return cell
        == .string(path.split(separator: "/").dropLast(2 * level).last.map(String.init) ?? "")
    case .document: return false
    case .field(let path):
      let value = value.value(at: path)
      switch column.kind {
      case .json: return try json(cell).map(Value.init(json:)) == value
      case .plainJSON:
        let plain = value == .null ? nil : value?.plainJSON
        return try json(cell) == plain.map { try JSON(parsing: $0.serialized()) }
      default: return cell == Self.cell(value, column)
      }
    }
  }

  /// The JSON in a text; nil for NULL.
  private func json(_ cell: JSON) throws -> JSON? {
    guard case .string(let text) = cell else { return nil }
    return try JSON(parsing: Array(text.utf8))
  }

  /// What NDJSON should have for a column of one of SQLite's types.
  private static func cell(_ value: Value?, _ column: MappedColumn) -> JSON {
    switch value {
    case .string(let text)?: .string(text)
    case .reference(let name)?:
      .string(name.split(separator: "/").dropFirst(5).joined(separator: "/"))
    case .timestamp(let time)?:
      column.kind == .text ? .string(time.sortableText) : .number("\(time.microseconds)")
    case .boolean(let flag)?: .number(flag ? "1" : "0")
    case .integer(let number)?: .number("\(number)\(column.kind == .real ? ".0" : "")")
    case .double(let number)?: .number("\(number)")
    case .geoPoint(let latitude, let longitude)?:
      .number("\(column.form == .latitude ? latitude : longitude)")
    case .bytes(let bytes)?:
      .object(["$base64": .boolean(true), "encoded": .string(Data(bytes).base64EncodedString())])
    default: .null
    }
  }
}
