import HTTP
import Testing

@testable import Firestore

/// What a search for the nearest vectors finds, the same on our server and on Google's emulator.
@Suite struct NearestBehaviourTests {
  private static func vector(_ coordinates: Double...) -> Value {
    .map([
      "__type__": .string("__vector__"), "value": .array(coordinates.map(Value.double)),
    ])
  }

  private func seed(_ client: RESTClient) async throws {
    let stored = try await client.put([
      client.document("c/a", ["v": Self.vector(0, 0), "n": .integer(1)]),
      client.document("c/b", ["v": Self.vector(1, 1), "n": .integer(2)]),
      client.document("c/c", ["v": Self.vector(3, 4), "n": .integer(1)]),
      client.document("c/deep", ["v": Self.vector(1, 2, 3)]),
      client.document("c/f", ["v": Self.vector(-1, -1)]),
      client.document("c/none", ["n": .integer(1)]), client.document("c/text", ["v": .string("x")]),
      client.document("c/list", ["v": .array([.double(1), .double(1)])]),
    ])
    #expect(stored.status == 200, "\(stored.text)")
  }

  private func search(
    _ client: RESTClient, _ measure: NearestSearch.Measure, limit: Int = 10,
    to vector: Value = vector(1, 1), change: (inout StructuredQuery) -> Void = { _ in }
  ) async throws -> RESTClient.Reply {
    var query = StructuredQuery(from: [.init(collectionId: "c")])
    query.nearest = NearestSearch(
      field: FieldPath(segments: ["v"]), vector: vector, measure: measure, limit: limit)
    change(&query)
    return try await client.query(query)
  }

  @Test(arguments: Backend.present)
  func `the nearest come first, by each measure`(backend: Backend) async throws {
    try await backend.run("nearest-measures") { client in
      try await seed(client)
      #expect(try await search(client, .euclidean).ids == ["b", "a", "f", "c"])
      #expect(try await search(client, .cosine).ids == ["b", "c", "f", "a"])
      #expect(try await search(client, .dotProduct).ids == ["c", "b", "a", "f"])
      #expect(try await search(client, .euclidean, limit: 2).ids == ["b", "a"])
      #expect(try await search(client, .euclidean, to: Self.vector(1, 1, 1)).ids == ["deep"])
      #expect(try await search(client, .cosine, to: Self.vector(0, 0)).ids == ["a", "b", "c", "f"])
    }
  }

  static let thresholds: [(NearestSearch.Measure, Double, [String])] = [
    (.euclidean, 2, ["b", "a"]), (.cosine, 0.1, ["b", "c"]), (.dotProduct, 2, ["c", "b"]),
    (.dotProduct, 2.5, ["c"]),
  ]

  @Test(arguments: Backend.present, thresholds)
  func `a threshold leaves out what is farther`(
    backend: Backend, row: (NearestSearch.Measure, Double, [String])
  ) async throws {
    try await backend.run("nearest-threshold") { client in
      try await seed(client)
      let reply = try await search(client, row.0) { $0.nearest?.threshold = row.1 }
      #expect(try reply.ids == row.2)
    }
  }

  @Test(arguments: Backend.present)
  func `a filter, an order and a projection apply, and a field holds the distance`(
    backend: Backend
  ) async throws {
    try await backend.run("nearest-parts") { client in
      try await seed(client)
      let number = FieldPath(segments: ["n"])
      let filtered = try await search(client, .euclidean) {
        $0.filter = .field(number, .equal, .integer(1))
      }
      #expect(try filtered.ids == ["a", "c"])
      let ordered = try await search(client, .euclidean) { $0.orderBy = [.init(field: number)] }
      #expect(try ordered.ids == ["b", "a", "c"])
      let named = try await search(client, .euclidean, limit: 2) {
        $0.nearest?.resultField = "far"
        $0.select = [FieldPath(segments: ["far"])]
      }
      let documents = try named.elements.compactMap { try $0["document"].map(Document.init(json:)) }
      #expect(documents.map(\.fields) == [["far": .double(0)], ["far": .double(2.0.squareRoot())]])
      let same = try await search(client, .cosine, limit: 1) { $0.nearest?.resultField = "far" }
      let nearest = try #require(try same.elements.first?["document"])
      #expect(try Document(json: nearest).fields["far"] == .double(0))
      let count = try await client.send(
        .post, ":runAggregationQuery",
        String(
          decoding: JSON.object([
            "structuredAggregationQuery": .object([
              "structuredQuery": JSON(parsing: #"{"from":[{"collectionId":"c"}]}"#.utf8)
                .adding("findNearest", Self.twoNearest),
              "aggregations": .array([.object(["alias": .string("x"), "count": .object([:])])]),
            ])
          ]).serialized(), as: UTF8.self))
      #expect(
        try count.elements.first?["result"]?["aggregateFields"]?["x"] == Value.integer(2).json,
        "\(count.text)")
    }
  }

  private static let twoNearest = JSON.object([
    "vectorField": .object(["fieldPath": .string("v")]), "queryVector": vector(1, 1).json,
    "distanceMeasure": .string("EUCLIDEAN"), "limit": .number("2"),
  ])

  static let refused: [@Sendable (inout StructuredQuery) -> Void] = [
    { $0.limit = 1 }, { $0.offset = 1 }, { $0.nearest?.limit = 0 }, { $0.nearest?.limit = 1001 },
    { $0.nearest?.vector = .array([.double(1)]) }, { $0.nearest?.vector = vector() },
    { $0.nearest?.resultField = "__x__" },
    { query in
      query.orderBy = [.init(field: FieldPath(segments: ["n"]))]
      query.startAt = .init(values: [.integer(1)], before: true)
    },
  ]

  @Test(arguments: Backend.present, refused.indices)
  func `a search that makes no sense is an invalid argument`(
    backend: Backend, index: Int
  ) async throws {
    try await backend.run("nearest-refused") { client in
      let reply = try await search(client, .euclidean, change: Self.refused[index])
      #expect(reply.status == 400, "\(reply.text)")
    }
  }
}

extension JSON {
  fileprivate func adding(_ key: String, _ value: JSON) throws -> JSON {
    var members = try members()
    members[key] = value
    return .object(members)
  }
}
