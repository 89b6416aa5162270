package import Firestore
package import Model

/// Turns scanned documents into rows that hold nothing but their key.
package struct KeyMapping: Sendable {
  package let scanner: DocumentScanner
  /// The fields that a query has to select for a key.
  package let select: [FieldPath]
  package let orderPosition: Int?
  private let form: Form

  private enum Form {
    /// The first of so many fields that holds a text, otherwise the last part of the name.
    case id(fieldCount: Int)
    /// The name below the database.
    case path
  }

  /// Takes the key from the first of these top-level fields that holds a text, otherwise the name.
  package init(fields: [String] = []) {
    scanner = DocumentScanner(fields: fields)
    select = fields.isEmpty ? [.documentName] : fields.map { FieldPath(segments: [$0]) }
    orderPosition = nil
    form = .id(fieldCount: fields.count)
  }

  /// Takes the path below the database, of pages ordered by `field`; nil for the name.
  package init(pathsOrderedBy field: FieldPath?) {
    scanner = DocumentScanner(
      fields: field.map { [WantedField($0)] } ?? [], extent: .init())
    select = [field ?? .documentName]
    orderPosition = field == nil ? nil : 0
    form = .path
  }

  /// The range of the key in the page; the first `fieldCount` scanned fields may hold it.
  ///
  /// A field that holds anything but text ends the search: the key is then the last part of the
  /// name.
  package static func key(
    of document: borrowing ScannedDocument, fieldCount: Int, in page: UnsafeRawBufferPointer
  ) -> Range<Int> {
    for position in 0..<fieldCount {
      switch document.fields[position] {
      case .missing, .null: continue
      case .string(let text): return text
      default: return id(of: document.name, in: page)
      }
    }
    return id(of: document.name, in: page)
  }

  /// The last part of a document's name.
  package static func id(of name: Range<Int>, in page: UnsafeRawBufferPointer) -> Range<Int> {
    let slash = page[name].lastIndex(of: UInt8(ascii: "/"))
    return (slash.map { $0 + 1 } ?? name.lowerBound)..<name.upperBound
  }

  /// The path below the database: what follows the fifth slash of the name, or all of it.
  package static func path(of name: Range<Int>, in page: UnsafeRawBufferPointer) -> Range<Int> {
    var slashCount = 0
    for index in name where page[index] == UInt8(ascii: "/") {
      slashCount += 1
      if slashCount == 5 { return (index + 1)..<name.upperBound }
    }
    return name
  }
}

extension KeyMapping: DocumentMapping {
  package var width: Int { 1 }

  package var personCells: PersonCells {
    if case .id = form { .id(0) } else { .all }
  }

  package func add(
    _ document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer,
    to collected: inout MappedRows
  ) {
    collected.rows.append(.text(key(of: document, in: page)), from: page)
  }

  /// The range of the key of the document's row in the page.
  func key(of document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer) -> Range<Int> {
    switch form {
    case .id(let count): Self.key(of: document, fieldCount: count, in: page)
    case .path: Self.path(of: document.name, in: page)
    }
  }
}
