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

  /// The keys of its documents' rows.
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
