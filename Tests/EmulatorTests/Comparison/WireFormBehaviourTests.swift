import Firestore
import HTTP
import Testing

/// The other spellings that proto3's JSON mapping allows, the same on both servers.
@Suite struct WireFormBehaviourTests {
  private func seed(_ client: RESTClient) async throws {
    let stored = try await client.put([
      client.document("c/1", ["snake_case": .integer(1), "m": .map(["in_ner": .integer(7)])]),
      client.document("c/2", ["snake_case": .integer(2)]),
      client.document("p/x/c/3", ["snake_case": .integer(3)]),
    ])
    #expect(stored.status == 200)
  }

  static let queries: [(String, [String])] = [
    (#"{"structured_query":{"from":[{"collection_id":"c"}]}}"#, ["1", "2"]),
    (
      #"{"structuredQuery":{"from":[{"collection_id":"c","all_descendants":true}],"order_by":[{"field":{"field_path":"snake_case"},"direction":"DESCENDING"}]}}"#,
      ["3", "2", "1"]
    ),
    (
      #"{"structuredQuery":{"from":[{"collectionId":"c"}],"order_by":[{"field":{"field_path":"snake_case"}}],"start_at":{"values":[{"integer_value":"2"}],"before":true}}}"#,
      ["2"]
    ),
    (
      #"{"structuredQuery":{"from":[{"collectionId":"c"}],"order_by":[{"field":{"field_path":"snake_case"}}],"end_at":{"values":[{"double_value":1}]}}}"#,
      ["1"]
    ),
    (
      #"{"structuredQuery":{"from":[{"collectionId":"c"}],"where":{"composite_filter":{"op":"OR","filters":[{"field_filter":{"field":{"field_path":"m.in_ner"},"op":"EQUAL","value":{"integer_value":7}}},{"unary_filter":{"field":{"field_path":"snake_case"},"op":"IS_NULL"}}]}}}}"#,
      ["1"]
    ),
    (#"{"structuredQuery":{"from":[{"collectionId":"c"}],"limit":1.0}}"#, ["1"]),
    (#"{"structuredQuery":{"from":[{"collectionId":"c"}],"limit":"1"}}"#, ["1"]),
    (#"{"structuredQuery":{"from":[{"collectionId":"c"}],"offset":1e0}}"#, ["2"]),
    (
      #"{"structuredQuery":{"from":[{"collectionId":"c"}],"limit":null,"where":null}}"#, ["1", "2"]
    ),
  ]

  @Test(arguments: Backend.present, queries)
  func `a query may name its parts with underscores, and write numbers in any form`(
    backend: Backend, row: (String, [String])
  ) async throws {
    try await backend.run("wire-query") { client in
      try await seed(client)
      let reply = try await client.send(.post, ":runQuery", row.0)
      #expect(reply.status == 200, "\(reply.text)")
      #expect(try reply.ids == row.1)
    }
  }

  @Test(arguments: Backend.present)
  func `keys of users' own keep their underscores`(backend: Backend) async throws {
    try await backend.run("wire-own-keys") { client in
      let fields =
        #"{"snake_case":{"map_value":{"fields":{"in_ner":{"array_value":{"values":[{"map_value":{"fields":{"a_b":{"null_value":null}}}}]}}}}},"integer_value":{"integer_value":"1"}}"#
      let write =
        #"{"update":{"name":"\#(client.root)/c/own","fields":\#(fields)},"update_transforms":[{"field_path":"at_most","maximum":{"integer_value":"4"}}],"current_document":{"exists":false}}"#
      let reply = try await client.send(
        .post, ":commit", #"{"writes":[\#(write)]}"#)
      #expect(reply.status == 200, "\(reply.text)")
      let stored = try await client.send(.get, "/c/own")
      #expect(
        try Document(json: stored.json).fields == [
          "snake_case": .map(["in_ner": .array([.map(["a_b": .null])])]),
          "integer_value": .integer(1), "at_most": .integer(4),
        ])
      let masked = try await client.send(
        .patch, "/c/own?update_mask.field_paths=at_most&mask.field_paths=snake_case.in_ner", "{}")
      #expect(
        try Document(json: masked.json).fields
          == ["snake_case": .map(["in_ner": .array([.map(["a_b": .null])])])])
      let listed = try await client.send(.get, "/c?page_size=1&order_by=integer_value")
      #expect(try listed.json["documents"]?.elements().count == 1)
    }
  }

  @Test(arguments: Backend.present)
  func `requests other than queries take underscores, too`(backend: Backend) async throws {
    try await backend.run("wire-others") { client in
      try await seed(client)
      let aggregation = try await client.send(
        .post, ":runAggregationQuery",
        #"{"structured_aggregation_query":{"structured_query":{"from":[{"collection_id":"c"}]},"aggregations":[{"alias":"x_y","count":{"up_to":"1"}}]}}"#
      )
      #expect(
        try aggregation.elements.first?["result"]?["aggregateFields"]?["x_y"]
          == Value.integer(1).json, "\(aggregation.text)")
      let begun = try await client.send(
        .post, ":batchGet",
        #"{"documents":["\#(client.root)/c/1"],"new_transaction":{"read_only":{}}}"#)
      #expect(try begun.elements.first?["transaction"] != nil, "\(begun.text)")
      let ids = try await client.send(.post, ":listCollectionIds", #"{"page_size":1}"#)
      #expect(try ids.json["collectionIds"]?.elements() == [.string("c")])
    }
  }

  static let numbers: [(String, Value)] = [
    (#"{"integerValue":5}"#, .integer(5)), (#"{"integerValue":5.0}"#, .integer(5)),
    (#"{"integerValue":"1e2"}"#, .integer(100)), (#"{"integerValue":"-007"}"#, .integer(-7)),
    (#"{"doubleValue":"1.5"}"#, .double(1.5)), (#"{"doubleValue":3}"#, .double(3)),
    (#"{"doubleValue":"-Infinity"}"#, .double(-.infinity)),
    (#"{"nullValue":"NULL_VALUE"}"#, .null), (#"{"nullValue":0}"#, .null),
    (#"{"bytesValue":"-_8"}"#, .bytes([0xFB, 0xFF])),
    (
      #"{"timestampValue":"2020-01-01T01:00:00.123456789+01:00"}"#,
      .timestamp(Timestamp(microseconds: 1_577_836_800_123_456))
    ),
    (#"{"arrayValue":{}}"#, .array([])), (#"{"mapValue":{"fields":{}}}"#, .map([:])),
    (#"{"geoPointValue":{"longitude":1}}"#, .geoPoint(latitude: 0, longitude: 1)),
  ]

  @Test(arguments: Backend.present, numbers)
  func `a value may be written in any form of its kind`(
    backend: Backend, row: (String, Value)
  ) async throws {
    try await backend.run("wire-values") { client in
      let reply = try await client.send(.post, "/v", #"{"fields":{"x":\#(row.0)}}"#)
      #expect(reply.status == 200, "\(reply.text)")
      #expect(try Document(json: reply.json).fields == ["x": row.1])
    }
  }

  static let malformed = [
    #"{"integerValue":"9223372036854775808"}"#, #"{"integerValue":1.5}"#, #"{"integerValue":""}"#,
    #"{"doubleValue":"x"}"#, #"{"doubleValue":""}"#, #"{"booleanValue":1}"#,
    #"{"stringValue":null}"#, #"{"stringValue":"a","integerValue":"1"}"#, "{}", "null",
    #"{"timestampValue":"2020-01-01t01:00:00z"}"#, #"{"timestampValue":"0000-01-01T00:00:00Z"}"#,
    #"{"geoPointValue":{"latitude":91}}"#, #"{"geoPointValue":{"latitude":"NaN"}}"#,
    #"{"referenceValue":"c/a"}"#, #"{"bytesValue":"a"}"#,
    #"{"string_value":"a","stringValue":"b"}"#,
  ]

  @Test(arguments: Backend.present, malformed)
  func `a value that is none is an invalid argument`(
    backend: Backend, value: String
  ) async throws {
    try await backend.run("wire-malformed") { client in
      let reply = try await client.send(.post, "/v", #"{"fields":{"x":\#(value)}}"#)
      #expect(try reply.errorStatus == "INVALID_ARGUMENT", "\(reply.text)")
      let wrapped = #"{"mapValue":{"fields":{"x":\#(value)}}}"#
      let inner = try await client.send(.post, "/v", #"{"fields":{"m":\#(wrapped)}}"#)
      #expect(try inner.errorStatus == "INVALID_ARGUMENT", "\(inner.text)")
    }
  }
}
