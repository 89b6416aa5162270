import Firestore
import HTTP
import Testing

/// What queries and lists do around their results, the same on our server and Google's emulator.
@Suite struct QueryBehaviourTests {
  @Test(arguments: Backend.present)
  func `an empty result is one element with its read time`(backend: Backend) async throws {
    try await backend.run("empty-result") { client in
      let reply = try await client.query(StructuredQuery(from: [.init(collectionId: "none")]))
      let elements = try reply.elements
      #expect(elements.count == 1)
      #expect(elements[0]["readTime"] != nil)
      #expect(elements[0]["document"] == nil)
    }
  }

  @Test(arguments: Backend.present)
  func `keyset paging visits every document once`(backend: Backend) async throws {
    try await backend.run("keyset") { client in
      let seen = FieldPath(segments: ["seen"])
      let documents = (0..<23).map {
        client.document("c/d\($0)", ["seen": .integer(Int64($0 / 5))])
      }
      _ = try await client.put(documents)
      var query = StructuredQuery(
        from: [.init(collectionId: "c")],
        orderBy: [
          .init(field: seen, direction: .descending), .init(field: .documentName),
        ], limit: 4)
      var ids: [String] = []
      while true {
        let page = try await client.query(query).ids
        ids += page
        guard page.count == 4, let last = page.last, let number = Int64(last.dropFirst()) else {
          break
        }
        query.startAt = .init(
          values: [.integer(number / 5), .reference("\(client.root)/c/\(last)")], before: false)
      }
      #expect(ids.count == 23)
      #expect(Set(ids).count == 23)
      #expect(ids.first == "d20")
    }
  }

  @Test(arguments: Backend.present)
  func `a projection keeps what it names, and __name__ keeps nothing`(
    backend: Backend
  ) async throws {
    try await backend.run("projection") { client in
      _ = try await client.put([
        client.document(
          "c/x", ["a": .integer(1), "m": .map(["k": .integer(1), "l": .integer(2)])])
      ])
      func fields(_ paths: [[String]]) async throws -> [String: Value]? {
        let query = StructuredQuery(
          from: [.init(collectionId: "c")], select: paths.map(FieldPath.init(segments:)))
        return try await client.query(query).elements.first?["document"]
          .map { try Document(json: $0).fields }
      }
      #expect(try await fields([["__name__"]]) == [:])
      #expect(try await fields([["m", "k"]]) == ["m": .map(["k": .integer(1)])])
      #expect(try await fields([["none"], ["a"]]) == ["a": .integer(1)])
      if backend == .embedded {
        #expect(try await fields([])?.count == 2, "documented, though Google's emulator differs")
      }
    }
  }

  /// Conditions that no document meets.
  static let impossible: [StructuredQuery.Filter] = [
    .field(FieldPath(segments: ["q"]), .notEqual, .null),
    .field(FieldPath(segments: ["q"]), .greaterThan, .null),
    .composite(
      .and,
      [
        .field(FieldPath(segments: ["q"]), .notEqual, .null),
        .field(FieldPath(segments: ["r"]), .equal, .integer(3)),
      ]),
  ]

  @Test(arguments: Backend.present, impossible)
  func `a condition that nothing meets hides no document from the others of an OR`(
    backend: Backend, impossible: StructuredQuery.Filter
  ) async throws {
    try await backend.run("impossible") { client in
      _ = try await client.put([
        client.document("c/lacks", ["n": .integer(3)]),
        client.document("c/has", ["n": .integer(2), "q": .integer(7)]),
        client.document("c/null", ["n": .integer(4), "q": .null]),
        client.document("c/few", ["n": .integer(1), "q": .integer(1)]),
        client.document("c/none", ["q": .integer(1)]),
      ])
      let some = StructuredQuery.Filter.field(
        FieldPath(segments: ["n"]), .greaterThanOrEqual, .integer(2))
      let query = StructuredQuery(
        from: [.init(collectionId: "c")], filter: .composite(.or, [impossible, some]))
      #expect(try await client.query(query).ids == ["has", "lacks", "null"])
      let alone = StructuredQuery(from: [.init(collectionId: "c")], filter: impossible)
      #expect(try await client.query(alone).ids == [])
    }
  }

