import Firestore
import Model

/// Refuses the queries that Firestore refuses, with its messages; see `docs/firestore.md#queries`.
enum QueryCheck {
  /// Maximum number of disjunctions, which values of `in` and `array-contains-any` count as.
  static let disjunctionLimit = 30

  static func check(
    _ query: StructuredQuery, _ rules: EditionRules
  ) throws(RefusedRequest) {
    guard query.from.count <= 1 else {
      throw .invalid("StructuredQuery.from cannot have more than one collection selector.")
    }
    try check(query.from.first?.collectionId, of: query)
    if let filter = query.filter {
      try check(filter, rules)
      try checkCombination(filter)
    }
    for path in query.select ?? [] { try path.requireUnreserved(.selected) }
    try check(query.orderBy)
    for cursor in [query.startAt, query.endAt] { try check(cursor, against: query.orderBy, rules) }
    try query.nearest?.check(in: query, rules)
    guard rules.hasImpliedOrder else { return }
    let compared = query.filter?.inequalityFields.subtracting(query.orderBy.map(\.field))
    if let field = compared?.min(), query.orderBy.last?.field == .documentName {
      throw .invalid("order by clause cannot contain more fields after the key \(field)")
    }
  }

  /// Throws when the query compares with names of another database.
  static func check(_ query: StructuredQuery, isIn database: String) throws(RefusedRequest) {
    let cursors = [query.startAt, query.endAt].compactMap(\.self).flatMap { cursor in
      zip(query.orderBy, cursor.values).filter { $0.0.field == .documentName }.map(\.1)
    }
    for case .reference(let text) in cursors + (query.filter?.names ?? []) {
      guard try ResourceName(requested: text).databaseName != database else { continue }
      throw .invalid(
        "The request was for database '\(database)' but was attempting to access \"\(text)\"")
    }
  }

  /// Throws for an invalid collection id, and for filters and orders that need a collection.
  private static func check(
    _ collectionId: String?, of query: StructuredQuery
  ) throws(RefusedRequest) {
    guard let collectionId else {
      if let field = query.filter?.leaves.lazy.compactMap(\.path).first(where: {
        $0 != .documentName
      }) {
        throw .invalid("kind is required for filter: \(field)")
      }
      guard query.orderBy.allSatisfy({ $0 == .init(field: .documentName) }) else {
        throw .invalid("kind is required for all orders except __key__ ascending")
      }
      return
    }
    guard ResourceName.isValid(id: collectionId) else {
      throw .invalid(
        "Collection id \"\(collectionId.prefix(100))\" is invalid: it has 1 to 1,500 bytes, no "
          + "slash, and is none of \".\", \"..\" and \"__...__\".")
    }
  }

  private static func check(_ orders: [StructuredQuery.Order]) throws(RefusedRequest) {
    var seen: Set<FieldPath> = []
    for order in orders {
      try order.field.requireUnreserved(.compared)
      guard !seen.contains(.documentName) else {
        throw .invalid("order by clause cannot contain more fields after the key")
      }
      guard seen.insert(order.field).inserted else {
        throw .invalid("order by clause cannot contain duplicate fields \(order.field)")
      }
    }
  }

  /// Throws for a cursor with more values than explicit orders, or with an invalid value.
  private static func check(
    _ cursor: StructuredQuery.Cursor?, against orders: [StructuredQuery.Order],
    _ rules: EditionRules
  ) throws(RefusedRequest) {
    guard let cursor else { return }
    guard cursor.values.count <= orders.count else { throw .invalid("Cursor has too many values.") }
    for value in cursor.values { try ValueCheck.check(value, rules) }
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
    let names = leaves.filter { $0.path == .documentName }
    guard
      filter.inequalityFields.isEmpty || names.contains(where: \.isInequality)
        || !names.contains(where: { $0.has(.equal) || $0.has(.in) })
    else {
      throw .invalid(
        "Equality on key is not allowed if there are other inequality fields and key does not "
          + "appear in inequalities.")
    }
  }

  private static func check(
    _ filter: StructuredQuery.Filter, _ rules: EditionRules
  ) throws(RefusedRequest) {
    switch filter {
    case .composite(_, let filters): for filter in filters { try check(filter, rules) }
    case .field(let path, let comparison, let value):
      try path.requireUnreserved(.compared)
      try check(comparison, value, of: path, rules)
      if path == .documentName { try checkName(comparison, value) }
    case .unary(let path, _):
      try path.requireUnreserved(.compared)
      guard path != .documentName else { throw .invalid("__key__ filter value must be a Key") }
    }
  }

  private static func check(
    _ comparison: StructuredQuery.FieldOperator, _ value: Value, of path: FieldPath,
    _ rules: EditionRules
  ) throws(RefusedRequest) {
    guard let limit = comparison.maxValueCount else {
      return try ValueCheck.check(operand: value, of: path, rules)
    }
    guard case .array(let values) = value, !values.isEmpty else {
      throw .invalid("'\(comparison.rawValue)' requires an non-empty ArrayValue.")
    }
    guard values.count <= limit else {
      throw .invalid("'\(comparison.rawValue)' supports up to \(limit) comparison values.")
    }
    for value in values { try ValueCheck.check(operand: value, of: path, rules) }
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
  /// The filters that are not composite.
  fileprivate var leaves: [StructuredQuery.Filter] {
    if case .composite(_, let filters) = self { filters.flatMap(\.leaves) } else { [self] }
  }

  /// The field of a filter; nil for a composite.
  fileprivate var path: FieldPath? {
    switch self {
    case .field(let path, _, _), .unary(let path, _): path
    case .composite: nil
    }
  }

  /// The operands of filters on `__name__`.
  fileprivate var names: [Value] {
    leaves.flatMap { leaf in
      guard case .field(.documentName, _, let value) = leaf else { return [Value]() }
      if case .array(let values) = value { return values }
      return [value]
    }
  }

  fileprivate var isInequality: Bool {
    if case .field(_, let comparison, _) = self { comparison.isInequality } else { false }
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

  /// Counting stops here: the square still fits an `Int`.
  private static let countLimit = Int(Int32.max)

  /// The number of alternatives in disjunctive normal form, at most `countLimit`.
  fileprivate var disjunctions: Int {
    switch self {
    case .composite(.and, let filters):
      filters.reduce(1) { min($0 * $1.disjunctions, Self.countLimit) }
    case .composite(.or, let filters):
      filters.reduce(0) { min($0 + $1.disjunctions, Self.countLimit) }
    case .field(_, .in, .array(let values)), .field(_, .arrayContainsAny, .array(let values)):
      values.count
    default: 1
    }
  }

  /// The largest number of array filters in one alternative.
  fileprivate var arrayFilters: Int {
    switch self {
    case .composite(.and, let filters): filters.reduce(0) { $0 + $1.arrayFilters }
    case .composite(.or, let filters): filters.map(\.arrayFilters).max() ?? 0
    default: has(.arrayContains) || has(.arrayContainsAny) ? 1 : 0
    }
  }
}
