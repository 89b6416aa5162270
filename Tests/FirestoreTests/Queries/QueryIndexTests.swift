import Testing

@testable import Firestore

/// The index that each query is answered from; see `docs/firestore.md#indexes`.
@Suite struct QueryIndexTests {
  typealias Filter = StructuredQuery.Filter
  typealias Order = StructuredQuery.Order

  private static func path(_ text: String) -> FieldPath { FieldPath(segments: [text]) }

  private static func compare(
    _ field: String, _ comparison: StructuredQuery.FieldOperator
  ) -> Filter {
    .field(path(field), comparison, .integer(1))
  }

  private static func up(_ field: String) -> Order { Order(field: path(field)) }

  private static func down(_ field: String) -> Order {
    Order(field: path(field), direction: .descending)
  }

  private static func query(
    _ filter: Filter?, _ orders: [Order], group: Bool = false
  ) -> StructuredQuery {
    StructuredQuery(
      from: [.init(collectionId: "C", allDescendants: group)], filter: filter, orderBy: orders)
  }

  /// The fields that have to be named, `a+` going up, `a-` going down, `a[]` by elements.
  private static func text(_ index: QueryIndex) -> String {
    index.storedFields.map { field in
      let sign =
        switch field.mode {
        case .ascending: "+"
        case .descending: "-"
        case .contains: "[]"
        }
      return "\(field.path)\(sign)"
    }.joined(separator: " ")
  }

  /// A filter and an order, the fields of the one index, and whether Firestore has it by itself.
  private static let single: [(Filter?, [Order], String, Bool)] = [
    (nil, [], "", true),
    (nil, [up("__name__")], "", true),
    (nil, [down("__name__")], "__name__-", false),
    (nil, [up("a")], "a+", true),
    (nil, [down("a")], "a-", true),
    (nil, [down("a"), down("__name__")], "a-", true),
    (nil, [down("a"), up("__name__")], "a- __name__+", false),
    (nil, [up("a"), down("__name__")], "a+ __name__-", false),
    (nil, [up("a"), up("b")], "a+ b+", false),
    (nil, [up("a"), down("b")], "a+ b-", false),
    (compare("a", .equal), [], "a+", true),
    (compare("a", .in), [], "a+", true),
    (.unary(path("a"), .isNull), [], "a+", true),
    (.unary(path("a"), .isNaN), [], "a+", true),
    (compare("a", .arrayContains), [], "a[]", true),
    (compare("a", .arrayContainsAny), [], "a[]", true),
    (compare("a", .equal), [down("__name__")], "a+ __name__-", false),
    (compare("a", .equal), [down("a")], "a-", true),
    (compare("a", .equal), [down("b")], "a+ b-", false),
    (compare("a", .equal), [up("b"), up("a")], "b+ a+", false),
    (compare("a", .arrayContains), [down("a")], "a[] a-", false),
    (compare("a", .arrayContains), [up("b")], "a[] b+", false),
    (compare("a", .lessThan), [], "a+", true),
    (compare("a", .notEqual), [], "a+", true),
    (compare("a", .notIn), [], "a+", true),
    (.unary(path("a"), .isNotNull), [], "a+", true),
    (.unary(path("a"), .isNotNaN), [], "a+", true),
    (compare("a", .greaterThan), [down("a")], "a-", true),
    (compare("a", .greaterThan), [up("b")], "b+ a+", false),
    (compare("__name__", .equal), [], "", true),
    (compare("__name__", .greaterThan), [], "", true),
    (.composite(.and, [compare("b", .equal), compare("a", .equal)]), [], "a+ b+", true),
    (.composite(.and, [compare("b", .equal), compare("a", .arrayContains)]), [], "a[] b+", false),
    (
      .composite(.and, [compare("c", .equal), compare("n", .lessThan), compare("b", .equal)]),
      [down("n")], "b+ c+ n-", false
    ),
    (
      .composite(.and, [compare("n", .lessThan), compare("m", .greaterThan)]), [], "m+ n+", false
    ),
    (.composite(.or, [compare("a", .equal), compare("a", .in)]), [up("x")], "a+ x+", false),
  ]

  @Test(arguments: single)
  func `equality comes first, then the order, then the name unless it goes by itself`(
    filter: Filter?, orders: [Order], fields: String, isAutomatic: Bool
  ) throws {
    let indexes = QueryIndex.serving(Self.query(filter, orders))
    #expect(indexes.map(Self.text) == [fields])
    #expect(indexes.map(\.isAutomatic) == [isAutomatic])
  }

