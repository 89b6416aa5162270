import Testing

@testable import Firestore

@Suite struct FilterComparisonTests {
  private let field = FieldPath(segments: ["a"])

  static let signs: [(String, StructuredQuery.FieldOperator)] = [
    ("<", .lessThan), ("<=", .lessThanOrEqual), ("==", .equal), ("!=", .notEqual),
    (">=", .greaterThanOrEqual), (">", .greaterThan), ("in", .in), ("not-in", .notIn),
    ("array-contains", .arrayContains), ("array-contains-any", .arrayContainsAny),
  ]

  @Test("each sign is an operator", arguments: signs)
  func sign(row: (String, StructuredQuery.FieldOperator)) throws {
    let filter = try StructuredQuery.Filter.comparing(field, row.0, .integer(1))
    #expect(filter == .field(field, row.1, .integer(1)))
    #expect(Self.signs.count == StructuredQuery.FieldOperator.allCases.count)
  }

  @Test(
    "null and NaN are asked for by operators of their own, and by no range",
    arguments: [
      (Value.null, StructuredQuery.UnaryOperator.isNull, StructuredQuery.UnaryOperator.isNotNull),
      (.double(.nan), .isNaN, .isNotNaN),
    ])
  func unary(
    value: Value, isIt: StructuredQuery.UnaryOperator, isNot: StructuredQuery.UnaryOperator
  ) throws {
    #expect(try StructuredQuery.Filter.comparing(field, "==", value) == .unary(field, isIt))
    #expect(try StructuredQuery.Filter.comparing(field, "!=", value) == .unary(field, isNot))
    for sign in ["<", "<=", ">", ">=", "in", "not-in", "array-contains-any"] {
      #expect(throws: WireError.self) {
        try StructuredQuery.Filter.comparing(field, sign, value)
      }
    }
  }

  @Test("any other sign is refused, with those that there are", arguments: ["", "=", "~", "IN"])
  func unknown(sign: String) {
    let error = #expect(throws: WireError.self) {
      try StructuredQuery.Filter.comparing(field, sign, .integer(1))
    }
    #expect(error?.description.contains("array-contains-any") == true)
  }
}
