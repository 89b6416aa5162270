import Emulator
import HTTP
import Testing

@testable import Firestore

/// `docs/readers.md#request-tags`.
@Suite struct RequestTagsTests {
  private static func client(_ server: EmulatorServer, sendsTags: Bool) -> FirestoreClient {
    let now: @Sendable () -> Timestamp = { Timestamp(microseconds: 1_800_000_000_000_000) }
    let source = CredentialSource(environment: ["FIRESTORE_EMULATOR_HOST": server.address])
    let http = HTTPClient()
    return FirestoreClient(
      http: http,
      endpoint: Endpoint(baseURL: "http://\(server.address)/v1", project: "demo"),
      credentials: Credentials(source, http: http, now: now), sendsTags: sendsTags, now: now)
  }

  /// Makes every call of the client once.
  private static func callEverything(_ client: FirestoreClient) async throws {
    let root = client.endpoint.root
    let query = StructuredQuery(from: [.init(collectionId: "c")])
    let collection = try root.appending(path: "c")
    _ = try await client.createDocument(in: collection, id: "a", fields: [:])
    try await client.update(
      "c/a", fields: ["n": .integer(1)],
      ifUnchangedSince: try #require(client.document(at: "c/a")?.updateTime))
    _ = try await client.create(["c/b": [:]])
    _ = try await client.runQuery(query)
    _ = client.prefetch(of: query)
    try await client.page(of: query) { bytes in
      let count = try QueryResult(answer: bytes).documents.count
      return ScannedPage(documentCount: count, readTime: Timestamp(microseconds: 1))
    }
    #expect(try await client.count(of: query) == 2)
    _ = try await client.explain(query)
    _ = try await client.documents(at: ["c/a", "c/x"])
    _ = try await client.documentIds(in: collection, count: 5)
    _ = try await client.collectionPage(under: nil, after: nil)
    _ = try await client.partitionPoints(
      of: StructuredQuery(
        from: [.init(collectionId: "c", allDescendants: true)],
        orderBy: [.init(field: .documentName)]), count: 1)
  }

  /// The tags of a request, in its body or its parameters.
  private static func tags(of request: RequestRecord) throws -> [String] {
    let target = try RequestTarget(parsing: request.target)
    let listed = try request.json()["requestOptions"]?["requestTags"]?.elements() ?? []
    return try listed.map { try $0.text() }
      + target.parameters
      .filter { $0.name == "requestOptions.requestTags" }.map(\.value)
  }

  @Test func `every request for data bears the tags, where the server takes them`() async throws {
    let server = try await EmulatorServer.start()
    let client = Self.client(server, sendsTags: true)
    try await RequestTags.$job.withValue("online users & more") {
      try await Self.callEverything(client)
    }
    #expect(server.requests.count == 12)
    for request in server.requests {
      #expect(
        try Self.tags(of: request) == ["app=firetally", "job=online users & more"],
        "\(request.method) \(request.target)")
    }
    server.forgetRequests()
    _ = try await client.document(at: "c/a")
    #expect(try server.requests.map(Self.tags) == [["app=firetally"]])
    try await server.stop()
  }

  @Test func `TTL policies and accounts are asked for without tags`() async throws {
    let server = try await EmulatorServer.start()
    let client = Self.client(server, sendsTags: true)
    _ = try await client.expiryPolicies()
    #expect(try server.requests.map(Self.tags) == [[]])
    try await server.stop()
  }

  @Test func `without being asked the client sends none`() async throws {
    let server = try await EmulatorServer.start()
    try await RequestTags.$job.withValue("job") {
      try await Self.callEverything(Self.client(server, sendsTags: false))
    }
    #expect(try server.requests.allSatisfy { try Self.tags(of: $0) == [] })
    #expect(server.requests.allSatisfy { !$0.target.contains("requestOptions") })
    try await server.stop()
  }

  @Test(arguments: [
    (#"{"requestTags":["a"]}"#, 200), ("{}", 200), ("null", 200), (#"{"requestTags":[1]}"#, 400),
    (#"{"tags":["a"]}"#, 400), (#""a""#, 400), (#"{"request_tags":["a"]}"#, 200),
  ])
  func `options are an object with tags that are texts`(
    options: String, status: Int
  ) async throws {
    let server = try await EmulatorServer.start()
    let client = RESTClient(address: server.address)
    for verb in [
      "runQuery", "listCollectionIds", "batchGet", "commit", "batchWrite", "beginTransaction",
    ] {
      let query = verb == "runQuery" ? #","structuredQuery":{"from":[{"collectionId":"c"}]}"# : ""
      let reply = try await client.send(
        .post, ":\(verb)", #"{"requestOptions":\#(options)\#(query)}"#)
      #expect(reply.status == status, "\(verb): \(reply.text)")
    }
    try await server.stop()
  }
}
