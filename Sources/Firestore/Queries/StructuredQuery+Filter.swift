/// The REST form of filters.
extension StructuredQuery.Filter {
  /// Reads an object with one of `fieldFilter`, `unaryFilter` and `compositeFilter`.
  package init(json: JSON) throws(WireError) {
    let members = try json.members()
    try members.allowOnly("fieldFilter", "unaryFilter", "compositeFilter")
    guard let (kind, content) = members.first, members.count == 1 else {
      throw WireError("a filter has exactly one of fieldFilter, unaryFilter and compositeFilter")
    }
    self = try WireError.at(kind) { () throws(WireError) in
      let members = try content.members()
      return switch kind {
      case "fieldFilter": try Self.field(members)
      case "unaryFilter": try Self.unary(members)
      default: try Self.composite(members)
      }
    }
  }

  package var json: JSON {
    switch self {
    case .field(let path, let comparison, let value):
      .object([
        "fieldFilter": .object([
          "field": path.referenceJSON, "op": comparison.json, "value": value.json,
        ])
      ])
    case .unary(let path, let test):
      .object(["unaryFilter": .object(["field": path.referenceJSON, "op": test.json])])
    case .composite(let combination, let filters):
      .object([
        "compositeFilter": .object([
          "op": combination.json, "filters": .array(filters.map(\.json)),
        ])
      ])
    }
  }

  private static func field(_ members: [String: JSON]) throws(WireError) -> Self {
    try members.allowOnly("field", "op", "value")
    return .field(
      try members.required("field", FieldPath.init(reference:)),
      try members.required("op", StructuredQuery.FieldOperator.init(json:)),
      try members.required("value", Value.init(json:)))
  }

  private static func unary(_ members: [String: JSON]) throws(WireError) -> Self {
    try members.allowOnly("field", "op")
    return .unary(
      try members.required("field", FieldPath.init(reference:)),
      try members.required("op", StructuredQuery.UnaryOperator.init(json:)))
  }

  private static func composite(_ members: [String: JSON]) throws(WireError) -> Self {
    try members.allowOnly("op", "filters")
    return .composite(
      try members.required("op", StructuredQuery.CompositeOperator.init(json:)),
      try members.list("filters", Self.init(json:)))
  }
}

/// Filters as people write them: a field, a comparison sign and a value.
extension StructuredQuery.Filter {
  /// Compares a field by a sign of Google's clients, such as `>=` or `array-contains`.
  ///
  /// Null and NaN are compared by `==` and `!=` only, for which Firestore has unary operators; see
  /// `docs/firestore.md#filters`. Throws for an unknown sign and for a comparison that no document
  /// matches.
  package static func comparing(
    _ field: FieldPath, _ sign: String, _ value: Value
  ) throws(WireError) -> Self {
    guard let comparison = signs[sign] else {
      let known = signs.keys.sorted().joined(separator: ", ")
      throw WireError("`\(sign)` is no comparison; there are \(known)")
    }
    guard let (isIt, isNot) = unaryTests(of: value) else {
      return .field(field, comparison, value)
    }
    switch comparison {
    case .equal: return .unary(field, isIt)
    case .notEqual: return .unary(field, isNot)
    case .arrayContains: return .field(field, comparison, value)
    default: throw WireError("null and NaN are compared by == and != only, not by \(sign)")
    }
  }

  private static let signs: [String: StructuredQuery.FieldOperator] = [
    "<": .lessThan, "<=": .lessThanOrEqual, "==": .equal, "!=": .notEqual,
    ">=": .greaterThanOrEqual, ">": .greaterThan, "in": .in, "not-in": .notIn,
    "array-contains": .arrayContains, "array-contains-any": .arrayContainsAny,
  ]

  private static func unaryTests(
    of value: Value
  ) -> (StructuredQuery.UnaryOperator, StructuredQuery.UnaryOperator)? {
    switch value {
    case .null: (.isNull, .isNotNull)
    case .double(let number) where number.isNaN: (.isNaN, .isNotNaN)
    default: nil
    }
  }
}
