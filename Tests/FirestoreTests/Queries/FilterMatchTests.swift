import Firestore
import Testing

@Suite struct FilterMatchTests {
  private typealias Filter = StructuredQuery.Filter

  private func matches(
    _ value: Value?, _ comparison: StructuredQuery.FieldOperator, _ bound: Value
  ) -> Bool {
    let fields = value.map { ["f": $0] } ?? [:]
    let document = Document(name: "projects/p/databases/d/documents/c/x", fields: fields)
    return Filter.field(FieldPath(segments: ["f"]), comparison, bound).matches(document)
  }

  static let ranges: [(Value, StructuredQuery.FieldOperator, Value, Bool)] = [
    (.integer(4), .lessThan, .integer(5), true), (.integer(5), .lessThan, .integer(5), false),
    (.integer(5), .lessThanOrEqual, .double(5), true),
    (.integer(6), .lessThanOrEqual, .integer(5), false),
    (.integer(6), .greaterThan, .integer(5), true),
    (.integer(5), .greaterThan, .integer(5), false),
    (.integer(5), .greaterThanOrEqual, .integer(5), true),
    (.integer(4), .greaterThanOrEqual, .integer(5), false),
    (.string("9"), .greaterThan, .integer(5), false), (.null, .lessThan, .integer(5), false),
    (.boolean(true), .lessThan, .integer(5), false), (.double(.nan), .lessThan, .integer(5), false),
    (.integer(1), .greaterThan, .double(.nan), false), (.null, .lessThanOrEqual, .null, false),
    (.double(.nan), .lessThanOrEqual, .double(.nan), false),
    (.array([.double(.nan)]), .lessThan, .array([.integer(1)]), true),
    (.string("b"), .greaterThan, .string("a"), true),
    (.timestamp(Timestamp(microseconds: 1)), .greaterThan, .integer(0), false),
  ]

  @Test(arguments: ranges)
  func `a range matches inside the type of its bound only`(
    row: (Value, StructuredQuery.FieldOperator, Value, Bool)
  ) {
    #expect(matches(row.0, row.1, row.2) == row.3)
  }

  static let equality: [(Value, StructuredQuery.FieldOperator, Value, Bool)] = [
    (.integer(1), .equal, .double(1), true), (.integer(1), .equal, .string("1"), false),
    (.null, .equal, .null, false), (.double(.nan), .equal, .double(.nan), false),
    (.array([.double(.nan)]), .equal, .array([.double(.nan)]), true),
    (.string("é"), .equal, .string("e\u{301}"), false),
    (.integer(1), .notEqual, .integer(2), true), (.integer(1), .notEqual, .double(1), false),
    (.null, .notEqual, .integer(1), false), (.string("a"), .notEqual, .null, false),
    (.double(.nan), .notEqual, .double(.nan), true),
    (.integer(2), .in, .array([.integer(1), .double(2)]), true),
    (.integer(3), .in, .array([.integer(1), .double(2)]), false),
    (.null, .in, .array([.null]), false), (.double(.nan), .in, .array([.double(.nan)]), false),
    (.array([.null]), .arrayContains, .null, false),
    (.double(.nan), .notIn, .array([.double(.nan)]), true),
    (.integer(3), .notIn, .array([.integer(1)]), true),
    (.integer(1), .notIn, .array([.integer(1)]), false),
    (.null, .notIn, .array([.integer(1)]), false),
    (.integer(3), .notIn, .array([.integer(1), .null]), false),
    (.array([.integer(1), .string("a")]), .arrayContains, .string("a"), true),
    (.array([.integer(1)]), .arrayContains, .string("a"), false),
    (.string("a"), .arrayContains, .string("a"), false),
    (.array([.array([.integer(1)])]), .arrayContains, .integer(1), false),
    (.array([.integer(1)]), .arrayContainsAny, .array([.integer(2), .double(1)]), true),
    (.array([.integer(1)]), .arrayContainsAny, .array([.integer(2)]), false),
  ]

  @Test(arguments: equality)
  func `equality, membership and their opposites`(
    row: (Value, StructuredQuery.FieldOperator, Value, Bool)
  ) {
    #expect(matches(row.0, row.1, row.2) == row.3)
  }

  @Test(arguments: StructuredQuery.FieldOperator.allCases)
  func `a missing field matches nothing`(comparison: StructuredQuery.FieldOperator) {
    #expect(!matches(nil, comparison, .array([.null])))
    #expect(!matches(nil, comparison, .null))
  }

  static let unary: [(StructuredQuery.UnaryOperator, Value?, Bool)] = [
    (.isNull, .null, true), (.isNull, .integer(0), false), (.isNull, nil, false),
    (.isNotNull, .null, false), (.isNotNull, .integer(0), true), (.isNotNull, nil, false),
    (.isNaN, .double(.nan), true), (.isNaN, .double(1), false), (.isNaN, nil, false),
    (.isNotNaN, .double(.nan), false), (.isNotNaN, .string("x"), true), (.isNotNaN, .null, false),
    (.isNotNaN, nil, false),
  ]

  @Test(arguments: unary)
  func `unary filters`(row: (StructuredQuery.UnaryOperator, Value?, Bool)) {
    let document = Document(
      name: "projects/p/databases/d/documents/c/x", fields: row.1.map { ["f": $0] } ?? [:])
    #expect(Filter.unary(FieldPath(segments: ["f"]), row.0).matches(document) == row.2)
  }

  @Test func `AND needs all, OR one, and they nest`() {
    let document = Document(
      name: "projects/p/databases/d/documents/c/x",
      fields: ["a": .integer(1), "m": .map(["b": .integer(2)])])
    let one = Filter.field(FieldPath(segments: ["a"]), .equal, .integer(1))
    let two = Filter.field(FieldPath(segments: ["m", "b"]), .equal, .integer(2))
    let not = Filter.field(FieldPath(segments: ["a"]), .equal, .integer(7))
    #expect(Filter.composite(.and, [one, two]).matches(document))
    #expect(!Filter.composite(.and, [one, not]).matches(document))
    #expect(Filter.composite(.or, [not, two]).matches(document))
    #expect(!Filter.composite(.or, [not, not]).matches(document))
    #expect(Filter.composite(.and, [one, .composite(.or, [not, two])]).matches(document))
  }

  @Test func `__name__ compares references`() {
    let document = Document(name: "projects/p/databases/d/documents/c/m", fields: [:])
    let before = Value.reference("projects/p/databases/d/documents/c/a")
    let same = Value.reference(document.name)
    #expect(Filter.field(.documentName, .greaterThan, before).matches(document))
    #expect(!Filter.field(.documentName, .greaterThan, same).matches(document))
    #expect(Filter.field(.documentName, .in, .array([before, same])).matches(document))
  }
}
