import Firestore

/// The queries that Firestore refuses, with what it says; see `docs/firestore.md#queries`.
enum QueryCheck {
  /// Values of `not in` at most; `docs/firestore.md#limits`.
  static let notInLimit = 10
  /// Values of `in` and `array-contains-any` at most, which count as disjunctions.
  static let disjunctionLimit = 30

  static func check(_ query: StructuredQuery) throws(RefusedRequest) {
    guard query.from.count <= 1 else {
      throw .invalid("StructuredQuery.from cannot have more than one collection selector.")
    }
    if let filter = query.filter {
      try check(filter)
      try checkCombination(filter)
    }
    try check(query.orderBy)
    for cursor in [query.startAt, query.endAt] { try check(cursor, against: query.orderBy) }
    try query.nearest?.check(in: query)
  }

  private static func check(_ orders: [StructuredQuery.Order]) throws(RefusedRequest) {
    var seen: Set<FieldPath> = []
    for order in orders {
      guard !seen.contains(.documentName) else {
        throw .invalid("order by clause cannot contain more fields after the key")
      }
      guard seen.insert(order.field).inserted else {
        throw .invalid("order by clause cannot contain duplicate fields \(order.field)")
      }
    }
  }

  /// A cursor has no more values than the query's own order, without what is implied.
  private static func check(
    _ cursor: StructuredQuery.Cursor?, against orders: [StructuredQuery.Order]
  ) throws(RefusedRequest) {
    guard let cursor else { return }
    guard cursor.values.count <= orders.count else { throw .invalid("Cursor has too many values.") }
    for (order, value) in zip(orders, cursor.values) where order.field == .documentName {
      guard ValueOrder.typeClass(of: value) == .reference else {
        throw .invalid("Cursor __key__ value is not a document reference.")
      }
    }
  }

  private static func checkCombination(_ filter: StructuredQuery.Filter) throws(RefusedRequest) {
    let leaves = filter.leaves
    guard leaves.filter(\.isExclusion).count <= 1 else {
      throw .invalid(
        "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per "
          + "query.")
    }
    let isSplit = filter.holdsOr || leaves.contains { $0.has(.in) || $0.has(.arrayContainsAny) }
    guard !isSplit || !leaves.contains(where: { $0.has(.notIn) }) else {
      throw .invalid(
        "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.")
    }
    guard filter.arrayFilters <= 1 else {
      throw .invalid("A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.")
    }
    guard filter.disjunctions <= disjunctionLimit else {
      throw .invalid("the query has more than \(disjunctionLimit) disjunctions")
    }
  }

  private static func check(_ filter: StructuredQuery.Filter) throws(RefusedRequest) {
    switch filter {
    case .composite(_, let filters): for filter in filters { try check(filter) }
    case .field(let path, let comparison, let value):
      try check(comparison, value)
      if path == .documentName { try checkName(comparison, value) }
    case .unary: break
    }
  }

  private static func check(
    _ comparison: StructuredQuery.FieldOperator, _ value: Value
  ) throws(RefusedRequest) {
    let limit: Int
    switch comparison {
    case .in, .arrayContainsAny: limit = disjunctionLimit
    case .notIn: limit = notInLimit
    default: return
    }
    guard case .array(let values) = value, !values.isEmpty else {
      throw .invalid("'\(comparison.rawValue)' requires an non-empty ArrayValue.")
    }
    guard values.count <= limit else {
      throw .invalid("'\(comparison.rawValue)' supports up to \(limit) comparison values.")
    }
  }

  private static func checkName(
    _ comparison: StructuredQuery.FieldOperator, _ value: Value
  ) throws(RefusedRequest) {
    let names: [Value]
    switch (comparison, value) {
    case (.in, .array(let values)), (.notIn, .array(let values)): names = values
    case (.arrayContains, _), (.arrayContainsAny, _):
      throw .invalid("__name__ is no array: \(comparison.rawValue) does not apply to it")
    default: names = [value]
    }
    guard names.allSatisfy({ ValueOrder.typeClass(of: $0) == .reference }) else {
      throw .invalid("__key__ filter value must be a Key")
    }
  }
}

extension StructuredQuery.Filter {
  /// The filters inside, without the composites around them.
  fileprivate var leaves: [StructuredQuery.Filter] {
    if case .composite(_, let filters) = self { filters.flatMap(\.leaves) } else { [self] }
  }

  fileprivate var isExclusion: Bool {
    switch self {
    case .unary(_, let test): test == .isNotNull || test == .isNotNaN
    default: has(.notEqual) || has(.notIn)
    }
  }

  fileprivate func has(_ comparison: StructuredQuery.FieldOperator) -> Bool {
    if case .field(_, comparison, _) = self { true } else { false }
  }

  fileprivate var holdsOr: Bool {
    guard case .composite(let operation, let filters) = self else { return false }
    return operation == .or || filters.contains(where: \.holdsOr)
  }

  /// More alternatives than are counted: the square still fits an `Int`.
  private static let uncounted = Int(Int32.max)

  /// The alternatives of the disjunctive normal form, at most `uncounted`.
  fileprivate var disjunctions: Int {
    switch self {
    case .composite(.and, let filters):
      filters.reduce(1) { min($0 * $1.disjunctions, Self.uncounted) }
    case .composite(.or, let filters):
      filters.reduce(0) { min($0 + $1.disjunctions, Self.uncounted) }
    case .field(_, .in, .array(let values)), .field(_, .arrayContainsAny, .array(let values)):
      values.count
    default: 1
    }
  }

  /// The array filters in the alternative that has the most of them.
  fileprivate var arrayFilters: Int {
    switch self {
    case .composite(.and, let filters): filters.reduce(0) { $0 + $1.arrayFilters }
    case .composite(.or, let filters): filters.map(\.arrayFilters).max() ?? 0
    default: has(.arrayContains) || has(.arrayContainsAny) ? 1 : 0
    }
  }
}
