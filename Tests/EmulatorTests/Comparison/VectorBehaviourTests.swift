import Firestore
import HTTP
import Testing

/// A vector is one value, on our server as on Google's emulator.
@Suite struct VectorBehaviourTests {
  private static func vector(_ coordinates: [Double]) -> Value {
    .map(["__type__": .string("__vector__"), "value": .array(coordinates.map(Value.double))])
  }

  private static let stored: [String: Value] = [
    "v": vector([1, 2]), "m": .map(["v": vector([5])]), "n": .integer(1),
  ]

  private func commit(
    _ client: RESTClient, _ write: Write, transforms: String = "[]"
  ) async throws -> RESTClient.Reply {
    var members = try write.json.members()
    members["updateTransforms"] = try JSON(parsing: transforms.utf8)
    let body = JSON.object(["writes": .array([.object(members)])]).serialized()
    return try await client.send(.post, ":commit", String(decoding: body, as: UTF8.self))
  }

  private func fields(_ client: RESTClient, _ path: String) async throws -> [String: Value] {
    try Document(json: try await client.send(.get, path).json).fields
  }

  /// Values that no field may hold.
  static let refused: [Value] = [
    vector([]), vector(Array(repeating: 1, count: 2049)), vector([.nan]),
    .array([vector([1])]), .map(["a": .array([vector([1])])]), .array([.map(["v": vector([])])]),
    .map(["__type__": .string("__vector__"), "value": .array([.integer(1)])]),
    .map(["__type__": .string("__vector__"), "value": .null]),
    .map(["__type__": .string("__vector__")]),
    .map(["__type__": .string("__vector__"), "value": .array([.double(1)]), "x": .null]),
  ]

  @Test(arguments: Backend.present, refused)
  func `vectors that are empty, malformed or inside arrays are not stored`(
    backend: Backend, value: Value
  ) async throws {
    try await backend.run("refused-vectors") { client in
      let reply = try await client.put([client.document("c/a", ["f": value])])
      #expect(try reply.errorStatus == "INVALID_ARGUMENT")
      #expect(try await client.send(.get, "/c/a").status == 404)
    }
  }

  @Test(arguments: Backend.present)
  func `vectors of 1 and of 2,048 dimensions are stored, in maps too`(
    backend: Backend
  ) async throws {
    try await backend.run("taken-vectors") { client in
      let long = Self.vector(Array(repeating: 0.5, count: 2048))
      let wanted: [String: Value] = [
        "v": Self.vector([.infinity]), "m": .map(["v": long]),
        "l": .array([.map(["v": Self.vector([1])])]),
      ]
      let reply = try await client.put([client.document("c/a", wanted)])
      #expect(reply.status == 200)
      #expect(try await fields(client, "/c/a") == wanted)
    }
  }

  @Test func `a vector does not come into an array by a transform either`() async throws {
    try await Backend.embedded.run("append") { client in
      let values = JSON.object(["values": .array([Self.vector([1]).json])]).serialized()
      let list = String(decoding: values, as: UTF8.self)
      let reply = try await commit(
        client, Write(.update(client.document("c/a", [:]), mask: nil)),
        transforms: #"[{"fieldPath":"l","appendMissingElements":\#(list)}]"#)
      #expect(try reply.errorStatus == "INVALID_ARGUMENT")
    }
  }

  /// A mask, the fields sent with it, and the vectors `v` and `m.v` afterwards.
  static let masks: [([[String]], [String: Value], Value, Value)] = [
    (
      [["v", "value"]], ["v": .map(["value": .array([.double(9)])])],
      .map(["value": .array([.double(9)])]), vector([5])
    ),
    ([["v", "value"]], [:], vector([1, 2]), vector([5])),
    ([["v", "value"]], ["v": vector([9])], vector([1, 2]), vector([5])),
    ([["v", "x"]], ["v": .map(["x": .null])], .map(["x": .null]), vector([5])),
    ([["v"]], ["v": vector([9])], vector([9]), vector([5])),
    ([["m", "v", "value"]], [:], vector([1, 2]), vector([5])),
    (
      [["m", "v", "x"]], ["m": .map(["v": .map(["x": .null])])], vector([1, 2]),
      .map(["x": .null])
    ),
  ]

  @Test(arguments: Backend.present, masks)
  func `a mask replaces a vector or leaves it whole`(
    backend: Backend, row: ([[String]], [String: Value], Value, Value)
  ) async throws {
    let number = Self.masks.firstIndex { $0.0 == row.0 && $0.1 == row.1 } ?? 0
    try await backend.run("vector-masks-\(number)") { client in
      _ = try await client.put([client.document("c/a", Self.stored)])
      let write = Write(
        .update(client.document("c/a", row.1), mask: row.0.map(FieldPath.init(segments:))))
      #expect(try await commit(client, write).status == 200)
      let fields = try await fields(client, "/c/a")
      #expect(fields == ["v": row.2, "m": .map(["v": row.3]), "n": .integer(1)])
    }
  }

  @Test(arguments: Backend.present)
  func `transforms do not reach into a vector`(backend: Backend) async throws {
    try await backend.run("vector-transforms") { client in
      _ = try await client.put([client.document("c/a", Self.stored)])
      let reply = try await commit(
        client, Write(.update(client.document("c/a", [:]), mask: [])),
        transforms: """
          [{"fieldPath":"v.value","appendMissingElements":{"values":[{"doubleValue":7}]}},
          {"fieldPath":"m.v.x","increment":{"integerValue":"1"}}]
          """)
      #expect(reply.status == 200)
      #expect(
        try await fields(client, "/c/a") == [
          "v": .map(["value": .array([.double(7)])]),
          "m": .map(["v": .map(["x": .integer(1)])]), "n": .integer(1),
        ])
    }
  }

  static let inside = [["v", "value"], ["v", "x"], ["m", "v", "value"]].map(
    FieldPath.init(segments:))

  @Test(arguments: Backend.present, inside)
  func `reads do not reach into a vector`(backend: Backend, path: FieldPath) async throws {
    try await backend.run("inside") { client in
      _ = try await client.put([client.document("c/a", Self.stored)])
      #expect(try await fields(client, "/c/a?mask.fieldPaths=\(path)") == [:])
      var query = StructuredQuery(from: [.init(collectionId: "c")], select: [path])
      let projected = try await client.query(query).elements.first?["document"]
      let picked = try projected.map { try Document(json: $0).fields }
      #expect(picked == [:])
      query.select = nil
      query.orderBy = [.init(field: path)]
      #expect(try await client.query(query).ids == [])
      query.orderBy = []
      for filter: StructuredQuery.Filter in [
        .field(path, .arrayContains, .double(1)), .field(path, .notEqual, .integer(7)),
        .unary(path, .isNotNull),
      ] {
        query.filter = filter
        #expect(try await client.query(query).ids == [])
      }
      #expect(
        try await client.query(
          StructuredQuery(
            from: [.init(collectionId: "c")],
            filter: .field(FieldPath(segments: ["v"]), .equal, Self.vector([1, 2])))
        ).ids == ["a"])
    }
  }

  @Test(arguments: Backend.present, ["v.__type__", "v.`__type__`"])
  func `the type of a vector cannot be picked out`(
    backend: Backend, path: String
  ) async throws {
    try await backend.run("type") { client in
      _ = try await client.put([client.document("c/a", Self.stored)])
      let encoded = path.replacing("`", with: "%60")
      let status = try await client.refusal(.get, "/c/a?mask.fieldPaths=\(encoded)")
      #expect(status == "INVALID_ARGUMENT")
    }
  }
}
