import Fixtures
import Testing

@testable import Firestore

/// How often each call is sent, by what was answered.
@Suite("Retries")
struct RetryTests {
  private static let query = StructuredQuery(from: [.init(collectionId: "C")])

  @Test(arguments: [
    (RPCStatus.unavailable, 5), (.deadlineExceeded, 5), (.aborted, 5), (.internal, 2),
    (.unknown, 2), (.resourceExhausted, 3), (.unauthenticated, 2), (.notFound, 1),
    (.permissionDenied, 1), (.invalidArgument, 1), (.failedPrecondition, 1), (.alreadyExists, 1),
    (.outOfRange, 1), (.unimplemented, 1), (.cancelled, 1), (.dataLoss, 1),
  ])
  func `a read is sent as often as its status allows`(status: RPCStatus, count: Int) async throws {
    let stage = try Stage(.error(status))
    let error = await #expect(throws: FirestoreError.self) {
      try await stage.client.runQuery(Self.query)
    }
    #expect(error?.status == status)
    #expect(stage.server.requests.count == count)
    #expect(stage.client.traffic.requestCount == count)
    #expect(stage.client.traffic.retryCount == count - 1)
    #expect(stage.client.traffic.billedReadCount == 0)
  }

  @Test func `the status decides, not the HTTP code around it`() async throws {
    let envelope = #"{"error":{"code":400,"message":"m","status":"UNAVAILABLE"}}"#
    let stage = try Stage(.json(envelope, status: 400), .json(emptyResult))
    _ = try await stage.client.runQuery(Self.query)
    #expect(stage.server.requests.count == 2)
    let fatal = try Stage(
      .json(envelope.replacing("UNAVAILABLE", with: "INVALID_ARGUMENT"), status: 503))
    await #expect(throws: FirestoreError.self) { try await fatal.client.runQuery(Self.query) }
    #expect(fatal.server.requests.count == 1)
  }

  @Test func `pauses grow by half from one second, give or take half`() async throws {
    let stage = try Stage(.error(.unavailable))
    await #expect(throws: FirestoreError.self) { try await stage.client.runQuery(Self.query) }
    #expect(
      stage.pauses == [.seconds(1), .milliseconds(1500), .milliseconds(2250), .milliseconds(3375)])
    for (random, first) in [(0.0, Duration.milliseconds(500)), (0.999, .milliseconds(1499))] {
      let jittered = try Stage([.error(.unavailable)], retry: RetryPolicy(random: { random }))
      await #expect(throws: FirestoreError.self) { try await jittered.client.runQuery(Self.query) }
      #expect(jittered.pauses.first == first)
    }
  }

  @Test func `no pause is longer than the longest`() async throws {
    var policy = RetryPolicy(attemptLimit: 8, random: { 0.5 })
    policy.longestPause = .seconds(3)
    let stage = try Stage([.error(.unavailable)], retry: policy)
    await #expect(throws: FirestoreError.self) { try await stage.client.runQuery(Self.query) }
    #expect(stage.pauses.suffix(3) == [.seconds(3), .seconds(3), .seconds(3)])
  }

  @Test
  func `too high a rate waits the longest pause; a spent daily quota does not wait`() async throws {
    let rate = try Stage(.error(.resourceExhausted, "Bandwidth exhausted"))
    await #expect(throws: FirestoreError.self) { try await rate.client.runQuery(Self.query) }
    #expect(rate.pauses == [.seconds(60), .seconds(60)])
    let daily = try Stage(.error(.resourceExhausted, "Quota exceeded."))
    await #expect(throws: FirestoreError.self) { try await daily.client.runQuery(Self.query) }
    #expect(daily.pauses.isEmpty && daily.server.requests.count == 1)
  }

  @Test(arguments: [
    ([("Retry-After", "7")], "[]", Duration.seconds(7)),
    ([("Retry-After", "Sat, 31 Jan 2026 08:00:09 GMT")], "[]", .seconds(9)),
    (
      [
        ("Retry-After", "Sat, 31 Jan 2026 08:00:09 GMT"),
        ("Date", "Sat, 31 Jan 2026 08:00:04 GMT"),
      ],
      "[]", .seconds(5)
    ),
    ([("Retry-After", "Fri, 30 Jan 2026 08:00:09 GMT")], "[]", .seconds(1)),
    ([("Retry-After", "soon")], "[]", .seconds(1)), ([("Retry-After", "0")], "[]", .seconds(1)),
    (
      [], #"[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"3.5s"}]"#,
      .milliseconds(3500)
    ),
    (
      [("Retry-After", "7")],
      #"[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"3s"}]"#, .seconds(7)
    ),
  ])
  func `waits at least as long as the server asks`(
    headers: [(String, String)], details: String, pause: Duration
  ) async throws {
    let stage = try Stage(
      .error(.unavailable, headers: headers, details: details), .json(emptyResult))
    _ = try await stage.client.runQuery(Self.query)
    #expect(stage.pauses == [pause])
  }

  @Test(arguments: [120, 121])
  func `a longer wait than it may keep a job is left to the caller`(seconds: Int) async throws {
    let stage = try Stage(
      .error(.unavailable, headers: [("Retry-After", "\(seconds)")]), .json(emptyResult))
    guard seconds > 120 else {
      _ = try await stage.client.runQuery(Self.query)
      return
    }
    let error = await #expect(throws: FirestoreError.self) {
      try await stage.client.runQuery(Self.query)
    }
    guard case .refused(let refusal)? = error else { throw WireError("not refused") }
    #expect(refusal.retryAfter == .seconds(seconds))
    #expect(stage.pauses.isEmpty)
  }

  @Test(arguments: [
    ScriptedAnswer.response(200, "<html>Welcome to the hotel</html>"), .response(200, ""),
    .response(502, "<html>Bad Gateway</html>"), .response(503, ""), .json("[{}"),
    .json("[{}]]"), .json("null"), .json("{}"), .json(#"[{"document":{}}]"#),
    ScriptedAnswer([.send(ScriptedAnswer.head(200, headers: [("Content-Length", "9")])), .close]),
    ScriptedAnswer([.reset]), .raw("SSH-2.0-OpenSSH_9.2\r\n").then(.close),
    .response(200, headers: [("Content-Encoding", "gzip")], "this is not gzip"),
  ])
  func `an answer that is not Firestore's is asked for again, and is never a result`(
    answer: ScriptedAnswer
  ) async throws {
    let stage = try Stage(answer)
    let error = await #expect(throws: FirestoreError.self) {
      try await stage.client.runQuery(Self.query)
    }
    #expect(error?.isTransient == true)
    #expect(error?.status == nil)
    #expect(stage.server.requests.count == 5)
  }

  @Test(arguments: ["", "<html>", "{}", #"{"code":429}"#])
  func `a gateway's 429 is a rate, whatever its body`(body: String) async throws {
    let stage = try Stage(.response(429, body), .json(emptyResult))
    _ = try await stage.client.runQuery(Self.query)
    #expect(stage.pauses == [.seconds(60)])
  }

  @Test(arguments: ["", "<html>", "{}"])
  func `a gateway's 503 is asked again when it says, whatever its body`(body: String) async throws {
    let stage = try Stage(
      .response(503, headers: [("Retry-After", "7")], body), .json(emptyResult))
    _ = try await stage.client.runQuery(Self.query)
    #expect(stage.pauses == [.seconds(7)])
  }

  @Test(arguments: [403, 404, 407])
  func `a proxy's refusal of the request is not asked for again`(status: Int) async throws {
    let stage = try Stage(.response(status, "<html>No</html>"))
    await #expect(throws: FirestoreError.self) { try await stage.client.runQuery(Self.query) }
    #expect(stage.server.requests.count == 1)
  }

  @Test(arguments: [0, 1])
  func `an error in mid-stream fails the query, whatever came before`(documentCount: Int)
    async throws
  {
    let element = #"{"document":{"name":"n"}},"#
    let broken =
      "[" + String(repeating: element, count: documentCount)
      + #"{"error":{"code":503,"message":"m","status":"UNAVAILABLE"}}]"#
    let stage = try Stage(.json(broken), .json(emptyResult))
    #expect(try await stage.client.runQuery(Self.query).documents.isEmpty)
    #expect(stage.server.requests.count == 2)
  }

  @Test func `a query's answer cut at any byte is an error, never a short result`() async throws {
    let whole = #"[{"document":{"name":"n"}},{"readTime":"2026-01-01T00:00:00Z"}]"#
    for length in 0..<whole.count {
      let stage = try Stage(
        [.json(String(whole.prefix(length)))], retry: RetryPolicy(attemptLimit: 1))
      await #expect(throws: FirestoreError.self, "cut after \(length) bytes") {
        try await stage.client.runQuery(Self.query)
      }
    }
  }

  @Test func `a server that is not there is tried five times`() async throws {
    let stage = try Stage(.json(emptyResult))
    stage.server.stop()
    let error = await #expect(throws: FirestoreError.self) {
      try await stage.client.runQuery(Self.query)
    }
    #expect(error?.isTransient == true)
    #expect(stage.client.traffic.requestCount == 5)
  }

  @Test func `a cancelled task gets no further try`() async throws {
    let server = try ScriptedServer(answers: [.error(.unavailable)])
    let client = FirestoreClient(
      http: Stage.http, endpoint: Endpoint(baseURL: server.url + "/v1", project: "demo"),
      credentials: Credentials(
        CredentialSource(environment: ["FIRESTORE_EMULATOR_HOST": server.host]), http: Stage.http,
        now: { Stage.now }), now: { Stage.now },
      sleep: { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        try Task.checkCancellation()
      })
    let task = Task { try await client.runQuery(Self.query) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(server.requests.count == 1)
  }
}
