import Fixtures
import Testing

@testable import Firestore

/// What each call sends, and what it makes of the answer.
@Suite("FirestoreClient")
struct FirestoreClientTests {
  private static let query = StructuredQuery(from: [.init(collectionId: "C")], limit: 2)

  @Test
  func `a document is asked for by its encoded name and read time, as the emulator's owner`()
    async throws
  {
    let name = "projects/demo/databases/(default)/documents/C/a b+🤩"
    let stage = try Stage(.json(#"{"name":"\#(name)","fields":{"a":{"integerValue":"1"}}}"#))
    let document = try await stage.client.document(
      at: "C/a b+🤩", readTime: Timestamp(microseconds: 0))
    #expect(document == Document(name: name, fields: ["a": .integer(1)]))
    let request = try #require(stage.server.requests.first)
    #expect(request.method == "GET")
    #expect(
      request.target == "/v1/projects/demo/databases/(default)/documents/C/a%20b%2B%F0%9F%A4%A9"
        + "?readTime=1970-01-01T00%3A00%3A00Z&prettyPrint=false")
    #expect(request[header: "Authorization"] == "Bearer owner")
    #expect(request.body.isEmpty)
  }

  @Test func `a document that is not there is nil, and is billed`() async throws {
    let stage = try Stage(.error(.notFound, "Document \\\"x\\\" not found."))
    #expect(try await stage.client.document(at: "C/x") == nil)
    #expect(stage.client.traffic.billedReadCount == 1)
    #expect(stage.client.traffic.requestCount == 1)
  }

  @Test(arguments: [
    ScriptedAnswer.error(
      .notFound, "The database (default) does not exist for project demo Please visit x"),
    .response(404, "<html>Not Found</html>"), .response(404, ""), .json("{}", status: 404),
    .json("{}"), .json(#"{"name":"projects/demo/databases/(default)/documents/C/other"}"#),
  ])
  func `what only looks like a missing document is an error`(answer: ScriptedAnswer) async throws {
    let stage = try Stage(answer)
    await #expect(throws: FirestoreError.self) {
      try await stage.client.document(at: "C/x")
    }
  }

  private static let name = "projects/demo/databases/(default)/documents/C/x"

  @Test func `ids are those of one page, missing documents among them`() async throws {
    let stage = try Stage(.json(#"{"documents":[{"name":"\#(Self.name)"}]}"#), .json("{}"))
    let collection = try stage.root.appending(path: "C")
    #expect(try await stage.client.documentIds(in: collection, count: 5) == ["x"])
    #expect(try await stage.client.documentIds(in: collection, count: 5).isEmpty)
    #expect(
      stage.server.requests.first?.target
        == "/v1/projects/demo/databases/(default)/documents/C"
        + "?pageSize=5&mask.fieldPaths=__name__&showMissing=true&prettyPrint=false")
    #expect(stage.client.traffic.billedReadCount == 2)
  }

  @Test func `runQuery posts the query under its parent and reads every element`() async throws {
    let stage = try Stage(
      .json(
        """
        [{"document":{"name":"\(Self.name)/C/a"},"readTime":"2026-01-01T00:00:00Z"},
        {"skippedResults":4},{"document":{"name":"\(Self.name)/C/b"}},{"readTime":"2026-01-01T00:00:01Z","done":true}]
        """))
    let result = try await stage.client.runQuery(
      Self.query, under: stage.root.appending(path: "C/x"), readTime: Timestamp(microseconds: 1))
    #expect(result.documents.map(\.id) == ["a", "b"])
    #expect(result.readTime == Timestamp(rfc3339: "2026-01-01T00:00:01Z"))
    #expect(result.skippedCount == 4)
    #expect(stage.client.traffic.billedReadCount == 6)
    let request = try #require(stage.server.requests.first)
    #expect(request.method == "POST")
    #expect(
      request.target
        == "/v1/projects/demo/databases/(default)/documents/C/x:runQuery?prettyPrint=false")
    #expect(request[header: "Content-Type"] == "application/json")
    #expect(
      request.text == #"{"readTime":"1970-01-01T00:00:00.000001Z","#
        + #""structuredQuery":{"from":[{"collectionId":"C"}],"limit":2}}"#)
  }

  @Test func `an empty result costs one read`() async throws {
    let stage = try Stage(.json(emptyResult))
    #expect(try await stage.client.runQuery(Self.query).documents.isEmpty)
    #expect(stage.client.traffic.billedReadCount == 1)
  }

  @Test
  func `a page is left to the scanner whole, and a broken one is asked for again`()
    async throws
  {
    let whole =
      #"[{"document":{"name":"n","fields":{"a":{"stringValue":"é\n"}}}},"#
      + #"{"readTime":"2026-01-31T08:00:00Z"}]"#
    let stage = try Stage(.json(String(whole.dropLast())), .json(whole))
    var scanner = DocumentScanner(fields: ["a"])
    var found: [String] = []
    try await stage.client.page(of: Self.query) { bytes in
      found = []
      return try scanner.scan(&bytes) { document, buffer in
        guard case .string(let range)? = document.fields.first else { return }
        found.append(String(decoding: buffer[range], as: UTF8.self))
      }
    }
    #expect(stage.client.traffic.billedReadCount == 1)
    #expect(found == ["é\n"])
    #expect(stage.client.traffic.requestCount == 2)
    #expect(stage.client.traffic.retryCount == 1)
  }

  @Test func `count asks for an aggregation, and bills a read for each thousand`() async throws {
    let stage = try Stage(
      .json(#"[{"result":{"aggregateFields":{"count":{"integerValue":"2001"}}}}]"#))
    #expect(try await stage.client.count(of: Self.query) == 2001)
    #expect(stage.client.traffic.billedReadCount == 3)
    let request = try #require(stage.server.requests.first)
    #expect(request.target.contains("/documents:runAggregationQuery?"))
    #expect(
      request.text == #"{"structuredAggregationQuery":{"aggregations":[{"alias":"count","#
        + #""count":{}}],"#
        + #""structuredQuery":{"from":[{"collectionId":"C"}],"limit":2}}}"#)
  }

  @Test
  func `createDocument names the id, and refuses one that would be another address`() async throws {
    let created = """
      {"name":"projects/demo/databases/(default)/documents/C/1 2",
      "createTime":"2026-01-01T00:00:00Z","updateTime":"2026-01-01T00:00:00Z"}
      """
    let stage = try Stage(.json(created))
    let collection = try stage.root.appending(path: "C")
    let document = try await stage.client.createDocument(
      in: collection, id: "1 2", fields: ["a": .double(5)])
    #expect(document.updateTime == Timestamp(rfc3339: "2026-01-01T00:00:00Z"))
    let request = try #require(stage.server.requests.first)
    #expect(request.target.hasSuffix("/documents/C?documentId=1%202&prettyPrint=false"))
    #expect(request.text == #"{"fields":{"a":{"doubleValue":5.0}}}"#)
    for (place, id) in [(collection, "a/b"), (collection, ""), (stage.root, "a")] {
      await #expect(throws: FirestoreError.self) {
        try await stage.client.createDocument(in: place, id: id, fields: [:])
      }
    }
    #expect(stage.server.requests.count == 1)
  }

  @Test func `commit sends all writes and wants a result for each`() async throws {
    let stage = try Stage(
      .json(
        #"{"writeResults":[{"updateTime":"2026-01-01T00:00:00Z"},{}],"#
          + #""commitTime":"2026-01-01T00:00:00Z"}"#))
    let writes = [
      Write(.update(Document(name: "n", fields: [:]), mask: nil)), Write(.delete(name: "m")),
    ]
    let time = Timestamp(rfc3339: "2026-01-01T00:00:00Z")
    #expect(
      try await stage.client.commit(writes)
        == CommitResult(
          results: [.init(updateTime: time), .init(updateTime: nil)], commitTime: time))
    #expect(
      stage.server.requests.first?.text == #"{"writes":[{"update":{"name":"n"}},{"delete":"m"}]}"#)
    await #expect(throws: FirestoreError.self) { try await stage.client.commit([writes[0]]) }
  }

  @Test func `a read of several documents wants an answer for every name`() async throws {
    let root = ResourceName(project: "demo")
    let names = try ["C/a", "C/b"].map { try root.appending(path: $0) }
    let whole = #"[{"missing":"\#(names[1])"},{"found":{"name":"\#(names[0])"}}]"#
    let good = try Stage(.json(whole))
    #expect(try await Array(good.client.documents(at: ["C/a", "C/b"]).keys) == ["C/a"])
    #expect(good.client.traffic.billedReadCount == 2)
    let short = try Stage(
      [.json(#"[{"missing":"\#(names[1])"}]"#)], retry: RetryPolicy(attemptLimit: 1))
    await #expect(throws: FirestoreError.self) {
      try await short.client.documents(at: ["C/a", "C/b"])
    }
  }

  @Test func `traffic counts requests, retries and bytes on the wire`() async throws {
    let stage = try Stage(.error(.unavailable), .json(emptyResult))
    let before = stage.client.traffic
    #expect(before == Traffic())
    _ = try await stage.client.runQuery(Self.query)
    let traffic = stage.client.traffic - before
    #expect(traffic.requestCount == 2)
    #expect(traffic.retryCount == 1)
    #expect(traffic.receivedBytes > emptyResult.utf8.count)
    _ = try await stage.client.runQuery(Self.query)
    #expect((stage.client.traffic - traffic).receivedBytes == emptyResult.utf8.count)
  }
}
