/// An index that a query is answered from; see `docs/firestore.md#indexes`.
package struct QueryIndex: Hashable, Sendable {
  package enum Mode: String, Hashable, Sendable {
    case ascending = "ASCENDING"
    case descending = "DESCENDING"
    /// The elements of an array.
    case contains = "CONTAINS"
  }

  package struct Field: Hashable, Sendable {
    package var path: FieldPath
    package var mode: Mode
  }

  package var collectionId: String
  /// Every collection of that id, at any depth; else one that is named in each query.
  package var isGroup: Bool
  /// What is compared for equality or as an element, by name.
  package var matched: [Field]
  /// The order of the results; `__name__` is the last.
  package var ordered: [Field]

  /// The indexes that the query is answered from, one for each of its alternatives that differ.
  ///
  /// Empty for a query over every collection, which no index can serve. Some of them Firestore has
  /// by itself, see `isAutomatic`.
  package static func serving(_ query: StructuredQuery) -> [QueryIndex] {
    serving(query, inOrder: query.completeOrders)
  }

  /// The same for results in that order, which ends with `__name__`.
  package static func serving(
    _ query: StructuredQuery, inOrder orders: [StructuredQuery.Order]
  ) -> [QueryIndex] {
    guard let from = query.from.first, let collectionId = from.collectionId else { return [] }
    let ordered = orders.map { order in
      Field(path: order.field, mode: order.direction == .ascending ? .ascending : .descending)
    }
    let paths = Set(ordered.map(\.path))
    var indexes: [QueryIndex] = []
    for alternative in query.filter?.matchedFields ?? [[]] {
      let matched = alternative.filter { $0.mode == .contains || !paths.contains($0.path) }
      let index = QueryIndex(
        collectionId: collectionId, isGroup: from.allDescendants,
        matched: matched.sorted { $0.path.precedes($1.path) }, ordered: ordered)
      if !indexes.contains(index) { indexes.append(index) }
    }
    return indexes
  }

  /// Those that a refused query may lack: all but what Firestore has by itself.
  ///
  /// All of them when that leaves none, since somebody must have exempted a field.
  package static func lacking(_ query: StructuredQuery) -> [QueryIndex] {
    let serving = serving(query)
    let ours = serving.filter { !$0.isAutomatic }
    return ours.isEmpty ? serving : ours
  }

  /// Whether Firestore has made it, or answers as well from several of those that it has made.
  ///
  /// So it is, unless somebody has exempted a field, for one field of a collection in either
  /// direction, for equalities alone, and for names going up.
  package var isAutomatic: Bool {
    let stored = storedFields
    guard !isGroup, stored.count > 0 else { return stored.isEmpty }
    guard stored.count > 1 else { return stored.first?.path != .documentName }
    return stored == matched && stored.allSatisfy { $0.mode == .ascending }
  }

  /// The fields that have to be named: `__name__` goes by itself the way of the field before it.
  var storedFields: [Field] {
    let fields = matched + ordered
    guard let name = fields.last, name.path == .documentName else { return fields }
    let direction = fields.dropLast().last?.mode == .descending ? Mode.descending : .ascending
    return name.mode == direction ? fields.dropLast() : fields
  }
}

extension StructuredQuery {
  /// The explicit orders, then those that inequalities imply, then `__name__`.
  ///
  /// See `docs/firestore.md#queries`.
  var completeOrders: [Order] {
    let direction = orderBy.last?.direction ?? .ascending
    let implied = (filter?.comparedFields ?? []).sorted { $0.precedes($1) }
    var orders = orderBy
    for field in implied + [.documentName] where !orders.contains(where: { $0.field == field }) {
      orders.append(Order(field: field, direction: direction))
    }
    let name = orders.firstIndex { $0.field == .documentName } ?? orders.endIndex
    return Array(orders[...name])
  }
}

extension StructuredQuery.Filter {
  private typealias Field = QueryIndex.Field

  /// Alternatives that one query may have, written out.
  private static let longestDisjunction = 30

  /// The fields that are matched and not ordered by, once for each alternative.
  fileprivate var matchedFields: [Set<QueryIndex.Field>] {
    switch self {
    case .composite(.or, let filters): filters.flatMap(\.matchedFields)
    case .composite(.and, let filters):
      filters.reduce([[]]) { all, filter in
        let more = filter.matchedFields
        return Array(
          all.flatMap { one in more.map(one.union) }.prefix(Self.longestDisjunction))
      }
    case .unary(let path, let test):
      [test == .isNull || test == .isNaN ? Self.field(path, .ascending) : []]
    case .field(let path, let comparison, _):
      switch comparison {
      case .equal, .in: [Self.field(path, .ascending)]
      case .arrayContains, .arrayContainsAny: [Self.field(path, .contains)]
      default: [[]]
      }
    }
  }

  private static func field(_ path: FieldPath, _ mode: QueryIndex.Mode) -> Set<Field> {
    path == .documentName ? [] : [Field(path: path, mode: mode)]
  }

  /// The fields that some part compares by an inequality.
  fileprivate var comparedFields: Set<FieldPath> {
    switch self {
    case .composite(_, let filters): filters.reduce(into: []) { $0.formUnion($1.comparedFields) }
    case .unary(let path, let test): test == .isNotNull || test == .isNotNaN ? [path] : []
    case .field(let path, let comparison, _):
      switch comparison {
      case .equal, .in, .arrayContains, .arrayContainsAny: []
      default: path == .documentName ? [] : [path]
      }
    }
  }
}

extension FieldPath {
  /// By the bytes of its text form.
  fileprivate func precedes(_ other: FieldPath) -> Bool {
    description.utf8.lexicographicallyPrecedes(other.description.utf8)
  }
}
