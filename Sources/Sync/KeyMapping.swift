package import Firestore
import Model

/// Turns scanned documents into the keys of their rows, and nothing else.
package struct KeyMapping: Sendable {
  package let scanner: DocumentScanner
  /// What has to travel for a key.
  package let select: [FieldPath]
  private let fieldCount: Int

  /// Takes the key from the first of these top-level fields that holds a text, else from the name.
  package init(fields: [String] = []) {
    scanner = DocumentScanner(fields: fields)
    select = fields.isEmpty ? [.documentName] : fields.map { FieldPath(segments: [$0]) }
    fieldCount = fields.count
  }

  /// Where the page holds the key of a document whose first `fieldCount` scanned fields may name it.
  ///
  /// A field that holds anything else than text is no key, and neither are those after it.
  static func key(
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
  static func id(of name: Range<Int>, in page: UnsafeRawBufferPointer) -> Range<Int> {
    let slash = page[name].lastIndex(of: UInt8(ascii: "/"))
    return (slash.map { $0 + 1 } ?? name.lowerBound)..<name.upperBound
  }
}

extension KeyMapping: DocumentMapping {
  package var width: Int { 1 }
  package var orderPosition: Int? { nil }

  package func add(
    _ document: borrowing ScannedDocument, in page: UnsafeRawBufferPointer,
    to collected: inout MappedRows
  ) {
    let key = Self.key(of: document, fieldCount: fieldCount, in: page)
    collected.rows.append(.text(key), from: page)
  }
}
