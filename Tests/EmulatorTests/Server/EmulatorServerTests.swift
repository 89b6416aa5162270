import Emulator
import Firestore
import HTTP
import Testing

@Suite struct EmulatorServerTests {
  private func withServer(
    _ body: (EmulatorServer, RESTClient) async throws -> Void
  ) async throws {
    let server = try await EmulatorServer.start()
    try await body(server, RESTClient(address: server.address))
    try await server.stop()
  }

  @Test func `it answers at its root, as Google's does`() async throws {
    try await withServer { _, client in
      let reply = try await client.sendAbsolute(.get, "/")
      #expect(reply.text == "Ok\n")
    }
  }

  @Test func `until it is opened it tells every client to wait`() async throws {
    let server = try await EmulatorServer.start(retryAfterSeconds: 7)
    let client = RESTClient(address: server.address)
    for path in ["/", "/v1/projects/demo/remoteConfig", "/moments/status"] {
      let reply = try await client.sendAbsolute(.get, path)
      #expect(reply.status == 503)
      // It grows with the time that the test takes.
      #expect((reply.headers["Retry-After"].flatMap { Int($0) } ?? 0) >= 7)
    }
    let waiting = try await client.refusal(.get, "/c/x")
    #expect(waiting == "UNAVAILABLE")
    #expect(try await client.put([client.document("c/x", [:])]).status == 503)
    try server.documents.seed([client.document("c/y", [:])])
    server.open()
    let missing = try await client.refusal(.get, "/c/x")
    #expect(missing == "NOT_FOUND")
    #expect(try await client.send(.get, "/c/y").status == 200)
    try await server.stop()
  }

  /// Seconds since the start, and what clients are told to wait.
  static let waits: [(Int64, String)] = [
    (0, "7"), (3, "7"), (4, "8"), (10, "20"), (30, "60"), (31, "60"), (4000, "60"),
  ]

  @Test(arguments: waits)
  func `the longer it takes, the longer clients are told to wait`(
    row: (Int64, String)
  ) async throws {
    let clock = TestClock()
    let server = try await EmulatorServer.start(retryAfterSeconds: 7, clock: clock.now)
    clock.pass(seconds: row.0)
    let reply = try await RESTClient(address: server.address).sendAbsolute(.get, "/")
    #expect(reply.headers["Retry-After"] == row.1)
    try await server.stop()
  }

  @Test func `what is seeded in the process is served over HTTP`() async throws {
    try await withServer { server, client in
      try server.documents.seed([client.document("c/x", ["a": .string("<&>\"\\\u{1}😀")])])
      let reply = try await client.send(.get, "/c/x")
      #expect(try Document(json: reply.json).fields == ["a": .string("<&>\"\\\u{1}😀")])
    }
  }

  @Test func `a streamed array begins with [ and ends with ]`() async throws {
    try await withServer { server, client in
      try server.documents.seed((0..<2000).map { client.document("c/\($0)", ["n": .integer(1)]) })
      let reply = try await client.query(StructuredQuery(from: [.init(collectionId: "c")]))
      #expect(reply.bytes.first == UInt8(ascii: "["))
      #expect(reply.bytes.last == UInt8(ascii: "]"))
      #expect(reply.headers["Content-Length"] == nil)
      #expect(try reply.elements.count == 2000)
    }
  }

  @Test func `an empty result is exactly one element with nothing but its time`() async throws {
    try await withServer { _, client in
      let reply = try await client.query(StructuredQuery(from: [.init(collectionId: "c")]))
      let elements = try reply.elements
      #expect(try elements.map { try $0.members().keys.sorted() } == [["readTime"]])
    }
  }

