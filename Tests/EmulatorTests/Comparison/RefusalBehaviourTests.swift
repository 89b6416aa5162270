import Firestore
import HTTP
import Testing

/// What no service takes in a query, the same on our server and Google's emulator.
@Suite struct RefusalBehaviourTests {
  /// Values that nothing may be compared with; `ROOT` stands for the database's documents.
  static let refusedValues = [
    #"{"fooValue":"x"}"#,
    #"{"geoPointValue":{"latitude":91,"longitude":0}}"#,
    #"{"geoPointValue":{"latitude":-90.5,"longitude":0}}"#,
    #"{"geoPointValue":{"latitude":0,"longitude":181}}"#,
    #"{"geoPointValue":{"latitude":"NaN","longitude":0}}"#,
    #"{"geoPointValue":{"latitude":1,"longitude":2,"altitude":3}}"#,
    #"{"referenceValue":"c/a"}"#, #"{"referenceValue":""}"#, #"{"referenceValue":"ROOT"}"#,
    #"{"referenceValue":"ROOT/c"}"#, #"{"referenceValue":"ROOT/c/__x__"}"#,
    #"{"referenceValue":"ROOT/c//d/e"}"#, #"{"referenceValue":"ROOT/c/a/"}"#,
    #"{"mapValue":{"fields":{"__x__":{"integerValue":"1"}}}}"#,
    #"{"mapValue":{"fields":{"a":{"mapValue":{"fields":{"__x__":{"nullValue":null}}}}}}}"#,
    #"{"mapValue":{"fields":{"__type__":{"integerValue":"1"}}}}"#,
    #"{"arrayValue":{"values":[{"referenceValue":"c/a"}]}}"#,
    vector(#"[]"#), vector(#"[{"integerValue":"1"}]"#), vector(#"[{"stringValue":"a"}]"#),
    vector(#"[{"doubleValue":1}]"#, #","more":{"nullValue":null}"#),
    #"{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"}}}}"#,
    #"{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"integerValue":"1"}}}}"#,
    vector("[" + Array(repeating: #"{"doubleValue":1}"#, count: 2049).joined(separator: ",") + "]"),
  ]

  /// Values that are as odd as they may be.
  static let takenValues = [
    #"{"geoPointValue":{"latitude":90,"longitude":-180}}"#, #"{"geoPointValue":{}}"#,
    #"{"referenceValue":"ROOT/c/__id7__"}"#,
    #"{"mapValue":{"fields":{"__x":{"integerValue":"1"}}}}"#,
    #"{"mapValue":{"fields":{"__type__":{"stringValue":"mine"}}}}"#,
    #"{"arrayValue":{"values":[{"arrayValue":{}}]}}"#,
    vector(#"[{"doubleValue":1}]"#), vector(#"[{"doubleValue":"NaN"}]"#),
    "{\"stringValue\":\"\(String(repeating: "x", count: 1499))\"}",
  ]

  private static func vector(_ values: String, _ more: String = "") -> String {
    #"{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},"value":{"arrayValue":{"values":"#
      + values + "}}" + more + "}}}"
  }

  /// Queries that compare with the value, order from it, or look it up in a list.
  private static func queries(with value: String) -> [String] {
    let from = #""from":[{"collectionId":"c"}]"#
    func filter(_ operation: String, _ operand: String) -> String {
      #"{\#(from),"where":{"fieldFilter":{"field":{"fieldPath":"f"},"op":"\#(operation)","value":\#(operand)}}}"#
    }
    let list = #"{"arrayValue":{"values":[\#(value)]}}"#
    return [
      filter("EQUAL", value), filter("GREATER_THAN", value), filter("NOT_EQUAL", value),
      filter("ARRAY_CONTAINS", value), filter("IN", list), filter("NOT_IN", list),
      filter("ARRAY_CONTAINS_ANY", list),
      #"{\#(from),"orderBy":[{"field":{"fieldPath":"f"}}],"startAt":{"values":[\#(value)]}}"#,
      #"{\#(from),"orderBy":[{"field":{"fieldPath":"f"}}],"endAt":{"values":[\#(value)]}}"#,
    ]
  }

  @Test(arguments: Backend.present, refusedValues)
  func `a value that no service takes is an invalid argument wherever it stands`(
    backend: Backend, value: String
  ) async throws {
    try await backend.run("refused-values") { client in
      for query in Self.queries(with: value.replacing("ROOT", with: client.root)) {
        let reply = try await client.send(.post, ":runQuery", #"{"structuredQuery":\#(query)}"#)
        #expect(try reply.errorStatus == "INVALID_ARGUMENT", "\(query.prefix(300))")
      }
    }
  }

  @Test(arguments: Backend.present, takenValues)
  func `a value that is just allowed is taken wherever it stands`(
    backend: Backend, value: String
  ) async throws {
    try await backend.run("taken-values") { client in
      for query in Self.queries(with: value.replacing("ROOT", with: client.root)) {
        let reply = try await client.send(.post, ":runQuery", #"{"structuredQuery":\#(query)}"#)
        #expect(reply.status == 200, "\(query.prefix(300)) \(reply.text)")
      }
    }
  }

  /// Values around 1,500 bytes, and whether a query takes them.
  static let sizes: [(Value, Bool)] = [
    (.string(String(repeating: "x", count: 1499)), true),
    (.string(String(repeating: "x", count: 1500)), false),
    (.string(String(repeating: "é", count: 749)), true),
    (.string(String(repeating: "é", count: 750)), false),
    (.bytes(Array(repeating: 1, count: 1500)), true),
    (.bytes(Array(repeating: 1, count: 1501)), false),
    (.array(Array(repeating: .integer(1), count: 187)), true),
    (.array(Array(repeating: .integer(1), count: 188)), false),
    (.map([String(repeating: "k", count: 1491): .integer(1)]), true),
    (.map([String(repeating: "k", count: 1492): .integer(1)]), false),
    (Self.embedding(187), true), (Self.embedding(188), false),
  ]

  private static func embedding(_ count: Int) -> Value {
    .map([
      "__type__": .string("__vector__"),
      "value": .array(Array(repeating: .double(1.5), count: count)),
    ])
  }

  @Test(arguments: Backend.present, sizes)
  func `a value to compare with has at most 1,500 bytes`(
    backend: Backend, row: (Value, Bool)
  ) async throws {
    try await backend.run("sizes") { client in
      let field = FieldPath(segments: ["f"])
      for filter: StructuredQuery.Filter in [
        .field(field, .equal, row.0), .field(field, .in, .array([row.0])),
        .field(field, .arrayContains, row.0),
      ] {
        let query = StructuredQuery(from: [.init(collectionId: "c")], filter: filter)
        let reply = try await client.query(query)
        #expect(reply.status == (row.1 ? 200 : 400), "\(reply.text)")
      }
    }
  }

  @Test(arguments: Backend.present, [("IN", []), ("NOT_IN", ["a"]), ("EQUAL", [])])
  func `a name to look for has ids of at most 1,500 bytes, however long it is itself`(
    backend: Backend, row: (String, [String])
  ) async throws {
    try await backend.run("long-names") { client in
      _ = try await client.put([client.document("c/a", [:])])
      for bytes in [1_499, 1_500, 1_501] {
        let long = Value.reference("\(client.root)/c/\(String(repeating: "x", count: bytes))")
        let other = Value.reference("\(client.root)/c/b")
        let name = row.0 == "EQUAL" ? long : .array([long, other])
        let comparison = try #require(StructuredQuery.FieldOperator(rawValue: row.0))
        let reply = try await client.query(
          StructuredQuery(
            from: [.init(collectionId: "c")], filter: .field(.documentName, comparison, name)))
        #expect(reply.status == (bytes > 1_500 ? 400 : 200), "\(bytes) \(reply.text.prefix(200))")
        if bytes <= 1_500 { #expect(try reply.ids == row.1) }
      }
    }
  }

  static let collectionIds = [
    "c/d", "c/", "/", "__x__", ".", "..", String(repeating: "x", count: 1501),
  ]

  @Test(arguments: Backend.present, collectionIds)
  func `an id that no collection can have is an invalid argument`(
    backend: Backend, id: String
  ) async throws {
    try await backend.run("bad-collection-ids") { client in
      for isGroup in [false, true] {
        let query = StructuredQuery(from: [.init(collectionId: id, allDescendants: isGroup)])
        let reply = try await client.query(query)
        #expect(try reply.errorStatus == "INVALID_ARGUMENT")
        let body = String(decoding: query.json.serialized(), as: UTF8.self)
        let count = try await client.refusal(
          .post, ":runAggregationQuery",
          #"{"structuredAggregationQuery":{"structuredQuery":\#(body),"aggregations":[{"count":{}}]}}"#
        )
        #expect(count == "INVALID_ARGUMENT")
      }
    }
  }

  /// Inequalities with explicit orders (`-` goes down), and whether a service takes the query.
  static let orders: [(StructuredQuery.Filter, [String], Bool)] = [
    (more("n"), ["__name__"], false), (more("n"), ["-__name__"], false),
    (more("n"), ["n", "__name__"], true), (more("n"), [], true), (more("n"), ["a"], true),
    (more("n"), ["a", "__name__"], false), (more("n"), ["a", "-n", "__name__"], true),
    (.composite(.and, [more("n"), more("a")]), ["a", "__name__"], false),
    (.composite(.and, [more("n"), more("a")]), ["-a"], true),
    (.composite(.or, [more("n"), same("a")]), ["__name__"], false),
    (.composite(.and, [more("n"), same("n")]), ["__name__"], false),
    (.field(path("n"), .notEqual, .integer(0)), ["__name__"], false),
    (.field(path("n"), .notIn, .array([.integer(0)])), ["__name__"], false),
    (.unary(path("n"), .isNotNull), ["__name__"], false),
    (.unary(path("n"), .isNotNaN), ["__name__"], false),
    (.unary(path("n"), .isNull), ["__name__"], true), (same("n"), ["__name__"], true),
    (.field(path("n"), .in, .array([.integer(1)])), ["__name__"], true),
    (.field(path("n"), .arrayContains, .integer(1)), ["__name__"], true),
    // Nothing is more than null, and a query that finds nothing needs no order.
    (.field(path("n"), .greaterThan, .null), ["__name__"], true),
    (.composite(.or, [.field(path("n"), .greaterThan, .null), same("a")]), ["__name__"], true),
    (.field(path("n"), .notEqual, .null), ["__name__"], true),
    (.field(path("n"), .notIn, .array([.null])), ["__name__"], true),
    (.field(path("n"), .notIn, .array([.null, .null])), ["__name__"], true),
    (.field(path("n"), .notIn, .array([.null, .integer(5)])), ["__name__"], false),
    (.field(path("n"), .notIn, .array([.double(.nan)])), ["__name__"], false),
    (.field(path("n"), .notEqual, .double(.nan)), ["__name__"], false),
    (.composite(.or, [.field(path("n"), .notEqual, .null), same("a")]), ["__name__"], true),
    (.composite(.and, [.field(path("n"), .notEqual, .null), same("a")]), ["__name__"], true),
    (.composite(.and, [.field(path("n"), .notEqual, .null), more("a")]), ["__name__"], false),
    (.composite(.and, [.field(path("n"), .greaterThan, .null), more("a")]), ["__name__"], false),
  ]

  private static func path(_ name: String) -> FieldPath { FieldPath(segments: [name]) }
  private static func more(_ name: String) -> StructuredQuery.Filter {
    .field(path(name), .greaterThan, .integer(0))
  }
  private static func same(_ name: String) -> StructuredQuery.Filter {
    .field(path(name), .equal, .integer(1))
  }

  @Test(arguments: Backend.present, orders)
  func `the field of an inequality is ordered before the name`(
    backend: Backend, row: (StructuredQuery.Filter, [String], Bool)
  ) async throws {
    try await backend.run("orders") { client in
      let query = StructuredQuery(
        from: [.init(collectionId: "c")], filter: row.0,
        orderBy: row.1.map { name in
          .init(
            field: Self.path(String(name.drop { $0 == "-" })),
            direction: name.hasPrefix("-") ? .descending : .ascending)
        })
      let reply = try await client.query(query)
      #expect(reply.status == (row.2 ? 200 : 400), "\(reply.text)")
      if !row.2 { #expect(try reply.errorStatus == "INVALID_ARGUMENT") }
    }
  }

  /// Queries that are about names, or about no collection; `ROOT` as before.
  static let refusedQueries = [
    #"{"from":[{"collectionId":"c"}],"where":{"compositeFilter":{"op":"AND","filters":[{"fieldFilter":{"field":{"fieldPath":"__name__"},"op":"EQUAL","value":{"referenceValue":"ROOT/c/a"}}},{"fieldFilter":{"field":{"fieldPath":"n"},"op":"GREATER_THAN","value":{"integerValue":"0"}}}]}}}"#,
    #"{"from":[{"collectionId":"c"}],"where":{"unaryFilter":{"field":{"fieldPath":"__name__"},"op":"IS_NOT_NULL"}}}"#,
    #"{"from":[{"collectionId":"c"}],"where":{"fieldFilter":{"field":{"fieldPath":"__name__"},"op":"EQUAL","value":{"referenceValue":"projects/other/databases/(default)/documents/c/a"}}}}"#,
    #"{"from":[{"collectionId":"c"}],"orderBy":[{"field":{"fieldPath":"__name__"}}],"startAt":{"values":[{"referenceValue":"projects/other/databases/(default)/documents/c/a"}]}}"#,
    #"{"from":[{"collectionId":"c"}],"orderBy":[{"field":{"fieldPath":"a.`__x__`"}}]}"#,
    #"{"from":[{"collectionId":"c"}],"select":{"fields":[{"fieldPath":"a.__type__"}]}}"#,
    #"{"from":[{"collectionId":"c"}],"where":{"unaryFilter":{"field":{"fieldPath":"__x__"},"op":"IS_NULL"}}}"#,
    #"{"from":[{"allDescendants":true}],"orderBy":[{"field":{"fieldPath":"n"}}]}"#,
    #"{"from":[{"allDescendants":true}],"orderBy":[{"field":{"fieldPath":"__name__"},"direction":2}]}"#,
    #"{"from":[{}],"where":{"unaryFilter":{"field":{"fieldPath":"n"},"op":"IS_NULL"}}}"#,
  ]

  @Test(arguments: Backend.present, refusedQueries)
  func `names and fields are asked for as they can be`(
    backend: Backend, query: String
  ) async throws {
    try await backend.run("names") { client in
      let text = query.replacing("ROOT", with: client.root)
      let status = try await client.refusal(.post, ":runQuery", #"{"structuredQuery":\#(text)}"#)
      #expect(status == "INVALID_ARGUMENT")
    }
  }

  static let refusedAggregations = [
    #"{"alias":"s","sum":{"field":{"fieldPath":"__name__"}}}"#,
    #"{"alias":"__s__","count":{}}"#, #"{"alias":"s","avg":{"field":{"fieldPath":"a.__x__"}}}"#,
  ]

  @Test(arguments: Backend.present, refusedAggregations)
  func `names are no numbers, and aliases no reserved names`(
    backend: Backend, aggregation: String
  ) async throws {
    try await backend.run("aliases") { client in
      let status = try await client.refusal(
        .post, ":runAggregationQuery",
        #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}]},"aggregations":[\#(aggregation)]}}"#
      )
      #expect(status == "INVALID_ARGUMENT")
    }
  }

  @Test(arguments: Backend.present, ["n", "other", "__name__"])
  func `a sum takes no projection, and a count any`(
    backend: Backend, selected: String
  ) async throws {
    try await backend.run("projected") { client in
      func reply(_ aggregation: String) async throws -> RESTClient.Reply {
        try await client.send(
          .post, ":runAggregationQuery",
          #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}],"select":{"fields":[{"fieldPath":"\#(selected)"}]}},"aggregations":[\#(aggregation)]}}"#
        )
      }
      let field = #"{"field":{"fieldPath":"n"}}"#
      for name in ["sum", "avg"] {
        let status = try await reply(#"{"\#(name)":\#(field)}"#).errorStatus
        #expect(status == "INVALID_ARGUMENT")
      }
      let counted = try await reply(#"{"count":{}}"#).elements
      #expect(counted.count == 1)
    }
  }

  @Test func `where Google's emulator is stricter than production, production is followed`()
    async throws
  {
    try await Backend.embedded.run("production") { client in
      _ = try await client.put([
        client.document("p/a/c/1", ["n": .integer(2)]), client.document("c/2", ["n": .integer(1)]),
      ])
      let group = StructuredQuery(
        from: [.init(collectionId: "c", allDescendants: true)],
        filter: Self.more("n"), orderBy: [.init(field: Self.path("n"))])
      #expect(try await client.query(group, below: "/p/a").ids == ["1"])
      let sum = try await client.send(
        .post, ":runAggregationQuery",
        #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}],"orderBy":[{"field":{"fieldPath":"__name__"}}]},"aggregations":[{"alias":"s","sum":{"field":{"fieldPath":"n"}}}]}}"#
      )
      #expect(
        try sum.elements.first?["result"]?["aggregateFields"]?["s"] == Value.integer(1).json)
    }
  }
}