  @Test(arguments: Backend.present)
  func `a collection group looks below its parent only`(backend: Backend) async throws {
    try await backend.run("group") { client in
      _ = try await client.put(
        ["c/1", "p/a/c/2", "p/a/q/x/c/3", "p/b/c/4", "p/a/d/5"].map { client.document($0, [:]) })
      let group = StructuredQuery(from: [.init(collectionId: "c", allDescendants: true)])
      #expect(try await client.query(group).ids == ["1", "2", "3", "4"])
      #expect(try await client.query(group, below: "/p/a").ids == ["2", "3"])
      let plain = StructuredQuery(from: [.init(collectionId: "c")])
      #expect(try await client.query(plain).ids == ["1"])
      #expect(try await client.query(plain, below: "/p/a").ids == ["2"])
      let all = StructuredQuery(from: [.init(collectionId: nil, allDescendants: true)])
      #expect(try await client.query(all).ids.count == 5)
    }
  }

  @Test(arguments: Backend.present)
  func `aggregations count, sum and average`(backend: Backend) async throws {
    try await backend.run("aggregations") { client in
      _ = try await client.put([
        client.document("c/1", ["n": .integer(1)]), client.document("c/2", ["n": .double(2.5)]),
        client.document("c/3", ["n": .string("x")]), client.document("c/4", [:]),
      ])
      func aggregate(_ list: String) async throws -> JSON? {
        try await client.send(
          .post, ":runAggregationQuery",
          #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}]},"aggregations":["#
            + list + "]}}"
        ).elements.first?["result"]?["aggregateFields"]
      }
      let count = try await aggregate(#"{"alias":"all","count":{}}"#)
      #expect(count?["all"] == Value.integer(4).json)
      let some = try await aggregate(#"{"alias":"some","count":{"upTo":"3"}}"#)
      #expect(some?["some"] == Value.integer(3).json)
      let sums = try await aggregate(
        #"{"alias":"s","sum":{"field":{"fieldPath":"n"}}},{"alias":"a","avg":{"field":{"fieldPath":"n"}}}"#
      )
      #expect(sums?["s"] == Value.double(3.5).json)
      #expect(sums?["a"] == Value.double(1.75).json)
    }
  }

  private static let (largest, tenths) = (
    Value.integer(.max), Array(repeating: Value.double(0.1), count: 10)
  )

  /// Numbers, their sum and their average.
  static let sums: [([Value], Value, Value)] = [
    ([largest, .integer(1), .integer(-.max)], .integer(1), .double(1.0 / 3)),
    (
      [largest, largest, .integer(-.max), .integer(-.max), .integer(5)], .integer(5), .double(1)
    ),
    ([largest, .integer(1)], .double(0x1p63), .double(0x1p62)),
    ([.integer(.min), .integer(-1)], .double(-0x1p63), .double(-0x1p62)),
    (tenths, .double(1), .double(0.1)),
    (
      [.integer(9_007_199_254_740_993), .double(0.5), .integer(-9_007_199_254_740_992)],
      .double(1.5), .double(0.5)
    ),
    ([largest, .integer(1), .double(0), .integer(-.max)], .double(1), .double(0.25)),
    ([.double(.infinity), .integer(1), .double(2)], .double(.infinity), .double(.infinity)),
    ([.double(.infinity), .double(-.infinity)], .double(.nan), .double(.nan)),
    ([.double(.nan), .integer(1)], .double(.nan), .double(.nan)),
    ([.string("1"), .null], .integer(0), .null), ([.double(-0.0)], .double(0), .double(0)),
  ]

  @Test(arguments: Backend.present, sums)
  func `integers are summed exactly, and doubles without what rounding loses`(
    backend: Backend, row: ([Value], Value, Value)
  ) async throws {
    try await backend.run("sums") { client in
      let collection = "s\(Self.sums.firstIndex { $0.0 == row.0 } ?? 0)"
      _ = try await client.put(
        row.0.enumerated().map { client.document("\(collection)/\($0)", ["n": $1]) })
      let answer = try await client.send(
        .post, ":runAggregationQuery",
        #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"\#(collection)"}]},"aggregations":[{"alias":"s","sum":{"field":{"fieldPath":"n"}}},{"alias":"a","avg":{"field":{"fieldPath":"n"}}}]}}"#
      ).elements.first?["result"]?["aggregateFields"]
      let sum = try answer?["s"].map(Value.init(json:))
      #expect(sum == row.1)
      let average = try answer?["a"].map(Value.init(json:))
      #expect(average == row.2)
    }
  }

  @Test(arguments: Backend.present)
  func `a list pages by its token, 20 at a time unless told`(backend: Backend) async throws {
    try await backend.run("list") { client in
      _ = try await client.put(
        (0..<45).map { client.document("c/\($0 + 100)", ["n": .integer(Int64($0))]) })
      var ids: [String] = []
      var token = ""
      var sizes: [Int] = []
      repeat {
        let page = try await client.send(
          .get, "/c?pageToken=\(token.replacing("+", with: "%2B").replacing("=", with: "%3D"))"
        ).json
        let documents = try page["documents"]?.elements().map(Document.init(json:)) ?? []
        sizes.append(documents.count)
        ids += documents.map(\.id)
        token = try page["nextPageToken"]?.text() ?? ""
      } while !token.isEmpty
      #expect(backend == .google || sizes == [20, 20, 5])
      #expect(ids == (100..<145).map { "\($0)" })
      let masked = try await client.send(.get, "/c?pageSize=1&mask.fieldPaths=x&orderBy=n%20desc")
      let first = try masked.json["documents"]?.elements().first.map(Document.init(json:))
      #expect(first?.id == "144")
      #expect(first?.fields == [:])
    }
  }

  /// An order and a filter in other spellings, and the documents of 1, 2 and 3 that come back.
  static let spellings: [(String, [String])] = [
    (#""orderBy":[{"field":{"fieldPath":"n"},"direction":2}]"#, ["3", "2", "1"]),
    (#""orderBy":[{"field":{"fieldPath":"n"},"direction":0}]"#, ["1", "2", "3"]),
    (
      #""orderBy":[{"field":{"fieldPath":"n"},"direction":"DIRECTION_UNSPECIFIED"}]"#,
      ["1", "2", "3"]
    ),
    (
      #""where":{"fieldFilter":{"field":{"fieldPath":"`n`"},"op":3,"value":{"integerValue":2}}}"#,
      ["3"]
    ),
    (#""where":{"unaryFilter":{"field":{"fieldPath":"odd.key"},"op":5}}"#, []),
    (#""where":{"unaryFilter":{"field":{"fieldPath":"`odd.key`"},"op":5}}"#, ["2"]),
    (#""where":{"unaryFilter":{"field":{"fieldPath":"`a\\`b\\\\`"},"op":3}}"#, ["1"]),
    (#""where":{"compositeFilter":{"op":1,"filters":[]}},"limit":"2""#, ["1", "2"]),
  ]

  @Test(arguments: Backend.present, spellings)
  func `enums may be numbers, and any field can be named`(
    backend: Backend, row: (String, [String])
  ) async throws {
    try await backend.run("spellings") { client in
      _ = try await client.put([
        client.document("c/1", ["n": .integer(1), "a`b\\": .null]),
        client.document("c/2", ["n": .integer(2), "odd.key": .integer(1)]),
        client.document("c/3", ["n": .integer(3)]),
      ])
      let reply = try await client.send(
        .post, ":runQuery", #"{"structuredQuery":{"from":[{"collectionId":"c"}],\#(row.0)}}"#)
      #expect(reply.status == 200, "\(reply.text)")
      #expect(try reply.ids == row.1)
    }
  }

  static let refused: [(String, String)] = [
    ("no query", "{}"),
    ("negative limit", #"{"structuredQuery":{"from":[{"collectionId":"c"}],"limit":-1}}"#),
    (
      "two collections",
      #"{"structuredQuery":{"from":[{"collectionId":"c"},{"collectionId":"d"}]}}"#
    ),
    (
      "cursor beyond the order",
      #"{"structuredQuery":{"from":[{"collectionId":"c"}],"startAt":{"values":[{"nullValue":null}]}}}"#
    ),
    (
      "in of nothing",
      #"{"structuredQuery":{"where":{"fieldFilter":{"field":{"fieldPath":"a"},"op":"IN","value":{"arrayValue":{}}}}}}"#
    ),
    (
      "a name that is no reference",
      #"{"structuredQuery":{"where":{"fieldFilter":{"field":{"fieldPath":"__name__"},"op":"EQUAL","value":{"stringValue":"a"}}}}}"#
    ),
    (
      "an order after the name",
      #"{"structuredQuery":{"orderBy":[{"field":{"fieldPath":"__name__"}},{"field":{"fieldPath":"a"}}]}}"#
    ),
    (
      "the same order twice",
      #"{"structuredQuery":{"orderBy":[{"field":{"fieldPath":"a"}},{"field":{"fieldPath":"a"}}]}}"#
    ),
  ]

  @Test(arguments: Backend.present, refused)
  func `queries that make no sense are invalid arguments`(
    backend: Backend, query: (String, String)
  ) async throws {
    try await backend.run("refused") { client in
      let reply = try await client.send(.post, ":runQuery", query.1)
      #expect(reply.status == 400, "\(query.0): \(reply.text)")
      #expect(try reply.errorStatus == "INVALID_ARGUMENT")
    }
  }
}
