package import Model

/// An index that serves a query; see `docs/firestore.md#indexes`.
package struct QueryIndex: Hashable, Sendable {
  package enum IndexMode: String, Hashable, Sendable {
    case ascending = "ASCENDING"
    case descending = "DESCENDING"
    /// The elements of an array.
    case contains = "CONTAINS"
  }

  package struct IndexField: Hashable, Sendable {
    package var path: FieldPath
    package var mode: IndexMode
  }

  package var collectionId: String
  /// Whether it covers all collections with that id, at any depth, instead of a single one.
  package var isGroup: Bool
  /// Fields compared for equality or as array elements, sorted by name.
  package var matched: [IndexField]
  /// The order of the results, ending with `__name__`.
  package var ordered: [IndexField]

  /// The indexes that serve the query: one for each alternative of its filter, without duplicates.
  ///
  /// Empty for a query over all collections, which no index serves. Firestore creates some of them
  /// automatically, see `isAutomatic`.
  package static func serving(_ query: StructuredQuery) -> [QueryIndex] {
    serving(query, inOrder: query.completeOrders())
  }

  /// The indexes that serve the query's results in this order, which ends with `__name__`.
  package static func serving(
    _ query: StructuredQuery, inOrder orders: [StructuredQuery.Order]
  ) -> [QueryIndex] {
    guard let from = query.from.first, let collectionId = from.collectionId else { return [] }
    let ordered = orders.map { order in
      IndexField(path: order.field, mode: order.direction == .ascending ? .ascending : .descending)
    }
    let paths = Set(ordered.map(\.path))
    var indexes: [QueryIndex] = []
    for alternative in query.filter?.matchedFields ?? [[]] {
      let matched = alternative.filter { $0.mode == .contains || !paths.contains($0.path) }
      let index = QueryIndex(
        collectionId: collectionId, isGroup: from.allDescendants,
        matched: matched.sorted { $0.path < $1.path }, ordered: ordered)
      if !indexes.contains(index) { indexes.append(index) }
    }
    return indexes
  }

  /// Returns the indexes that a refused query may lack: all that are not automatic.
  ///
  /// If all are automatic, it returns all of them: then a field must be exempted from indexing.
  package static func lacking(_ query: StructuredQuery) -> [QueryIndex] {
    let serving = serving(query)
    let ours = serving.filter { !$0.isAutomatic }
    return ours.isEmpty ? serving : ours
  }

  /// Whether Firestore creates the index automatically, or merges several automatic ones.
  ///
  /// Unless a field is exempted, that is the case for one field of a collection in either
  /// direction, for equalities only, and for ascending names.
  package var isAutomatic: Bool {
    let stored = storedFields
    guard !isGroup, stored.count > 0 else { return stored.isEmpty }
    guard stored.count > 1 else { return stored.first?.path != .documentName }
    return stored == matched && stored.allSatisfy { $0.mode == .ascending }
  }

  /// Whether the index is the order of names, in which every collection is stored.
  package var isByNameAlone: Bool { (matched + ordered).allSatisfy { $0.path == .documentName } }

  /// Returns whether the index has to be created by a person in a database of the edition.
  package func isManual(in rules: EditionRules) -> Bool {
    rules.indexesFieldsByItself ? !isAutomatic : !isByNameAlone
  }

  /// The fields that must be listed: `__name__` implicitly has the direction of the previous field.
  var storedFields: [IndexField] {
    let fields = matched + ordered
    guard let name = fields.last, name.path == .documentName else { return fields }
    let direction = fields.dropLast().last?.mode == .descending ? IndexMode.descending : .ascending
    return name.mode == direction ? fields.dropLast() : fields
  }
}

extension StructuredQuery {
  /// The explicit orders, then those that inequalities and aggregations imply, then `__name__`.
  ///
  /// See `docs/firestore.md#queries`.
  package func completeOrders(aggregating fields: Set<FieldPath> = []) -> [Order] {
    let direction = orderBy.last?.direction ?? .ascending
    let implied = (filter?.inequalityFields ?? []).sorted() + fields.sorted() + [.documentName]
    var orders = orderBy
    for field in implied where !orders.contains(where: { $0.field == field }) {
      orders.append(Order(field: field, direction: direction))
    }
    let name = orders.firstIndex { $0.field == .documentName } ?? orders.endIndex
    return Array(orders[...name])
  }
}

extension StructuredQuery.Filter {
  fileprivate typealias IndexField = QueryIndex.IndexField

  /// The maximum number of alternatives of one query.
  private static let longestDisjunction = 30

