import Firestore
import HTTP
import Testing

/// What `explainOptions` tell, which Google's emulator does not; see `docs/firestore.md#explain`.
@Suite struct ExplainTests {
  private func explain(
    _ query: StructuredQuery, analyze: Bool, _ client: RESTClient
  ) async throws -> [JSON] {
    let text = String(decoding: query.json.serialized(), as: UTF8.self)
    return try await client.send(
      .post, ":runQuery",
      #"{"structuredQuery":\#(text),"explainOptions":{"analyze":\#(analyze)}}"#
    ).elements
  }

  private static func path(_ text: String) -> FieldPath { FieldPath(segments: [text]) }

  /// A query over `c`, and the index it uses.
  static let plans: [(StructuredQuery.Filter?, [StructuredQuery.Order], String)] = [
    (nil, [], "(__name__ ASC)"),
    (.field(path("a"), .equal, .integer(1)), [], "(a ASC, __name__ ASC)"),
    (.field(path("a"), .greaterThan, .integer(1)), [], "(a ASC, __name__ ASC)"),
    (
      .composite(
        .and,
        [
          .field(path("b"), .equal, .integer(1)), .field(path("a"), .equal, .integer(1)),
          .field(path("n"), .lessThan, .integer(1)),
        ]),
      [.init(field: path("n"), direction: .descending)],
      "(a ASC, b ASC, n DESC, __name__ DESC)"
    ),
    (.field(path("t"), .arrayContains, .integer(1)), [], "(t CONTAINS, __name__ ASC)"),
    (.unary(path("a"), .isNull), [], "(a ASC, __name__ ASC)"),
  ]

  @Test(arguments: plans)
  func `a plan names the index, and nothing is read`(
    row: (StructuredQuery.Filter?, [StructuredQuery.Order], String)
  ) async throws {
    try await TestClock.withServer { client, _ in
      _ = try await client.put([client.document("c/a", ["a": .integer(1)])])
      let query = StructuredQuery(
        from: [.init(collectionId: "c")], filter: row.0, orderBy: row.1)
      let elements = try await explain(query, analyze: false, client)
      #expect(
        elements == [
          .object([
            "explainMetrics": .object([
              "planSummary": .object([
                "indexesUsed": .array([
                  .object(["query_scope": .string("Collection"), "properties": .string(row.2)])
                ])
              ])
            ])
          ])
        ])
    }
  }

  @Test func `each alternative has an index of its own`() async throws {
    try await TestClock.withServer { client, _ in
      let either = StructuredQuery.Filter.composite(
        .or, ["a", "b"].map { .field(Self.path($0), .equal, .integer(1)) })
      let query = StructuredQuery(
        from: [.init(collectionId: "c")], filter: either, orderBy: [.init(field: Self.path("t"))])
      let metrics = try await explain(query, analyze: false, client).first?["explainMetrics"]
      let indexes = try metrics?["planSummary"]?["indexesUsed"]?.elements()
      #expect(
        indexes?.map { $0["properties"] } == [
          .string("(a ASC, t ASC, __name__ ASC)"), .string("(b ASC, t ASC, __name__ ASC)"),
        ])
    }
  }

  @Test func `an analysis comes last, with what was read`() async throws {
    try await TestClock.withServer { client, _ in
      _ = try await client.put((0..<5).map { client.document("c/\($0)", [:]) })
      let query = StructuredQuery(
        from: [.init(collectionId: "c", allDescendants: true)], offset: 1, limit: 3)
      let elements = try await explain(query, analyze: true, client)
      #expect(elements.count == 4)
      #expect(elements[..<3].allSatisfy { $0["document"] != nil && $0["explainMetrics"] == nil })
      #expect(elements[0]["skippedResults"] == .number("1"))
      let metrics = elements[3]["explainMetrics"]
      let index = try metrics?["planSummary"]?["indexesUsed"]?.elements().first
      #expect(index?["query_scope"] == .string("Collection group"))
      #expect(metrics?["executionStats"]?["resultsReturned"] == .string("3"))
      #expect(metrics?["executionStats"]?["readOperations"] == .string("4"))
      #expect(metrics?["executionStats"]?["executionDuration"] == .string("0.000000s"))
      #expect(elements[3]["readTime"] != nil)
    }
  }

  @Test func `a query without results is one read`() async throws {
    try await TestClock.withServer { client, _ in
      let query = StructuredQuery(from: [.init(collectionId: "c")])
      let elements = try await explain(query, analyze: true, client)
      #expect(elements.count == 1)
      let stats = elements[0]["explainMetrics"]?["executionStats"]
      #expect(stats?["resultsReturned"] == .string("0"))
      #expect(stats?["readOperations"] == .string("1"))
    }
  }

  /// Documents that are counted, and reads that are billed.
  @Test(arguments: [(0, "1"), (1000, "1"), (1001, "2")])
  func `a count is one read for each thousand index entries`(row: (Int, String)) async throws {
    try await TestClock.withServer { client, _ in
      if row.0 > 0 { _ = try await client.put((0..<row.0).map { client.document("c/\($0)", [:]) }) }
      let reply = try await client.send(
        .post, ":runAggregationQuery",
        #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}]},"aggregations":[{"alias":"n","count":{}}]},"explainOptions":{"analyze":true}}"#
      )
      let elements = try reply.elements
      #expect(elements.count == 1)
      let fields = elements[0]["result"]?["aggregateFields"]
      #expect(fields?["n"] == Value.integer(Int64(row.0)).json)
      let stats = elements[0]["explainMetrics"]?["executionStats"]
      #expect(stats?["readOperations"] == .string(row.1))
    }
  }

  @Test func `a query that is refused is refused before it is explained`() async throws {
    try await TestClock.withServer { client, _ in
      let reply = try await client.send(
        .post, ":runQuery", #"{"structuredQuery":{"limit":-1},"explainOptions":{}}"#)
      #expect(try reply.errorStatus == "INVALID_ARGUMENT")
      let odd = try await client.send(
        .post, ":runQuery", #"{"structuredQuery":{},"explainOptions":{"analyse":true}}"#)
      #expect(try odd.errorStatus == "INVALID_ARGUMENT")
    }
  }
}
