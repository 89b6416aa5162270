import Emulator
import Firestore
import HTTP
import Model
import Testing

/// What the server counts as billed; `docs/emulator.md#editions`.
@Suite struct ReadUnitTests {
  /// Of so many documents of about 1 KiB, and what each request adds to the bill.
  private func units(
    of documents: Int = 100, on edition: FirestoreEdition, bytes: Int = 940,
    _ request: (RESTClient) async throws -> RESTClient.Reply
  ) async throws -> Int {
    let server = try await EmulatorServer.start(edition: edition)
    let client = RESTClient(address: server.address)
    let text = String(repeating: "x", count: bytes)
    let made = (0..<documents).map { number in
      client.document(
        "c/\(number + 1_000)", ["n": .integer(Int64(number)), "t": .string(text)])
    }
    #expect(try await client.put(made).status == 200)
    let before = server.documents.billedReadCount
    #expect(before == 0)
    let reply = try await request(client)
    #expect(reply.status == 200, "\(reply.text)")
    let after = server.documents.billedReadCount
    try await server.stop()
    return after - before
  }

  private func query(
    _ filter: StructuredQuery.Filter? = nil, by field: String? = nil, limit: Int? = nil
  ) -> (RESTClient) async throws -> RESTClient.Reply {
    let orders = field.map { [StructuredQuery.Order(field: FieldPath(segments: [$0]))] } ?? []
    let query = StructuredQuery(
      from: [.init(collectionId: "c")], filter: filter, orderBy: orders, limit: limit)
    return { try await $0.query(query) }
  }

  // A document has 32 + 23 bytes for its name, 2 + 8 and 2 + 941 for its fields: 1,008.
  @Test func `a scan of 100 documents of 1 KiB is 25 units, or 100 documents`() async throws {
    #expect(try await units(on: .enterprise, query()) == 25)
    #expect(try await units(on: .standard, query()) == 100)
  }

  @Test func `a page by name processes its own documents, one by a field the collection`()
    async throws
  {
    #expect(try await units(on: .enterprise, query(by: "__name__", limit: 8)) == 2)
    #expect(try await units(on: .enterprise, query(by: "__name__", limit: 9)) == 3)
    #expect(try await units(on: .enterprise, query(limit: 8)) == 2)
    #expect(try await units(on: .enterprise, query(by: "n", limit: 8)) == 25)
    #expect(try await units(on: .standard, query(by: "n", limit: 8)) == 8)
  }

  @Test func `a filter by name reads on until its limit is full`() async throws {
    let n = FieldPath(segments: ["n"])
    let filter = StructuredQuery.Filter.field(n, .greaterThanOrEqual, .integer(20))
    // 20 documents are passed over, 4 are found.
    #expect(try await units(on: .enterprise, query(filter, by: "__name__", limit: 4)) == 6)
    #expect(try await units(on: .enterprise, query(filter, by: "__name__")) == 25)
  }

  @Test func `nothing found is one unit, and a count processes 32 bytes a document`() async throws {
    #expect(try await units(of: 0, on: .enterprise, query()) == 1)
    let body =
      #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}]},"aggregations":[{"count":{}}]}}"#
    // 32 bytes each, whatever they hold: 128 are a unit.
    for (count, expected) in [(100, 1), (128, 1), (129, 2)] {
      let counted = try await units(of: count, on: .enterprise) {
        try await $0.send(.post, ":runAggregationQuery", body)
      }
      #expect(counted == expected, "\(count) documents")
    }
    #expect(
      try await units(on: .standard) { try await $0.send(.post, ":runAggregationQuery", body) }
        == 1)
  }

  @Test func `a point read is a unit, and a large document is 256`() async throws {
    #expect(try await units(on: .enterprise) { try await $0.send(.get, "/c/1000") } == 1)
    // The longest text, in a document of 21 bytes less than 1 MiB.
    #expect(
      try await units(of: 1, on: .enterprise, bytes: 1_048_487) {
        try await $0.send(.get, "/c/1000")
      } == 256)
    let names = #"{"documents":["ROOT/c/1000","ROOT/c/1001","ROOT/c/none"]}"#
    for edition in FirestoreEdition.allCases {
      #expect(
        try await units(on: edition) {
          try await $0.send(.post, ":batchGet", names.replacing("ROOT", with: $0.root))
        } == 3)
    }
  }
}
