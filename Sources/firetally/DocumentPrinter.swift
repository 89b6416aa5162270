import ArgumentParser
import Firestore
import ReportWriters
import Reports

struct DocumentOptions: ParsableArguments {
  @Flag(help: "Print values with Firestore's type names, without loss.")
  var typed = false
}

/// Prints documents as text, as JSON lines or as CSV; see `docs/query.md#output`.
struct DocumentPrinter {
  let root: ResourceName
  let isTyped: Bool

  /// Returns a block: the path, then one field per line.
  func text(of document: Document, fields: [FieldPath] = []) -> String {
    var table: [(String, String)] = []
    if let time = document.createTime { table.append(("@createTime", time.rfc3339)) }
    if let time = document.updateTime { table.append(("@updateTime", time.rfc3339)) }
    for (name, value) in named(document, fields) {
      table.append((name, value == .null ? "null" : value.map { text(of: $0) } ?? ""))
    }
    let names = table.map { VisibleText.line($0.0) }
    let width = names.map(DisplayWidth.of).max() ?? 0
    let lines = zip(names, table).map { name, row in
      let padding = String(repeating: " ", count: width - DisplayWidth.of(name))
      return "  \(name)\(padding)  \(VisibleText.line(row.1))"
    }
    return ([VisibleText.line(root.relativePath(of: document.name))] + lines)
      .joined(separator: "\n")
  }

  /// Returns an object of `message_type` `document`; numbers keep their text.
  func json(of document: Document) -> String {
    let members = JSON.object([
      "message_type": .string("document"),
      "path": .string(root.relativePath(of: document.name)), "id": .string(document.id),
      "createTime": document.createTime.map { .string($0.rfc3339) } ?? .null,
      "updateTime": document.updateTime.map { .string($0.rfc3339) } ?? .null,
      "fields": .object(document.fields.mapValues(json(of:))),
    ])
    return String(decoding: members.serialized(), as: UTF8.self)
  }

  /// Returns CSV with a column for each field: `fields`, or those of all documents.
  func csv(of documents: [Document], fields: [FieldPath]) -> [UInt8] {
    let columns =
      fields.isEmpty
      ? Set(documents.flatMap(\.fields.keys)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        .map { FieldPath(segments: [$0]) }
      : fields.filter { $0 != .documentName }
    var bytes = CSVLine.bytes(of: ["document_path"] + columns.map(\.description))
    for document in documents {
      let values = columns.map { document[$0].map { text(of: $0) } ?? "" }
      bytes += CSVLine.bytes(of: [root.relativePath(of: document.name)] + values)
    }
    return bytes
  }

  /// Returns the chosen fields in their order, or all fields by name; the value of a missing field
  /// is nil.
  private func named(
    _ document: Document, _ fields: [FieldPath]
  ) -> [(name: String, value: Value?)] {
    guard fields.isEmpty else {
      return fields.filter { $0 != .documentName }.map { ($0.description, document[$0]) }
    }
    return document.fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { (FieldPath(segments: [$0.key]).description, $0.value) }
  }

  private func json(of value: Value) -> JSON { isTyped ? value.json : value.plainJSON }

  /// Returns a text unchanged, null as an empty text as in CSV, and other values as JSON.
  private func text(of value: Value) -> String {
    if !isTyped {
      if case .null = value { return "" }
      if case .string(let text) = value.plainJSON { return text }
    }
    return String(decoding: json(of: value).serialized(), as: UTF8.self)
  }
}
