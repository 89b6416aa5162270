package import Firestore

/// The documents that a pull copies: a collection or a collection group, limited by a filter.
package struct CollectionSource: Hashable, Sendable {
  package var collectionId: String
  /// The document that contains the collection; nil for a root collection.
  package var parent: String?
  /// Whether all collections with this id are included, wherever they are.
  package var isGroup: Bool
  /// The pattern of parents that documents of a group must have; nil for any parent.
  package var parents: ParentPattern?
  package var filter: StructuredQuery.Filter?
  /// The field that orders the pages, with the name as tie-breaker; nil for the name alone.
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

  /// Returns the whole query, without a limit or a cursor; nil fields select whole documents.
  package func query(selecting fields: [FieldPath]?) -> StructuredQuery {
    let direction = order?.direction ?? .ascending
    return StructuredQuery(
      from: [.init(collectionId: collectionId, allDescendants: isGroup)],
      select: fields.map { selection(of: $0) },
      filter: filter,
      orderBy: [order, .init(field: .documentName, direction: direction)].compactMap(\.self))
  }

  package var keys: KeyMapping { KeyMapping(pathsOrderedBy: order?.field) }

  /// Returns the fields and the order field, without fields that are inside another one.
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
  /// The source in words: `the collection Shops/berlin/Orders`.
  package var description: String {
    if let parents { return "the collection \(parents)/\(collectionId)" }
    let path = [parent, collectionId].compactMap(\.self).joined(separator: "/")
    return "the collection \(isGroup ? "group " : "")\(path)"
  }
}

/// A pattern of the documents whose collections are read, such as `Chats/*`; see
/// `docs/jobs/sync-collection.md#groups-and-parents`.
package struct ParentPattern: Hashable, Sendable {
  /// Collection ids and document ids in turn; nil matches any id.
  private let segments: [String?]

  /// Parses `Chats/*` or `Shops/*/Orders/*`; returns nil for a path that is not a document's, has
  /// `*` as a collection, or has no `*`.
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

  /// The document that all matching parents are below; nil for the database itself.
  package var fixedParent: String? {
    let fixed = segments.prefix { $0 != nil }.compactMap(\.self)
    let path = fixed.prefix(fixed.count / 2 * 2).joined(separator: "/")
    return path.isEmpty ? nil : path
  }

  /// The filter for the names of all documents below the first collection with a `*`.
  ///
  /// References in a query must name documents, so the bounds are in collections that sort directly
  /// before and after that one. References are paths below the database.
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

  /// Returns an id that sorts before this one, with no id in use between them.
  private static func before(_ id: String) -> String {
    var scalars = Array(id.unicodeScalars)
    guard let last = scalars.popLast(), last.value > 1 else { return "\u{1}" }
    let previous = Unicode.Scalar(last.value - 1) ?? "\u{D7FF}"
    return String(String.UnicodeScalarView(scalars + [previous])) + "\u{10FFFD}"
  }

  /// Returns whether a document with this path below the database has a matching parent.
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