  fileprivate var matchedFields: [Set<IndexField>] {
    switch self {
    case .composite(.or, let filters): filters.flatMap(\.matchedFields)
    case .composite(.and, let filters):
      filters.reduce([[]]) { all, filter in
        let more = filter.matchedFields
        return Array(all.flatMap { one in more.map(one.union) }.prefix(Self.longestDisjunction))
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

  private static func field(_ path: FieldPath, _ mode: QueryIndex.IndexMode) -> Set<IndexField> {
    path == .documentName ? [] : [IndexField(path: path, mode: mode)]
  }

  /// The fields, except `__name__`, that any part of the filter compares by an inequality.
  ///
  /// Ignores comparisons that match nothing, as Firestore does.
  package var inequalityFields: Set<FieldPath> {
    switch self {
    case .composite(_, let filters): filters.reduce(into: []) { $0.formUnion($1.inequalityFields) }
    case .unary(let path, let test): test == .isNotNull || test == .isNotNaN ? [path] : []
    case .field(let path, let comparison, let bound):
      comparison.isInequality && path != .documentName && comparison.canMatch(bound) ? [path] : []
    }
  }
}

extension StructuredQuery.FieldOperator {
  /// Whether the filter implies an order by its field.
  package var isInequality: Bool {
    switch self {
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notEqual, .notIn: true
    case .equal, .in, .arrayContains, .arrayContainsAny: false
    }
  }

  /// Whether an inequality can match anything: it cannot with null alone, nor a range with NaN.
  fileprivate func canMatch(_ bound: Value) -> Bool {
    switch (self, bound) {
    case (.notEqual, _): !bound.isNull
    case (.notIn, .array(let values)): !values.allSatisfy(\.isNull)
    default: bound.isComparable
    }
  }
}

extension Value {
  package var isNull: Bool { if case .null = self { true } else { false } }

  package var isNaN: Bool { if case .double(let number) = self { number.isNaN } else { false } }

  /// False for null and NaN, which equal nothing.
  package var isComparable: Bool { !isNull && !isNaN }
}

extension FieldPath: Comparable {
  /// Compares the bytes of the segments.
  package static func < (left: FieldPath, right: FieldPath) -> Bool {
    left.segments.lexicographicallyPrecedes(right.segments) {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
  }
}

/// The form of `firestore.indexes.json`, which `firebase deploy --only firestore:indexes` reads.
///
/// See `docs/firestore.md#indexes`.
extension QueryIndex {
  /// The section of the file that an entry belongs to.
  package enum IndexFileSection: String, Hashable, Sendable {
    case indexes
    /// Single-field indexes: the entry replaces all automatic indexes of the field.
    case fieldOverrides
  }

  package func section(in rules: EditionRules = FirestoreEdition.standard.rules)
    -> IndexFileSection
  {
    let stored = storedFields
    guard rules.indexesFieldsByItself else { return .indexes }
    return stored.count == 1 && stored.first?.path != .documentName ? .fieldOverrides : .indexes
  }

  /// Returns the entry for the list `section` of the file.
  ///
  /// If indexes have a density, Firestore does not add the name to them, so the entry lists it.
  package func entry(in rules: EditionRules = FirestoreEdition.standard.rules) -> JSON {
    guard section(in: rules) == .fieldOverrides, let field = storedFields.first else {
      let fields = rules.indexDensity == nil ? storedFields : matched + ordered
      var members: [String: JSON] = [
        "collectionGroup": .string(collectionId), "queryScope": .string(scope),
        "fields": .array(fields.map(\.json)),
      ]
      members["density"] = rules.indexDensity.map { .string($0) }
      return .object(members)
    }
    return Self.override(of: field.path, in: collectionId, [(field.mode, scope)])
  }

  private var scope: String { isGroup ? "COLLECTION_GROUP" : "COLLECTION" }

  /// The automatic indexes of a field, and `others`.
  private static func override(
    of path: FieldPath, in collectionId: String, _ others: [(mode: IndexMode, scope: String)]
  ) -> JSON {
    let own = [IndexMode.ascending, .descending, .contains].map { (mode: $0, scope: "COLLECTION") }
    let all = others.reduce(into: own) { all, other in
      if !all.contains(where: { $0 == other }) { all.append(other) }
    }
    return .object([
      "collectionGroup": .string(collectionId), "fieldPath": .string(path.description),
      "indexes": .array(
        all.map {
          .object([$0.mode.key: .string($0.mode.rawValue), "queryScope": .string($0.scope)])
        }
      ),
    ])
  }

  /// A complete file with the entries of these indexes.
  ///
  /// Each field has one override with all of its indexes.
  package static func file(
    of indexes: [QueryIndex], in rules: EditionRules = FirestoreEdition.standard.rules
  ) -> JSON {
    var overrides: [(collection: String, path: FieldPath, others: [(IndexMode, String)])] = []
    for index in indexes where index.section(in: rules) == .fieldOverrides {
      guard let field = index.storedFields.first else { continue }
      let known = overrides.firstIndex {
        $0.collection == index.collectionId && $0.path == field.path
      }
      if let known {
        overrides[known].others.append((field.mode, index.scope))
      } else {
        overrides.append((index.collectionId, field.path, [(field.mode, index.scope)]))
      }
    }
    return .object([
      "indexes": .array(
        indexes.filter { $0.section(in: rules) == .indexes }.map { $0.entry(in: rules) }),
      "fieldOverrides": .array(
        overrides.map { override(of: $0.path, in: $0.collection, $0.others) }),
    ])
  }
}

extension QueryIndex.IndexField {
  fileprivate var json: JSON {
    .object(["fieldPath": .string(path.description), mode.key: .string(mode.rawValue)])
  }
}

extension QueryIndex.IndexMode {
  fileprivate var key: String { self == .contains ? "arrayConfig" : "order" }
}
