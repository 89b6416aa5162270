import Fixtures
import Testing

@testable import Firestore
@testable import HTTP

/// Queries that are sent before anyone asks for their answers.
@Suite struct PrefetchedQueryTests {
  private static func query(_ limit: Int) -> StructuredQuery {
    StructuredQuery(from: [.init(collectionId: "C")], limit: limit)
  }

  /// The name of the page's last document.
  private static func page(_ limit: Int, _ client: FirestoreClient) async throws -> String? {
    var name: String?
    try await client.page(of: query(limit)) { bytes in
      var scanner = DocumentScanner(fields: [])
      let page = try scanner.scan(&bytes) { _, _ in }
      name = page.lastName
      return page
    }
    return name
  }

  private static func answer(_ name: String) -> ScriptedAnswer {
    .json(#"[{"document":{"name":"\#(name)"},"readTime":"2026-01-31T08:00:00Z"}]"#)
  }

  @Test
  func `the answer of a query sent ahead is that of the page asked for, and no other is sent`()
    async throws
  {
    let stage = try Stage(Self.answer("a"), Self.answer("b"))
    #expect(stage.client.prefetch(of: Self.query(5)) == 0)
    #expect(try await Self.page(5, stage.client) == "a")
    #expect(stage.server.requests.count == 1)
    #expect(stage.client.traffic.requestCount == 1)
    #expect(stage.client.dropPrefetched() == 0)
    #expect(try await Self.page(5, stage.client) == "b")
  }

  @Test func `sending the same ahead twice sends it once`() async throws {
    let stage = try Stage(Self.answer("a"))
    _ = stage.client.prefetch(of: Self.query(5))
    #expect(stage.client.prefetch(of: Self.query(5)) == 0)
    #expect(try await Self.page(5, stage.client) == "a")
    #expect(stage.server.requests.count == 1)
  }

  @Test
  func `another page is asked for by itself; what was sent ahead counts with its whole cost`()
    async throws
  {
    let stage = try Stage([.json("[]").after(.seconds(60))])
    _ = stage.client.prefetch(of: Self.query(5))
    #expect(stage.client.prefetch(of: Self.query(6)) == 5)
    #expect(stage.client.dropPrefetched() == 6)
    #expect(stage.client.dropPrefetched() == 0)
    #expect(stage.client.traffic.billedReadCount == 11)
  }

  @Test
  func `the memory of earlier pages stays for the pages that follow, and goes after the last`()
    async throws
  {
    let stage = try Stage([.json("[]").after(.seconds(60))])
    let buffers = stage.client.pageBuffers
    var body = [UInt8](repeating: 0, count: 5_000)
    buffers.keep(&body)
    _ = stage.client.prefetch(of: Self.query(5))
    _ = stage.client.prefetch(of: Self.query(6))
    body = buffers.take()
    #expect(body.capacity >= 5_000)
    buffers.keep(&body)
    _ = stage.client.dropPrefetched()
    #expect(buffers.take().capacity == 0)
  }

  @Test func `a page other than the one sent ahead has an answer of its own`() async throws {
    let server = try ScriptedServer { request in
      Self.answer(request.text.contains(#""limit":6"#) ? "six" : "five")
    }
    let stage = try Stage(server: server)
    _ = stage.client.prefetch(of: Self.query(5))
    #expect(try await Self.page(6, stage.client) == "six")
    #expect(try await Self.page(5, stage.client) == "five")
  }

  @Test(arguments: [
    ScriptedAnswer.error(.unavailable), .error(.resourceExhausted), .json("[{"),
    ScriptedAnswer([.reset]), ScriptedAnswer([.close]),
  ])
  func `what goes wrong with a query sent ahead is tried again as ever`(trouble: ScriptedAnswer)
    async throws
  {
    let stage = try Stage(trouble, Self.answer("a"))
    _ = stage.client.prefetch(of: Self.query(5))
    #expect(try await Self.page(5, stage.client) == "a")
    #expect(stage.client.traffic.retryCount == 1)
    #expect(stage.client.traffic.billedReadCount == 1)
  }

  @Test
  func `a page that is cancelled while its query sent ahead is on its way ends at once`()
    async throws
  {
    let stage = try Stage([Self.answer("a").after(.seconds(60))])
    _ = stage.client.prefetch(of: Self.query(5))
    let task = Task { try await Self.page(5, stage.client) }
    task.cancel()
    await #expect(throws: CancellationError.self) { _ = try await task.value }
  }
}
