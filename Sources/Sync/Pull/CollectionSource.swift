package import Firestore

/// The documents that a pull copies: a collection or a collection group, narrowed by a filter.
package struct CollectionSource: Hashable, Sendable {
  package var collectionId: String
  /// The document that the collection belongs to; nil for a collection of the database itself.
  package var parent: String?
  /// Whether all collections of that id are meant, wherever they are.
  package var isGroup: Bool
  /// The parents that documents of a group must have; nil for any.
  package var parents: ParentPattern?
  package var filter: StructuredQuery.Filter?
  /// The field that orders the pages before the name does; nil for the name alone.
  package var order: StructuredQuery.Order?

  package init(
    collectionId: String, parent: String? = nil, isGroup: Bool = false,
    parents: ParentPattern? = nil, filter: StructuredQuery.Filter? = nil,
    order: StructuredQuery.Order? = nil
  ) {
    self.collectionId = collectionId
    self.parent = parent
    self.isGroup = isGroup
    self.parents = parents
    self.filter = filter
    self.order = order
  }

  /// The whole query, without a limit or a cursor; nil fields select whole documents.
  package func query(selecting fields: [FieldPath]?) -> StructuredQuery {
    let direction = order?.direction ?? .ascending
    return StructuredQuery(
      from: [.init(collectionId: collectionId, allDescendants: isGroup)],
      select: fields.map { selection(of: $0) },
      filter: filter,
      orderBy: [order, .init(field: .documentName, direction: direction)].compactMap(\.self))
  }

  package var keys: KeyMapping { KeyMapping(pathsOrderedBy: order?.field) }

  /// The fields and that of the order, without those inside another one.
  private func selection(of fields: [FieldPath]) -> [FieldPath] {
    let wanted = Set(fields + [order?.field].compactMap(\.self)).subtracting([.documentName])
    let outermost = wanted.filter { path in
      !wanted.contains { $0 != path && path.segments.starts(with: $0.segments) }
    }
    guard !outermost.isEmpty else { return [.documentName] }
    return outermost.sorted { $0.description < $1.description }
  }
}

extension CollectionSource: CustomStringConvertible {
  /// `the collection Shops/berlin/Orders`.
  package var description: String {
    if let parents { return "the collection \(parents)/\(collectionId)" }
    let path = [parent, collectionId].compactMap(\.self).joined(separator: "/")
    return "the collection \(isGroup ? "group " : "")\(path)"
  }
}

/// Which documents' collections are meant, such as `Chats/*`; see
/// `docs/jobs/sync-collection.md#groups-and-parents`.
package struct ParentPattern: Hashable, Sendable {
  /// Collection ids and document ids in turn; nil for any id.
  private let segments: [String?]

  /// Reads `Chats/*` or `Shops/*/Orders/*`; nil for another path than a document's, and for one
  /// with `*` as a collection, or without `*`.
  package init?(_ text: String) {
    let ids = ResourceName.ids(in: text)
    guard ids.count.isMultiple(of: 2), ids.contains("*") else { return nil }
    for (index, id) in ids.enumerated() {
      let isAny = id == "*"
      let isDocument = index % 2 == 1
      guard isAny ? isDocument : ResourceName.isValid(id: id, ofDocument: isDocument) else {
        return nil
      }
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
        .field(.documentName, .greaterThan, .reference("\(outer)\(Self.before(collection))/0")),
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
  package func hold(_ path: UnsafeRawBufferPointer) -> Bool {
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