  @Test func `the error envelope has Google's shape`() async throws {
    try await withServer { _, client in
      let reply = try await client.send(.get, "/c/x")
      #expect(
        try reply.json
          == .object([
            "error": .object([
              "code": .number("404"), "status": .string("NOT_FOUND"),
              "message": .string("Document \"\(client.root)/c/x\" not found."),
            ])
          ]))
      #expect(reply.headers["Content-Type"] == "application/json; charset=UTF-8")
    }
  }

  static let sizes = [("0", 20), ("1", 1), ("299", 299), ("300", 300), ("301", 300), ("9999", 300)]

  @Test(arguments: sizes)
  func `a list has at most 300 documents`(row: (String, Int)) async throws {
    try await withServer { server, client in
      try server.documents.seed((0..<310).map { client.document("c/\($0)", [:]) })
      let reply = try await client.send(.get, "/c?pageSize=\(row.0)").json
      #expect(try reply["documents"]?.elements().count == row.1)
      #expect(reply["nextPageToken"] != nil)
    }
  }

  @Test(arguments: ["pageSize=-1", "pageSize=x", "pageToken=00", "orderBy=a%20up", "unknown=1"])
  func `a list refuses parameters that make no sense`(parameter: String) async throws {
    try await withServer { _, client in
      let reply = try await client.send(.get, "/c?\(parameter)")
      #expect(reply.status == 400)
      #expect(try reply.errorStatus == "INVALID_ARGUMENT")
    }
  }

  @Test func `a page token belongs to its collection and order`() async throws {
    try await withServer { server, client in
      try server.documents.seed((0..<3).map { client.document("c/\($0)", ["n": .integer(1)]) })
      let first = try await client.send(.get, "/c?pageSize=2").json
      let token = try #require(try first["nextPageToken"]?.text())
      #expect(try await client.send(.get, "/c?pageSize=2&pageToken=\(token)").status == 200)
      #expect(try await client.send(.get, "/d?pageSize=2&pageToken=\(token)").status == 400)
      let other = try await client.send(.get, "/c?pageSize=2&orderBy=n&pageToken=\(token)")
      #expect(other.status == 400)
    }
  }

  @Test(arguments: ["/c?prettyPrint=true", "/c/x?$prettyPrint=true", "/c/none?prettyPrint=true"])
  func `an answer is laid out for people when asked for`(path: String) async throws {
    try await withServer { server, client in
      try server.documents.seed([client.document("c/x", ["a": .string("{\"[,:]\\")])])
      let compact = try await client.send(.get, path.replacing("true", with: "false"))
      let pretty = try await client.send(.get, path)
      #expect(try pretty.json == compact.json)
      #expect(!compact.text.contains("\n"))
      #expect(pretty.text.hasPrefix("{\n  \""))
      #expect(pretty.text.hasSuffix("\n}"))
    }
  }

  @Test func `a stream that is laid out has nothing around its brackets either`() async throws {
    try await withServer { server, client in
      try server.documents.seed([client.document("c/x", [:]), client.document("c/y", [:])])
      let reply = try await client.send(
        .post, ":runQuery?prettyPrint=true", #"{"structuredQuery":{"from":[{"collectionId":"c"}]}}"#
      )
      #expect(reply.text.hasPrefix("[\n  {\n    \"document\": {\n      \"createTime\": \""))
      #expect(reply.text.hasSuffix("\"\n  }\n]"))
      let none = try await client.send(.post, ":batchGet?prettyPrint=true", "{}")
      #expect(none.text == "[]")
    }
  }

  @Test func `a colon in an id needs no encoding where there are no verbs`() async throws {
    try await withServer { _, client in
      #expect(try await client.send(.patch, "/c/a:b", "{}").status == 200)
      let stored = try await client.send(.get, "/c/a%3Ab")
      #expect(try Document(json: stored.json).id == "a:b")
      #expect(try await client.send(.get, "/c/a:b").status == 200)
      #expect(try await client.send(.post, "/c/a:b:listCollectionIds", "{}").status == 200)
      #expect(try await client.send(.delete, "/c/a:b").status == 200)
      #expect(try await client.send(.get, "/c/a:b").status == 404)
    }
  }

  @Test func `bodies of two megabytes are read, and of more than eleven refused unread`()
    async throws
  {
    try await withServer { _, client in
      let value = #"{"stringValue":"\#(String(repeating: "x", count: 1 << 20))"}"#
      let write = #"{"update":{"name":"\#(client.root)/c/x","fields":{"a":\#(value)}}}"#
      func commit(_ count: Int) async throws -> RESTClient.Reply {
        let writes = Array(repeating: write, count: count).joined(separator: ",")
        return try await client.send(.post, ":commit", #"{"writes":[\#(writes)]}"#)
      }
      let tooLong = try await commit(2)
      #expect(tooLong.text.contains("longer than 1048487 bytes"))
      let tooLarge = try await commit(11)
      #expect(tooLarge.text.contains("Request payload size exceeds the limit"))
      #expect(tooLarge.status == 400)
    }
  }

  @Test func `Remote Config is served with an ETag once it is published`() async throws {
    try await withServer { server, client in
      let path = "/v1/projects/demo/remoteConfig"
      #expect(try await client.sendAbsolute(.get, path).status == 404)
      let template = JSON.object(["parameters": .object([:])])
      server.remoteConfig.publish(template, project: "demo")
      let first = try await client.sendAbsolute(.get, path)
      #expect(try first.json == template)
      server.remoteConfig.publish(template, project: "demo")
      let second = try await client.sendAbsolute(.get, path)
      #expect(first.headers["ETag"] != nil)
      #expect(first.headers["ETag"] != second.headers["ETag"])
    }
  }

  @Test func `a port that is taken is an error that says so`() async throws {
    try await withServer { server, _ in
      let error = await #expect(throws: EmulatorError.self) {
        try await EmulatorServer.start(port: server.port)
      }
      #expect(
        error?.description
          == "Port \(server.port) on 127.0.0.1 is in use. Choose another --port.")
    }
  }

  @Test(arguments: [(0x7F00_0001, true), (0x7F00_0002, false)] as [(UInt32, Bool)])
  func `the server listens at 127.0.0.1, and at no other address of the machine`(
    address: UInt32, isAnswered: Bool
  ) async throws {
    try await withServer { server, _ in
      let connection = RawConnection(port: server.port, address: address)
      let answer = connection.exchange("GET / HTTP/1.1\nHost: localhost\nConnection: close\n")
      #expect(answer.isEmpty == !isAnswered)
      #expect(server.address == "127.0.0.1:\(server.port)")
    }
  }

  @Test func `a stopped server takes no connections, and stops twice`() async throws {
    let server = try await EmulatorServer.start()
    let client = RESTClient(address: server.address)
    #expect(try await client.sendAbsolute(.get, "/").status == 200)
    try await server.stop()
    try await server.stop()
    await #expect(throws: HTTPError.self) { try await client.sendAbsolute(.get, "/") }
  }
}
