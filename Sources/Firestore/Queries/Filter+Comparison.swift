/// Filters as people write them: a field, a sign and a value.
extension StructuredQuery.Filter {
  /// Compares a field by one of the signs of Google's clients, such as `>=` or `array-contains`.
  ///
  /// Null and NaN can only be asked for, by `==` and `!=`, which Firestore has operators of their
  /// own for; see `docs/firestore.md#filters`. Throws for any other sign and for what no document
  /// could match.
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
