import Feeds
import Fixtures
import HTTP
import Model
import Testing

@Suite("MomentsClient")
struct MomentsClientTests {
  private static let id = "6f9619ff-8b86-4011-b42d-00c04fc964ff"
  private let now = Instant.morning

  private func client(_ server: ScriptedServer, path: String = "/api/v1") -> MomentsClient {
    MomentsClient(http: HTTPClient(), baseURL: server.url + path, appToken: "t0ken")
  }

  private func post(_ answer: ScriptedAnswer) async throws -> MomentsClient.Response {
    let server = try ScriptedServer(answers: [answer])
    let moment = Moment(clientId: Self.id, text: "a", submittedAt: now, tz: "UTC", userId: "u1")
    return try await client(server).post(moment, userId: "u1", now: now)
  }

  private func find(_ answer: ScriptedAnswer) async throws -> MomentsClient.Response {
    let server = try ScriptedServer(answers: [answer])
    return try await client(server).find(clientId: Self.id, userId: "u1", now: now)
  }

  @Test(arguments: ["/api/v1", "/api/v1/"])
  func `requests go below the base address, with the token and the user`(path: String) async throws
  {
    let server = try ScriptedServer(answers: [.json(#"{"id":"m1"}"#, status: 201)])
    let moment = Moment(
      clientId: Self.id, text: "\"é\"\n", submittedAt: now, tz: "Asia/Tokyo", timeAgo: 5,
      userId: "hidden")
    _ = try await client(server, path: path).post(moment, userId: "u1", now: now)
    _ = try await client(server, path: path).find(clientId: Self.id, userId: "u1", now: now)
    #expect(
      server.requests.map(\.target) == [
        "/api/v1/moments", "/api/v1/moments/by-client-id/\(Self.id)",
      ])
    for request in server.requests {
      #expect(request[header: "x-app-token-code"] == "t0ken")
      #expect(request[header: "x-user-id"] == "u1")
    }
    let body = String(decoding: server.requests[0].body, as: UTF8.self)
    #expect(
      body == #"{"clientId":"\#(Self.id)","submittedAt":"2026-01-31T08:00:00Z","#
        + #""text":"\"é\"\n","timeAgo":5,"tz":"Asia/Tokyo"}"#)
    #expect(server.requests[0][header: "Content-Type"] == "application/json")
  }

  @Test(
    arguments: [
      (#"{"item":{"id":"m1","clientId":"6F9619FF-8B86-4011-B42D-00C04FC964FF"}}"#, "m1"),
      (#"{"id":"m2"}"#, "m2"), (#"{"id":7}"#, nil), (#"{"item":{"id":7}}"#, nil),
      (#"{"clientId":"6f9619ff-8b86-4011-b42d-00c04fc964ff"}"#, nil),
    ] as [(String, String?)])
  func `a success names the moment, by the service's id or by its client id`(
    body: String, id: String?
  ) async throws {
    #expect(try await post(.json(body, status: 201)) == .taken(id: id))
    #expect(try await find(.json(body)) == .taken(id: id))
  }

  @Test(arguments: [
    "", "<html>Welcome to the hotel</html>", "[]", "null", "7", #"{"item":{"id":"m1""#,
    #"{"item":{"clientId":"00000000-0000-4000-8000-000000000000"}}"#,
    String(repeating: #"{"item":"#, count: 10_000), "\u{FEFF}", #"{"item":"m1"}"#,
    "{}", #"{"status":"ok"}"#, #"{"item":null}"#, #"{"item":{}}"#, #"{"id":null}"#,
    #"{"item":{"id":null,"clientId":null}}"#,
  ])
  func `a success that is not the service's is an error`(body: String) async throws {
    await #expect(throws: FeedError.self) { try await post(.json(body)) }
    await #expect(throws: FeedError.self) { try await find(.json(body)) }
  }

  @Test func `a refusal is read with its code, its number and its wait`() async throws {
    let answer = ScriptedAnswer.response(
      400, headers: [("Retry-After", "30")],
      #"{"error":{"code":"DAILY_LIMIT_REACHED","message":"three"},"meta":{"limit":3,"isPremium":false}}"#
    )
    let refusal = MomentRefusal(
      status: 400, code: "DAILY_LIMIT_REACHED", message: "three", limit: 3,
      retryAfter: .seconds(30))
    #expect(try await post(answer) == .refused(refusal))
    #expect(refusal.reachedLimit == .daily)
    #expect("\(refusal)" == "The moments service refused: three (DAILY_LIMIT_REACHED, HTTP 400).")
    let token = MomentRefusal(status: 200, code: "INVALID_APP_TOKEN", message: "bad token")
    #expect(
      "\(token)" == "The moments service refused: bad token (INVALID_APP_TOKEN, HTTP 200). Check "
        + "FIRETALLY_MOMENTS_TOKEN, or what moments.token_env or moments.token_file names.")
  }

  @Test(arguments: [200, 201, 500])
  func `an error code counts, whatever the status`(status: Int) async throws {
    let body = #"{"error":{"code":"TOTAL_LIMIT_REACHED","message":" "},"meta":{"limit":10}}"#
    let refusal = MomentRefusal(
      status: status, code: "TOTAL_LIMIT_REACHED", message: nil, limit: 10)
    #expect(try await post(.json(body, status: status)) == .refused(refusal))
    let absent = #"{"error":{"code":"MOMENT_NOT_FOUND"}}"#
    #expect(try await find(.json(absent, status: status)) == .absent)
    let token = #"{"error":{"code":"INVALID_APP_TOKEN"}}"#
    for status in [status, 404] {
      let answer = try await find(.json(token, status: status))
      #expect(
        answer == .refused(MomentRefusal(status: status, code: "INVALID_APP_TOKEN", message: nil)))
    }
  }

  @Test(arguments: [#"{"error":{"message":"no"}}"#, #"{"error":"no"}"#, #"{"error":{"code":7}}"#])
  func `an error without a code is no success`(body: String) async throws {
    await #expect(throws: FeedError.self) { try await post(.json(body)) }
    #expect(try await post(.json(#"{"error":null,"item":{"id":"m"}}"#)) == .taken(id: "m"))
  }

  @Test(arguments: [
    "", "<html></html>", "[]", #"{"error":"no"}"#, #"{"error":{"code":7}}"#, "{",
    String(repeating: "[", count: 10_000),
  ])
  func `a refusal that is not the service's has a status alone`(body: String) async throws {
    guard case .refused(let refusal) = try await post(.json(body, status: 403)) else {
      Issue.record("not refused")
      return
    }
    #expect((refusal.status, refusal.code, refusal.limit) == (403, nil, nil))
    #expect(refusal.description.contains("moments.base_url"))
  }

  @Test(arguments: [#""three""#, "1e99", "[3]", "null", "{}"])
  func `a meta of another shape does not hide the code`(limit: String) async throws {
    let body = #"{"error":{"code":"TOTAL_LIMIT_REACHED"},"meta":{"limit":\#(limit)}}"#
    guard case .refused(let refusal) = try await post(.json(body, status: 400)) else {
      Issue.record("not refused")
      return
    }
    #expect((refusal.reachedLimit, refusal.limit) == (.total, nil))
  }

  @Test func `what the service writes is one short line without control characters`() async throws {
    let text = #"\u001b[31mred\n\u202e"# + String(repeating: "x", count: 5_000)
    let body = #"{"error":{"code":"VALIDATION_ERROR","message":"\#(text)"}}"#
    guard case .refused(let refusal) = try await post(.json(body, status: 400)) else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.message?.hasPrefix(" [31mred  xxx") == true)
    #expect(refusal.message?.count == 300)
  }

  @Test func `nothing there is a 404 of the service's own`() async throws {
    #expect(
      try await find(.json(#"{"error":{"code":"MOMENT_NOT_FOUND"}}"#, status: 404)) == .absent)
    for body in ["", "<html>404 page not found</html>", "{}", #"{"error":"Not Found"}"#] {
      guard case .refused(let refusal) = try await find(.response(404, body)) else {
        Issue.record("a gateway was taken for the service: \(body)")
        continue
      }
      #expect((refusal.status, refusal.code) == (404, nil))
    }
    guard case .refused(let refusal) = try await post(.response(404, "")) else {
      Issue.record("a post was taken for a question")
      return
    }
    #expect(refusal.status == 404)
  }

  @Test func `an answer beyond all measure is an error, and so is silence`() async throws {
    let huge = ScriptedAnswer([
      .send(ScriptedAnswer.head(200, headers: [("Transfer-Encoding", "chunked")])),
      .sendForEver(Array("10000\r\n".utf8) + [UInt8](repeating: 0x20, count: 65_536) + [13, 10]),
    ])
    await #expect(throws: HTTPError.self) { try await post(huge) }
    await #expect(throws: HTTPError.self) { try await post(ScriptedAnswer([.reset])) }
  }

  @Test func `a user id that would break the header is refused before it is sent`() async throws {
    let server = try ScriptedServer(answers: [.json("{}")])
    await #expect(throws: HTTPError.self) {
      try await client(server).find(clientId: Self.id, userId: "a\r\nx-admin: 1", now: now)
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `no message shows the token`() async throws {
    guard case .refused(let refusal) = try await post(.response(401, "")) else { return }
    #expect(!"\(refusal)".contains("t0ken"))
    let socket = try LoopbackSocket()
    let client = MomentsClient(http: HTTPClient(), baseURL: socket.url, appToken: "t0ken")
    let error = await #expect(throws: HTTPError.self) {
      try await client.find(clientId: Self.id, userId: "u1", now: now)
    }
    #expect(error.map { "\($0)".contains("t0ken") } == false)
    #expect(!"\(client)".contains("t0ken"))
  }
}
