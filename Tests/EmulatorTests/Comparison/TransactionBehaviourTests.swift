import Firestore
import HTTP
import Testing

/// What transactions do, the same on our server and on Google's emulator.
@Suite struct TransactionBehaviourTests {
  private func begin(_ client: RESTClient, _ options: String = "{}") async throws -> String {
    let reply = try await client.send(.post, ":beginTransaction", #"{"options":\#(options)}"#)
    return try #require(reply.json["transaction"]).text()
  }

  private func read(
    _ id: String, in transaction: String, _ client: RESTClient
  ) async throws -> RESTClient.Reply {
    try await client.send(
      .post, ":batchGet",
      #"{"documents":["\#(client.root)/c/\#(id)"],"transaction":"\#(transaction)"}"#)
  }

  private func write(
    _ id: String, _ number: Int, in transaction: String, _ client: RESTClient
  ) async throws -> RESTClient.Reply {
    let write = Write(
      .update(client.document("c/\(id)", ["n": .integer(Int64(number))]), mask: nil))
    let body = String(decoding: write.json.serialized(), as: UTF8.self)
    return try await client.send(
      .post, ":commit", #"{"writes":[\#(body)],"transaction":"\#(transaction)"}"#)
  }

  private func number(_ id: String, _ client: RESTClient) async throws -> Value? {
    try Document(json: try await client.send(.get, "/c/\(id)").json).fields["n"]
  }

  @Test(arguments: Backend.present)
  func `what a transaction commits is stored, and ends it`(backend: Backend) async throws {
    try await backend.run("tx-commit") { client in
      let transaction = try await begin(client)
      #expect(try await read("a", in: transaction, client).elements[0]["missing"] != nil)
      #expect(try await write("a", 1, in: transaction, client).status == 200)
      #expect(try await number("a", client) == .integer(1))
      let again = try await write("a", 2, in: transaction, client)
      #expect(again.status == 400)
      #expect(try again.errorStatus == "INVALID_ARGUMENT")
      #expect(try await read("a", in: transaction, client).status == 400)
      #expect(try await number("a", client) == .integer(1))
    }
  }

  @Test(arguments: Backend.present)
  func `of two transactions that read what the other writes one is aborted`(
    backend: Backend
  ) async throws {
    try await backend.run("tx-conflict") { client in
      _ = try await client.put([client.document("c/a", ["n": .integer(0)])])
      let transactions = [try await begin(client), try await begin(client)]
      for transaction in transactions { _ = try await read("a", in: transaction, client) }
      var statuses: [String?] = []
      for (number, transaction) in transactions.enumerated() {
        statuses.append(try await write("a", number + 1, in: transaction, client).errorStatus)
      }
      #expect(statuses.count { $0 == nil } == 1)
      #expect(statuses.count { $0 == "ABORTED" } == 1)
      #expect(try await number("a", client) == .integer(statuses[0] == nil ? 1 : 2))
    }
  }

  @Test(arguments: Backend.present)
  func `a rolled back transaction writes no more, and rolls back twice`(
    backend: Backend
  ) async throws {
    try await backend.run("tx-rollback") { client in
      let transaction = try await begin(client)
      let body = #"{"transaction":"\#(transaction)"}"#
      #expect(try await client.send(.post, ":rollback", body).status == 200)
      #expect(try await client.send(.post, ":rollback", body).status == 200)
      #expect(try await write("a", 1, in: transaction, client).status == 400)
      #expect(try await client.send(.get, "/c/a").status == 404)
    }
  }

  @Test(arguments: Backend.present)
  func `a transaction that only reads may not write`(backend: Backend) async throws {
    try await backend.run("tx-read-only") { client in
      let transaction = try await begin(client, #"{"readOnly":{}}"#)
      let reply = try await write("a", 1, in: transaction, client)
      #expect(try reply.errorStatus == "INVALID_ARGUMENT")
      #expect(try await client.send(.get, "/c/a").status == 404)
    }
  }

  /// Options, and what a read sees of a document written between the beginning and the read.
  static let moments: [(String, Value?)] = [(#"{"readOnly":{}}"#, nil), ("{}", .integer(1))]

  @Test(arguments: Backend.present, moments)
  func `a transaction that only reads sees its beginning, another its first read`(
    backend: Backend, row: (String, Value?)
  ) async throws {
    // The rows run at the same time, so each has a project of its own.
    try await backend.run(row.1 == nil ? "tx-snapshot-begun" : "tx-snapshot-read") { client in
      _ = try await client.send(.delete, "/c/a")
      let transaction = try await begin(client, row.0)
      _ = try await client.put([client.document("c/a", ["n": .integer(1)])])
      let reply = try await read("a", in: transaction, client)
      let found = try reply.elements[0]["found"].map(Document.init(json:))
      #expect(found?.fields["n"] == row.1)
      let end = #"{"transaction":"\#(transaction)"}"#
      #expect(try await client.send(.post, ":rollback", end).status == 200)
    }
  }

  @Test(arguments: Backend.present)
  func `a read can begin the transaction, whose id comes first and alone`(
    backend: Backend
  ) async throws {
    try await backend.run("tx-new") { client in
      _ = try await client.put([client.document("c/a", ["n": .integer(1)])])
      let query = #"{"from":[{"collectionId":"c"}]}"#
      let requests = [
        (":runQuery", #"{"structuredQuery":\#(query),"#),
        (":batchGet", #"{"documents":["\#(client.root)/c/a"],"#),
        (
          ":runAggregationQuery",
          #"{"structuredAggregationQuery":{"structuredQuery":\#(query),"aggregations":[{"count":{}}]},"#
        ),
      ]
      for (verb, body) in requests {
        let reply = try await client.send(
          .post, verb, body + #""newTransaction":{"readWrite":{}}}"#)
        let elements = try reply.elements
        #expect(elements.count == 2, "\(verb): \(reply.text)")
        #expect(try elements[0].members().keys.sorted() == ["transaction"])
        let transaction = try #require(elements[0]["transaction"]).text()
        #expect(try await write("b\(verb.count)", 1, in: transaction, client).status == 200)
      }
    }
  }

  static let unknown = ["", "AAAA", "!"]

  @Test(arguments: Backend.present, unknown)
  func `a transaction that never was is an invalid argument`(
    backend: Backend, id: String
  ) async throws {
    try await backend.run("tx-unknown") { client in
      for verb in [":commit", ":rollback"] where verb == ":rollback" || !id.isEmpty {
        let reply = try await client.send(.post, verb, #"{"transaction":"\#(id)"}"#)
        #expect(reply.status == 400, "\(verb) \(reply.text)")
      }
      let retry = try await client.send(
        .post, ":beginTransaction",
        #"{"options":{"readWrite":{"retryTransaction":"\#(id.isEmpty ? "AAAA" : id)"}}}"#)
      #expect(retry.status == 400)
    }
  }

  @Test(arguments: Backend.present)
  func `a transaction can be tried again`(backend: Backend) async throws {
    try await backend.run("tx-retry") { client in
      let first = try await begin(client)
      let second = try await begin(client, #"{"readWrite":{"retryTransaction":"\#(first)"}}"#)
      #expect(first != second)
      #expect(try await write("a", 1, in: second, client).status == 200)
    }
  }
}
