import Firestore
import HTTP
import Testing

/// What our transactions do that Google's emulator, which locks, does otherwise.
@Suite struct TransactionTests {
  private func begin(_ client: RESTClient) async throws -> String {
    let reply = try await client.send(.post, ":beginTransaction", "{}")
    return try #require(reply.json["transaction"]).text()
  }

  private func commit(
    _ transaction: String, _ client: RESTClient
  ) async throws -> RESTClient.Reply {
    let body = #"{"writes":[{"update":{"name":"\#(client.root)/out/x"}}],"#
    return try await client.send(.post, ":commit", body + #""transaction":"\#(transaction)"}"#)
  }

  private func query(
    _ transaction: String, _ client: RESTClient
  ) async throws -> RESTClient.Reply {
    let query =
      #"{"from":[{"collectionId":"c"}],"where":{"fieldFilter":{"field":{"fieldPath":"n"},"op":"GREATER_THAN","value":{"integerValue":"0"}}}}"#
    return try await client.send(
      .post, ":runQuery", #"{"structuredQuery":\#(query),"transaction":"\#(transaction)"}"#)
  }

  /// A document that is written while a transaction is open, and whether that spoils it.
  static let meanwhile: [(String, Int64, Bool)] = [
    ("c/a", 2, true), ("c/new", 1, true), ("c/a", 0, true), ("c/new", 0, false),
    ("d/other", 1, false), ("c/a", 1, false),
  ]

  @Test(arguments: meanwhile)
  func `a transaction is aborted when what its query found has changed`(
    row: (String, Int64, Bool)
  ) async throws {
    try await TestClock.withServer { client, _ in
      _ = try await client.put([client.document("c/a", ["n": .integer(1)])])
      let transaction = try await begin(client)
      #expect(try await query(transaction, client).ids == ["a"])
      _ = try await client.put([client.document(row.0, ["n": .integer(row.1)])])
      let reply = try await commit(transaction, client)
      #expect(try reply.errorStatus == (row.2 ? "ABORTED" : nil))
      #expect(try await client.send(.get, "/out/x").status == (row.2 ? 404 : 200))
    }
  }

  @Test func `a transaction sees one moment in documents, queries and lists`() async throws {
    try await TestClock.withServer { client, _ in
      _ = try await client.put([client.document("c/a", ["n": .integer(1)])])
      let transaction = try await begin(client)
      #expect(try await query(transaction, client).ids == ["a"])
      _ = try await client.put([
        client.document("c/b", ["n": .integer(1)]), client.document("c/a", ["n": .integer(0)]),
      ])
      #expect(try await query(transaction, client).ids == ["a"])
      let encoded = transaction.replacing("+", with: "%2B").replacing("=", with: "%3D")
      let one = try await client.send(.get, "/c/a?transaction=\(encoded)")
      #expect(try Document(json: one.json).fields == ["n": .integer(1)])
      let list = try await client.send(.get, "/c?transaction=\(encoded)")
      #expect(try list.json["documents"]?.elements().count == 1)
    }
  }

  @Test func `a transaction that reads a past moment sees it`() async throws {
    try await TestClock.withServer { client, clock in
      _ = try await client.put([client.document("c/a", ["n": .integer(1)])])
      let moment = clock.now().rfc3339
      clock.pass(seconds: 10)
      _ = try await client.put([client.document("c/a", ["n": .integer(2)])])
      let begun = try await client.send(
        .post, ":beginTransaction", #"{"options":{"readOnly":{"readTime":"\#(moment)"}}}"#)
      let transaction = try #require(begun.json["transaction"]).text()
      let reply = try await query(transaction, client)
      let found = try reply.elements[0]["document"].map(Document.init(json:))
      #expect(found?.fields == ["n": .integer(1)])
      #expect(try reply.elements[0]["readTime"] == .string(moment))
    }
  }

  /// Seconds between requests, how many of them, and whether the transaction still lives.
  static let waits: [(Int64, Int, Bool)] = [
    (59, 1, true), (60, 1, true), (61, 1, false), (54, 5, true), (55, 5, false),
  ]

  @Test(arguments: waits)
  func `a transaction lives for 270 seconds, and for 60 without a request`(
    row: (Int64, Int, Bool)
  ) async throws {
    try await TestClock.withServer { client, clock in
      let transaction = try await begin(client)
      for _ in 1..<row.1 {
        clock.pass(seconds: row.0)
        #expect(try await query(transaction, client).status == 200)
      }
      clock.pass(seconds: row.0)
      let reply = try await commit(transaction, client)
      #expect(reply.status == (row.2 ? 200 : 400))
      #expect(row.2 || reply.text.contains("has expired or is no longer valid"))
    }
  }

  @Test func `a transaction belongs to its database`() async throws {
    try await TestClock.withServer { client, _ in
      let transaction = try await begin(client)
      let other = RESTClient(address: client.address, project: "other")
      #expect(try await commit(transaction, other).status == 400)
      #expect(try await commit(transaction, client).status == 200)
    }
  }

  @Test func `a thousand transactions are open at most, and the oldest goes first`() async throws {
    try await TestClock.withServer { client, _ in
      let first = try await begin(client)
      let second = try await begin(client)
      for _ in 0..<999 { _ = try await begin(client) }
      #expect(try await commit(first, client).status == 400)
      #expect(try await commit(second, client).status == 200)
    }
  }

  static let contradictions = [
    (":beginTransaction", #"{"options":{"readOnly":{},"readWrite":{}}}"#),
    (":beginTransaction", #"{"options":{"readOnly":{"readTime":"2999-01-01T00:00:00Z"}}}"#),
    (":beginTransaction", #"{"options":5}"#),
    (":runQuery", #"{"structuredQuery":{},"newTransaction":{},"readTime":"2020-01-01T00:00:00Z"}"#),
    (":batchGet", #"{"transaction":"AAAA","newTransaction":{}}"#),
    (":commit", #"{"transaction":7}"#), (":rollback", #"{"transaction":"MQ=="}"#),
    (":commit", #"{"transaction":"MQ=="}"#),
    (":beginTransaction", #"{"options":{"readWrite":{"retryTransaction":"MQ=="}}}"#),
  ]

  @Test(arguments: contradictions)
  func `options that contradict each other are refused`(row: (String, String)) async throws {
    try await TestClock.withServer { client, _ in
      let reply = try await client.send(.post, row.0, row.1)
      #expect(try reply.errorStatus == "INVALID_ARGUMENT")
    }
  }
}
