import Firestore

/// The queries that Firestore refuses, with what it says; see `docs/firestore.md#queries`.
enum QueryCheck {
  /// Values of `not in` at most; `docs/firestore.md#limits`.
  static let notInLimit = 10
  /// Values of `in` and `array-contains-any` at most, which count as disjunctions.
  static let disjunctionLimit = 30

  static func check(_ query: StructuredQuery) throws(Refusal) {
    guard query.from.count <= 1 else { throw .invalid("a query has at most one `from`") }
    try check(query.filter)
    if let filter = query.filter {
      let exclusions = filter.leaves.filter(\.isExclusion)
      guard exclusions.count <= 1 else {
        throw .invalid("a query has at most one NOT_EQUAL, NOT_IN, IS_NOT_NULL or IS_NOT_NAN")
      }
    }
  }

  static func check(
    _ cursor: StructuredQuery.Cursor?, against orders: [StructuredQuery.Order], explicit: Int
  ) throws(Refusal) {
    guard let cursor else { return }
    guard cursor.values.count <= orders.count else { throw .invalid("Cursor has too many values.") }
    for (order, value) in zip(orders, cursor.values) where order.field == .documentName {
      guard ValueOrder.typeClass(of: value) == .reference else {
        throw .invalid("Cursor position for __name__ must be a reference.")
      }
    }
  }

  private static func check(_ filter: StructuredQuery.Filter?) throws(Refusal) {
    switch filter {
    case .composite(_, let filters):
      guard !filters.isEmpty else { throw .invalid("a composite filter has at least one filter") }
      for filter in filters { try check(filter) }
    case .field(let path, let comparison, let value):
      try check(comparison, value)
      if path == .documentName { try checkName(comparison, value) }
    case .unary, nil: break
    }
  }

  private static func check(
    _ comparison: StructuredQuery.FieldOperator, _ value: Value
  ) throws(Refusal) {
    let limit: Int
    switch comparison {
    case .in, .arrayContainsAny: limit = disjunctionLimit
    case .notIn: limit = notInLimit
    default: return
    }
    guard case .array(let values) = value, !values.isEmpty else {
      throw .invalid("'\(comparison.rawValue)' requires a non-empty array value.")
    }
    guard values.count <= limit else {
      throw .invalid("'\(comparison.rawValue)' supports up to \(limit) comparison values.")
    }
  }

  private static func checkName(
    _ comparison: StructuredQuery.FieldOperator, _ value: Value
  ) throws(Refusal) {
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
  var leaves: [StructuredQuery.Filter] {
    if case .composite(_, let filters) = self { filters.flatMap(\.leaves) } else { [self] }
  }

  fileprivate var isExclusion: Bool {
    switch self {
    case .field(_, .notEqual, _), .field(_, .notIn, _), .unary(_, .isNotNull),
      .unary(_, .isNotNaN):
      true
    default: false
    }
  }
}
