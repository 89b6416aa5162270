import Emulator
import Firestore
import HTTP
import Testing

/// Many clients at once.
@Suite struct ConcurrencyTests {
  /// Adds one to `c/n` in a transaction, again until it is not aborted.
  private static func add(_ client: RESTClient) async throws {
    while true {
      let begun = try await client.send(.post, ":beginTransaction", "{}")
      let transaction = try #require(begun.json["transaction"]).text()
      let read = try await client.send(
        .post, ":batchGet",
        #"{"documents":["\#(client.root)/c/n"],"transaction":"\#(transaction)"}"#)
      let document = try #require(try read.elements[0]["found"].map(Document.init(json:)))
      guard case .integer(let number)? = document.fields["n"] else { return }
      let commit = try await client.send(
        .post, ":commit",
        #"{"writes":[{"update":{"name":"\#(client.root)/c/n","fields":{"n":{"integerValue":"\#(number + 1)"}}}}],"transaction":"\#(transaction)"}"#
      )
      if commit.status == 200 { return }
      #expect(try commit.errorStatus == "ABORTED")
    }
  }

  @Test func `transactions lose no update`() async throws {
    let server = try await EmulatorServer.start(keepsRequests: false)
    let client = RESTClient(address: server.address)
    try server.documents.seed([client.document("c/n", ["n": .integer(0)])])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<5 {
        group.addTask { for _ in 0..<8 { try await Self.add(client) } }
      }
      try await group.waitForAll()
    }
    let reply = try await client.send(.get, "/c/n")
    #expect(try Document(json: reply.json).fields == ["n": .integer(40)])
    try await server.stop()
  }

  @Test func `a moment is one moment, however much is written meanwhile`() async throws {
    let server = try await EmulatorServer.start(keepsRequests: false)
    let client = RESTClient(address: server.address)
    func documents(_ number: Int64) -> [Document] {
      (0..<20).map { client.document("c/\($0)", ["n": .integer(number)]) }
    }
    try server.documents.seed(documents(0))
    let writer = Task {
      var number: Int64 = 0
      while !Task.isCancelled {
        number += 1
        try server.documents.seed(documents(number))
        await Task.yield()
      }
    }
    for _ in 0..<20 {
      let first = try await client.query(
        StructuredQuery(from: [.init(collectionId: "c")], limit: 10))
      let moment = try #require(try first.elements[0]["readTime"]).text()
      let rest = try await client.send(
        .post, ":runQuery",
        #"{"structuredQuery":{"from":[{"collectionId":"c"}],"offset":10},"readTime":"\#(moment)"}"#)
      let found = try first.elements + rest.elements
      let numbers = try found.map { try $0["document"].map { try Document(json: $0).fields } }
      #expect(numbers.count == 20)
      #expect(Set(numbers).count == 1)
    }
    writer.cancel()
    try await writer.value
    try await server.stop()
  }
}
