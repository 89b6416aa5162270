import Testing

@testable import Firestore

@Suite("StructuredQuery")
struct StructuredQueryTests {
  private static let full = StructuredQuery(
    from: [.init(collectionId: "Users", allDescendants: true)],
    select: [FieldPath(segments: ["a"]), .documentName],
    filter: .composite(
      .or,
      [
        .field(FieldPath(segments: ["a", "b c"]), .in, .array([.integer(1)])),
        .composite(.and, [.unary(FieldPath(segments: ["d"]), .isNotNaN)]),
      ]),
    orderBy: [
      .init(field: FieldPath(segments: ["a"]), direction: .descending), .init(field: .documentName),
    ],
    startAt: .init(values: [.double(.nan)], before: false),
    endAt: .init(values: [.null, .reference("x")], before: true), offset: 3, limit: 0)

  @Test func `travels both ways whole`() throws {
    let bytes = Self.full.json.serialized()
    #expect(try StructuredQuery(json: JSON(parsing: bytes)) == Self.full)
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        {"endAt":{"before":true,"values":[{"nullValue":null},{"referenceValue":"x"}]},\
        "from":[{"allDescendants":true,"collectionId":"Users"}],"limit":0,"offset":3,\
        "orderBy":[{"direction":"DESCENDING","field":{"fieldPath":"a"}},\
        {"direction":"ASCENDING","field":{"fieldPath":"__name__"}}],\
        "select":{"fields":[{"fieldPath":"a"},{"fieldPath":"__name__"}]},\
        "startAt":{"values":[{"doubleValue":"NaN"}]},\
        "where":{"compositeFilter":{"filters":[{"fieldFilter":{"field":{"fieldPath":"a.`b c`"},\
        "op":"IN","value":{"arrayValue":{"values":[{"integerValue":"1"}]}}}},\
        {"compositeFilter":{"filters":[{"unaryFilter":{"field":{"fieldPath":"d"},\
        "op":"IS_NOT_NAN"}}],"op":"AND"}}],"op":"OR"}}}
        """)
  }

  @Test func `leaves out what is nil, empty or zero`() {
    let query = StructuredQuery(from: [.init(collectionId: "C")])
    #expect(
      String(decoding: query.json.serialized(), as: UTF8.self)
        == #"{"from":[{"collectionId":"C"}]}"#)
  }

  /// `google/firestore/v1/query.proto`.
  @Test func `numbers are those of query.proto, whatever the order of the cases`() throws {
    #expect(try StructuredQuery.Direction(json: .number("1")) == .ascending)
    #expect(try StructuredQuery.Direction(json: .number("2")) == .descending)
    #expect(try StructuredQuery.CompositeOperator(json: .number("1")) == .and)
    #expect(try StructuredQuery.CompositeOperator(json: .number("2")) == .or)
    let fields: [StructuredQuery.FieldOperator] = [
      .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .notEqual,
      .arrayContains, .in, .arrayContainsAny, .notIn,
    ]
    for (number, operation) in zip(1..., fields) {
      #expect(try StructuredQuery.FieldOperator(json: .number("\(number)")) == operation)
    }
    let unary: [StructuredQuery.UnaryOperator] = [.isNaN, .isNull, .isNotNaN, .isNotNull]
    for (number, operation) in zip(2..., unary) {
      #expect(try StructuredQuery.UnaryOperator(json: .number("\(number)")) == operation)
    }
    let measures: [NearestSearch.Measure] = [.euclidean, .cosine, .dotProduct]
    for (number, measure) in zip(1..., measures) {
      #expect(try NearestSearch.Measure(json: .number("\(number)")) == measure)
    }
  }

  @Test func `every operator has a name and a number of its own, and reads both`() throws {
    func check<Enum: WireEnum & Equatable>(_: Enum.Type) throws {
      for (number, item) in zip(Enum.wireNumbers, Enum.allCases) {
        #expect(try Enum(json: .string(item.rawValue)) == item)
        #expect(try Enum(json: .number("\(number)")) == item)
      }
      #expect(Set(Enum.wireNumbers).count == Enum.allCases.count)
      #expect(throws: WireError.self) { try Enum(json: .string("NONE")) }
      #expect(throws: WireError.self) { try Enum(json: .number("0")) }
    }
    try check(StructuredQuery.Direction.self)
    try check(StructuredQuery.FieldOperator.self)
    try check(StructuredQuery.UnaryOperator.self)
    try check(StructuredQuery.CompositeOperator.self)
  }

  @Test
  func `a projection of nothing selects whole documents; an order without direction ascends`()
    throws
  {
    let text =
      #"{"select":{},"from":[{"collectionId":""}],"orderBy":[{"field":{"fieldPath":"a"}}]}"#
    let query = try StructuredQuery(json: JSON(parsing: text.utf8))
    #expect(query.select == nil)
    #expect(query.from == [.init(collectionId: nil)])
    #expect(query.orderBy == [.init(field: FieldPath(segments: ["a"]), direction: .ascending)])
    #expect(query.limit == nil && query.offset == 0)
  }

  @Test(arguments: [
    (#"{"findNearest":{}}"#, "findNearest.vectorField: is missing"),
    (#"{"limit":-1}"#, "limit: -1 is not between 0 and 2147483647"),
    (#"{"offset":2147483648}"#, "offset: 2147483648 is not between 0 and 2147483647"),
    (
      #"{"where":{}}"#,
      "where: a filter has exactly one of fieldFilter, unaryFilter and compositeFilter"
    ),
    (
      #"{"where":{"fieldFilter":{"op":"EQUAL","value":{"nullValue":null}}}}"#,
      "where.fieldFilter.field: is missing"
    ),
    (
      #"{"orderBy":[{"field":{"fieldPath":"a b"}}]}"#,
      "orderBy.0.field.fieldPath: `a b` is not a field path; "
        + "names other than letters, digits and _ need back-ticks"
    ),
  ])
  func `refuses what it would not carry out`(text: String, message: String) throws {
    let json = try JSON(parsing: text.utf8)
    let error = #expect(throws: WireError.self) { try StructuredQuery(json: json) }
    #expect(error?.description == message)
  }
}

@Suite struct FilterComparisonTests {
  private let field = FieldPath(segments: ["a"])

  static let signs: [(String, StructuredQuery.FieldOperator)] = [
    ("<", .lessThan), ("<=", .lessThanOrEqual), ("==", .equal), ("!=", .notEqual),
    (">=", .greaterThanOrEqual), (">", .greaterThan), ("in", .in), ("not-in", .notIn),
    ("array-contains", .arrayContains), ("array-contains-any", .arrayContainsAny),
  ]

  @Test(arguments: signs)
  func `each sign is an operator`(row: (String, StructuredQuery.FieldOperator)) throws {
    let filter = try StructuredQuery.Filter.comparing(field, row.0, .integer(1))
    #expect(filter == .field(field, row.1, .integer(1)))
    #expect(Self.signs.count == StructuredQuery.FieldOperator.allCases.count)
  }

  @Test(arguments: [
    (Value.null, StructuredQuery.UnaryOperator.isNull, StructuredQuery.UnaryOperator.isNotNull),
    (.double(.nan), .isNaN, .isNotNaN),
  ])
  func `null and NaN are asked for by operators of their own, and by no range`(
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

  @Test(arguments: [("in", 30), ("array-contains-any", 30), ("not-in", 10)])
  func `a list has no more values than Firestore takes`(sign: String, most: Int) throws {
    func compare(_ count: Int) throws {
      let list = Value.array((0..<count).map { .integer(Int64($0)) })
      _ = try StructuredQuery.Filter.comparing(field, sign, list)
    }
    try compare(most)
    #expect(throws: WireError("\(sign) takes at most \(most) values, not \(most + 1)")) {
      try compare(most + 1)
    }
  }

  @Test(arguments: ["", "=", "~", "IN"])
  func `any other sign is refused, with those that there are`(sign: String) {
    let error = #expect(throws: WireError.self) {
      try StructuredQuery.Filter.comparing(field, sign, .integer(1))
    }
    #expect(error?.description.contains("array-contains-any") == true)
  }
}
