package import Firestore

/// Which documents' collections are meant, such as `Chats/*`; see
/// `docs/jobs/sync-collection.md#groups-and-parents`.
package struct ParentPattern: Hashable, Sendable {
  /// Collection ids and document ids in turn; nil for any id.
  private let segments: [String?]

  /// Reads `Chats/*` or `Shops/*/Orders/*`; nil for a path that is no document's, or that has `*`
  /// for a collection, or none at all.
  package init?(_ text: String) {
    let ids = ResourceName.ids(in: text)
    guard ids.count.isMultiple(of: 2), ids.contains("*") else { return nil }
    for (index, id) in ids.enumerated() {
      let isAny = id == "*"
      guard isAny ? index % 2 == 1 : ResourceName.isValid(id: id) else { return nil }
    }
    segments = ids.map { $0 == "*" ? nil : $0 }
  }

  /// The number of parents that each document has.
  package var depth: Int { segments.count / 2 }

  /// The document below which all parents are; nil for the database itself.
  package var fixedParent: String? {
    let fixed = segments.prefix { $0 != nil }.compactMap(\.self)
    let path = fixed.prefix(fixed.count / 2 * 2).joined(separator: "/")
    return path.isEmpty ? nil : path
  }

  /// The names between which Firestore sorts all documents below the first collection with a `*`.
  ///
  /// A query's references must be of documents, so the bounds lie in collections that sort directly
  /// before and after it. References are paths below the database.
  package var bounds: StructuredQuery.Filter? {
    let fixed = segments.prefix { $0 != nil }.compactMap(\.self)
    guard let collection = fixed.last else { return nil }
    let outer = fixed.dropLast().map { $0 + "/" }.joined()
    return .composite(
      .and,
      [
        .field(
          .documentName, .greaterThan, .reference("\(outer)\(Self.before(collection))/0")),
        .field(.documentName, .lessThan, .reference("\(outer)\(collection)\u{1}/0")),
      ])
  }

  /// An id that sorts before this one, with nothing between that anybody uses.
  private static func before(_ id: String) -> String {
    var scalars = Array(id.unicodeScalars)
    guard let last = scalars.popLast(), last.value > 1 else { return "\u{1}" }
    let previous = Unicode.Scalar(last.value - 1) ?? "\u{D7FF}"
    return String(String.UnicodeScalarView(scalars + [previous])) + "\u{10FFFD}"
  }

  /// Whether a document with this path below the database has such a parent.
  func hold(_ path: UnsafeRawBufferPointer) -> Bool {
    let parts = path.split(separator: UInt8(ascii: "/"))
    guard parts.count == segments.count + 2 else { return false }
    return zip(parts, segments).allSatisfy { part, segment in
      segment.map { part.elementsEqual($0.utf8) } ?? true
    }
  }
}

extension ParentPattern: CustomStringConvertible {
  package var description: String { segments.map { $0 ?? "*" }.joined(separator: "/") }
}