  @Test
  func `every alternative has an index of its own, and only those not automatic are lacking`() {
    let filter = Filter.composite(
      .and,
      [
        .composite(.or, [Self.compare("a", .equal), Self.compare("b", .equal)]),
        .composite(.or, [Self.compare("c", .equal), Self.compare("c", .arrayContains)]),
      ])
    #expect(
      QueryIndex.serving(Self.query(filter, [Self.down("t")])).map(Self.text)
        == ["a+ c+ t-", "a+ c[] t-", "b+ c+ t-", "b+ c[] t-"])
    let half = Filter.composite(.or, [Self.compare("a", .equal), Self.compare("t", .equal)])
    let query = Self.query(half, [Self.down("t")])
    #expect(QueryIndex.serving(query).map(Self.text) == ["a+ t-", "t-"])
    #expect(QueryIndex.lacking(query).map(Self.text) == ["a+ t-"])
  }

  @Test func `where all are automatic, an exempted field is lacking`() {
    let query = Self.query(nil, [Self.up("a")])
    #expect(QueryIndex.lacking(query).map(Self.text) == ["a+"])
  }

  @Test func `a collection group has no index by itself, but that of names`() {
    for (orders, isAutomatic) in [([], true), ([Self.up("a")], false)] {
      let index = QueryIndex.serving(Self.query(nil, orders, group: true))
      #expect(index.map(\.isAutomatic) == [isAutomatic])
    }
  }

  @Test func `a query over every collection has none`() {
    #expect(QueryIndex.serving(StructuredQuery(from: [.init(collectionId: nil)])).isEmpty)
    #expect(QueryIndex.serving(StructuredQuery(from: [])).isEmpty)
  }

  @Test func `a filter with more alternatives than Firestore takes does not take for ever`() {
    let either = (0..<40).map { number in
      Filter.composite(
        .or, [Self.compare("a\(number)", .equal), Self.compare("b\(number)", .equal)])
    }
    #expect(QueryIndex.serving(Self.query(.composite(.and, either), [])).count == 30)
  }

  @Test func `an entry is that of firestore.indexes.json`() throws {
    func entry(_ filter: Filter?, _ orders: [Order], group: Bool = false) -> (String, String) {
      let index = QueryIndex.serving(Self.query(filter, orders, group: group))[0]
      return (index.section().rawValue, String(decoding: index.entry().serialized(), as: UTF8.self))
    }
    #expect(
      entry(
        .composite(.and, [Self.compare("a b", .equal), Self.compare("t", .arrayContains)]),
        [Self.down("n"), Self.up("__name__")]) == (
          "indexes",
          #"{"collectionGroup":"C","fields":[{"fieldPath":"`a b`","order":"ASCENDING"},"#
            + #"{"arrayConfig":"CONTAINS","fieldPath":"t"},{"fieldPath":"n","order":"DESCENDING"},"#
            + #"{"fieldPath":"__name__","order":"ASCENDING"}],"queryScope":"COLLECTION"}"#
        ))
    #expect(
      entry(nil, [Self.down("n")], group: true) == (
        "fieldOverrides",
        #"{"collectionGroup":"C","fieldPath":"n","indexes":["#
          + #"{"order":"ASCENDING","queryScope":"COLLECTION"},"#
          + #"{"order":"DESCENDING","queryScope":"COLLECTION"},"#
          + #"{"arrayConfig":"CONTAINS","queryScope":"COLLECTION"},"#
          + #"{"order":"DESCENDING","queryScope":"COLLECTION_GROUP"}]}"#
      ))
    #expect(
      entry(nil, [Self.down("__name__")]) == (
        "indexes",
        #"{"collectionGroup":"C","fields":[{"fieldPath":"__name__","order":"DESCENDING"}],"#
          + #""queryScope":"COLLECTION"}"#
      ))
    #expect(
      entry(nil, [Self.up("a"), Self.up("b")], group: true).1.hasSuffix(#""COLLECTION_GROUP"}"#))
  }

  @Test func `a file has both lists`() throws {
    let indexes = [
      Self.query(nil, [Self.up("a"), Self.up("b")]), Self.query(nil, [Self.up("a")], group: true),
    ].flatMap(QueryIndex.serving)
    let file = QueryIndex.file(of: indexes)
    #expect(file["indexes"] == .array([indexes[0].entry()]))
    #expect(file["fieldOverrides"] == .array([indexes[1].entry()]))
    #expect(QueryIndex.file(of: [])["indexes"] == .array([]))
  }
}
