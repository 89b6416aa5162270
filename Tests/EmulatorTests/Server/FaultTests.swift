import Emulator
import Firestore
import HTTP
import Testing

@Suite struct FaultTests {
  private let query = StructuredQuery(from: [.init(collectionId: "c")])

  private func withServer(
    _ body: (EmulatorServer, RESTClient) async throws -> Void
  ) async throws {
    let server = try await EmulatorServer.start()
    let client = RESTClient(address: server.address)
    try server.documents.seed((0..<30).map { client.document("c/\($0)", ["n": .integer(1)]) })
    try await body(server, client)
    try await server.stop()
  }

  @Test func `a status fails so many matching requests, and no others`() async throws {
    try await withServer { server, client in
      server.inject(.status(.unavailable), times: 2, matching: ":runQuery")
      #expect(try await client.send(.get, "/c/1").status == 200)
      for _ in 0..<2 {
        let reply = try await client.query(query)
        #expect(reply.status == 503)
        #expect(try reply.errorStatus == "UNAVAILABLE")
      }
      #expect(try await client.query(query).status == 200)
    }
  }

  @Test func `a fault can wait for a later request and stay for ever`() async throws {
    try await withServer { server, client in
      server.inject(.status(.internal), times: nil, after: 1, matching: "GET ")
      var statuses: [Int] = []
      for _ in 0..<4 { statuses.append(try await client.send(.get, "/c/1").status) }
      #expect(statuses == [200, 500, 500, 500])
      server.clearFaults()
      #expect(try await client.send(.get, "/c/1").status == 200)
    }
  }

  @Test func `faults are used up in the order of their injection`() async throws {
    try await withServer { server, client in
      server.inject(.status(.aborted))
      server.inject(.status(.resourceExhausted, message: "slow down", retryAfterSeconds: 7))
      #expect(try await client.send(.get, "/c/1").status == 409)
      let second = try await client.send(.get, "/c/1")
      #expect(second.status == 429)
      #expect(second.headers["Retry-After"] == "7")
      #expect(try second.json["error"]?["message"] == .string("slow down"))
    }
  }

  @Test func `an error may come inside an array`() async throws {
    try await withServer { server, client in
      server.inject(.status(.permissionDenied, insideArray: true))
      let reply = try await client.query(query)
      #expect(reply.status == 403)
      #expect(try reply.elements.first?["error"]?["status"] == .string("PERMISSION_DENIED"))
    }
  }

  @Test func `garbage is a page of HTML with status 200`() async throws {
    try await withServer { server, client in
      server.inject(.garbage())
      let reply = try await client.query(query)
      #expect(reply.status == 200)
      #expect(throws: JSONError.self) { try reply.json }
    }
  }

  @Test func `a truncated array arrives whole as HTTP and broken as JSON`() async throws {
    try await withServer { server, client in
      server.inject(.truncatedArray)
      let reply = try await client.query(query)
      #expect(reply.status == 200)
      #expect(reply.bytes.first == UInt8(ascii: "["))
      #expect(throws: JSONError.self) { try reply.json }
    }
  }

  @Test(arguments: [0, 1, 100])
  func `a cut connection ends the answer early`(count: Int) async throws {
    try await withServer { server, client in
      server.inject(.cut(afterBytes: count), times: 2)
      await #expect(throws: HTTPError.self) { try await client.query(query) }
      await #expect(throws: HTTPError.self) { try await client.send(.get, "/c/1") }
      let reply = try await client.send(.get, "/c/1")
      #expect(reply.status == 200)
    }
  }

  @Test func `a dropped request is not performed, one with a lost answer is`() async throws {
    try await withServer { server, client in
      server.inject(.drop)
      await #expect(throws: HTTPError.self) {
        try await client.send(.post, "/d?documentId=a", "{}")
      }
      let dropped = try await client.send(.get, "/d/a")
      #expect(dropped.status == 404)
      server.inject(.lostAnswer)
      await #expect(throws: HTTPError.self) {
        try await client.send(.post, "/d?documentId=a", "{}")
      }
      let performed = try await client.send(.get, "/d/a")
      #expect(performed.status == 200)
    }
  }

  @Test func `a delay holds the answer back`() async throws {
    try await withServer { server, client in
      server.inject(.delay(.milliseconds(80)))
      let clock = ContinuousClock()
      let start = clock.now
      let reply = try await client.send(.get, "/c/1")
      #expect(reply.status == 200)
      #expect(clock.now - start >= .milliseconds(80))
    }
  }

  @Test func `stopping does not wait for delayed answers`() async throws {
    let server = try await EmulatorServer.start()
    server.inject(.delay(.seconds(600)))
    let client = RESTClient(address: server.address)
    let reply = Task { try await client.sendAbsolute(.get, "/") }
    while server.requests.isEmpty { await Task.yield() }
    try await server.stop()
    await #expect(throws: HTTPError.self) { try await reply.value }
  }

  @Test func `every request is written down as it came`() async throws {
    try await withServer { server, client in
      server.inject(.status(.unavailable), matching: "GET")
      _ = try await client.send(.get, "/c/a%20b?mask.fieldPaths=x")
      _ = try await client.send(.post, "/c", #"{"fields":{}}"#)
      let requests = server.requests
      #expect(requests.map(\.method) == ["GET", "POST"])
      #expect(requests[0].target.hasSuffix("/documents/c/a%20b?mask.fieldPaths=x"))
      #expect(requests[0].path.hasSuffix("/documents/c/a%20b"))
      #expect(requests[0].headers["authorization"] == "Bearer owner")
      #expect(try requests[1].json() == .object(["fields": .object([:])]))
      server.forgetRequests()
      #expect(server.requests.isEmpty)
    }
  }

  @Test func `a server that is to run for long keeps no request, and faults still count them`()
    async throws
  {
    let server = try await EmulatorServer.start(keepsRequests: false)
    server.inject(.status(.unavailable), times: 1)
    let client = RESTClient(address: server.address)
    #expect(try await client.sendAbsolute(.get, "/").status == 503)
    #expect(try await client.sendAbsolute(.get, "/").status == 200)
    #expect(server.requests.isEmpty)
    try await server.stop()
  }
}
