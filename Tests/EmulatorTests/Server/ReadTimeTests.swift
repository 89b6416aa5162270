import Emulator
import Firestore
import HTTP
import Testing

/// Reads of an earlier moment; see `docs/firestore.md#paging`.
@Suite struct ReadTimeTests {
  /// Writes `c/a` with 1, then 2, deletes it, and returns a moment after each and before all.
  private func history(_ client: RESTClient, _ clock: TestClock) async throws -> [String] {
    var moments = [clock.now().rfc3339]
    clock.pass(seconds: 1)
    for number in 1...2 {
      _ = try await client.put([client.document("c/a", ["n": .integer(Int64(number))])])
      moments.append(clock.now().rfc3339)
      clock.pass(seconds: 1)
    }
    _ = try await client.send(.delete, "/c/a")
    _ = try await client.put([client.document("c/b", ["n": .integer(9)])])
    clock.pass(seconds: 1)
    return moments + [clock.now().rfc3339]
  }

  private func query(_ client: RESTClient, at moment: String) async throws -> RESTClient.Reply {
    try await client.send(
      .post, ":runQuery",
      #"{"structuredQuery":{"from":[{"collectionId":"c"}]},"readTime":"\#(moment)"}"#)
  }

  private func numbers(_ reply: RESTClient.Reply) throws -> [Value?] {
    try reply.elements.compactMap {
      try $0["document"].map { try Document(json: $0).fields["n"] }
    }
  }

  @Test func `a query answers what was so at its moment`() async throws {
    try await TestClock.withServer { client, clock in
      let moments = try await history(client, clock)
      let expected: [[Value?]] = [[], [.integer(1)], [.integer(2)], [.integer(9)]]
      for (moment, values) in zip(moments, expected) {
        let reply = try await query(client, at: moment)
        #expect(try numbers(reply) == values)
        #expect(try reply.elements.allSatisfy { $0["readTime"] == .string(moment) })
      }
    }
  }

  @Test func `every read takes a moment`() async throws {
    try await TestClock.withServer { client, clock in
      let moment = try await history(client, clock)[1]
      let one = try await client.send(.get, "/c/a?readTime=\(moment)")
      #expect(try Document(json: one.json).fields == ["n": .integer(1)])
      #expect(try await client.send(.get, "/c/b?readTime=\(moment)").status == 404)
      let list = try await client.send(.get, "/c?readTime=\(moment)")
      #expect(try list.json["documents"]?.elements().count == 1)
      let batch = try await client.send(
        .post, ":batchGet", #"{"documents":["\#(client.root)/c/b"],"readTime":"\#(moment)"}"#)
      #expect(try batch.elements[0]["missing"] != nil)
      let count = try await client.send(
        .post, ":runAggregationQuery",
        #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"c"}]},"aggregations":[{"alias":"s","sum":{"field":{"fieldPath":"n"}}}]},"readTime":"\#(moment)"}"#
      )
      let fields = try count.elements[0]["result"]?["aggregateFields"]
      #expect(fields?["s"] == Value.integer(1).json)
    }
  }

  @Test func `collections are listed as they were`() async throws {
    try await TestClock.withServer { client, clock in
      let before = clock.now().rfc3339
      clock.pass(seconds: 1)
      _ = try await client.put([client.document("c/a/d/b", [:])])
      let after = clock.now().rfc3339
      clock.pass(seconds: 1)
      _ = try await client.send(.delete, "/c/a/d/b")
      for (moment, ids) in [(before, nil), (after, ["c"])] {
        let reply = try await client.send(
          .post, ":listCollectionIds", #"{"readTime":"\#(moment)"}"#)
        #expect(try reply.json["collectionIds"]?.elements().map { try $0.text() } == ids)
      }
      #expect(try await client.send(.post, ":listCollectionIds", "{}").text == "{}")
    }
  }

  /// Seconds that pass after a moment, and whether it can still be read.
  static let ages: [(Int64, Bool)] = [(0, true), (3599, true), (3600, true), (3601, false)]

  @Test(arguments: ages)
  func `an hour can be looked back`(row: (Int64, Bool)) async throws {
    try await TestClock.withServer { client, clock in
      _ = try await client.put([client.document("c/a", ["n": .integer(1)])])
      let moment = clock.now().rfc3339
      clock.pass(seconds: row.0)
      _ = try await client.put([client.document("c/a", ["n": .integer(2)])])
      let reply = try await query(client, at: moment)
      #expect(reply.status == (row.1 ? 200 : 400))
      #expect(try reply.errorStatus == (row.1 ? nil : "FAILED_PRECONDITION"))
      #expect(row.1 || reply.text.contains("The requested snapshot version is too old."))
    }
  }

  @Test func `a moment that is yet to come is refused`() async throws {
    try await TestClock.withServer { client, clock in
      let moment = Timestamp(microseconds: clock.now().microseconds + 1).rfc3339
      let reply = try await query(client, at: moment)
      #expect(try reply.errorStatus == "INVALID_ARGUMENT")
      #expect(reply.text.contains("cannot be in the future"))
      let odd = try await query(client, at: "yesterday")
      #expect(try odd.errorStatus == "INVALID_ARGUMENT")
    }
  }

  @Test func `what is read once at a moment stays so, though the clock stands still`() async throws
  {
    try await TestClock.withServer { client, _ in
      let first = try await client.query(StructuredQuery(from: [.init(collectionId: "c")]))
      let moment = try #require(try first.elements[0]["readTime"]).text()
      _ = try await client.put([client.document("c/a", [:])])
      #expect(try await query(client, at: moment).ids == [])
      #expect(
        try await client.query(StructuredQuery(from: [.init(collectionId: "c")])).ids == ["a"])
    }
  }

  @Test func `what changed is held within bounds, and what is forgotten is too old`() async throws {
    let clock = TestClock()
    let server = try await EmulatorServer.start(clock: clock.now)
    let client = RESTClient(address: server.address)
    let text = String(repeating: "x", count: 1_000_000)
    let first = clock.now().rfc3339
    for number in 0..<70 {
      try server.documents.seed([client.document("c/a", ["t": .string("\(number)" + text)])])
      clock.pass(seconds: 1)
    }
    let last = clock.now().rfc3339
    clock.pass(seconds: 1)
    _ = try await client.send(.delete, "/c/a")
    let forgotten = try await query(client, at: first)
    #expect(try forgotten.errorStatus == "FAILED_PRECONDITION")
    #expect(try await query(client, at: last).ids == ["a"])
    try await server.stop()
  }

  @Test func `a wiped database has no past`() async throws {
    try await TestClock.withServer { client, clock in
      let moment = try await history(client, clock)[1]
      let path = "/emulator/v1/projects/demo/databases/%28default%29/documents"
      #expect(try await client.sendAbsolute(.delete, path).status == 200)
      let reply = try await query(client, at: moment)
      #expect(try reply.errorStatus == "FAILED_PRECONDITION")
      #expect(try await client.query(StructuredQuery(from: [.init(collectionId: "c")])).ids == [])
    }
  }
}
