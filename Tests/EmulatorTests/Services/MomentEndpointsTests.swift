import Emulator
import Firestore
import HTTP
import Model
import Testing

@Suite("The embedded moments service")
struct MomentEndpointsTests {
  /// The code of the error, or the id of the moment, with the status before it.
  private func send(
    _ server: EmulatorServer, _ method: HTTPRequest.Method, _ path: String, _ body: String = "",
    user: String? = "u1", token: String? = "t"
  ) async throws -> String {
    var headers = HTTPHeaders()
    if let user { headers.add("x-user-id", user) }
    if let token { headers.add("x-app-token-code", token) }
    let response = try await HTTPClient().send(
      HTTPRequest(
        method, "http://\(server.address)\(path)", headers: headers, body: Array(body.utf8)))
    let members = try JSON(parsing: response.body).members()
    let item = try members["item"]?.members()["id"]
    let code = try members["error"]?.members()["code"]
    return "\(response.status) \(try (item ?? code)?.text() ?? "?")"
  }

  private func body(_ id: String, text: String = "a", tz: String = "UTC") -> String {
    #"{"clientId":"\#(id)","text":"\#(text)","submittedAt":"2026-01-31T08:00:00Z","tz":"\#(tz)"}"#
  }

  private func server(at instant: String = "2026-01-31T08:00:00Z") async throws -> EmulatorServer {
    let now = try #require(Timestamp(rfc3339: instant))
    return try await EmulatorServer.start(clock: { now })
  }

  @Test func `takes a client id once, and finds it by either id for its own user only`()
    async throws
  {
    let server = try await server()
    #expect(try await send(server, .post, "/moments", body("A")) == "200 moment-1")
    #expect(try await send(server, .post, "/moments", body("A")) == "200 moment-1")
    #expect(try await send(server, .get, "/moments/by-client-id/a") == "200 moment-1")
    #expect(try await send(server, .get, "/moments/moment-1") == "200 moment-1")
    #expect(
      try await send(server, .get, "/moments/by-client-id/a", user: "u2")
        == "404 MOMENT_NOT_FOUND")
    #expect(server.moments.entries.map(\.moment.clientId) == ["A"])
  }

  @Test func `refuses the fourth of a day, the eleventh of all, and a subscriber's eleventh`()
    async throws
  {
    let server = try await server()
    for number in 1...4 {
      let answer = try await send(server, .post, "/moments", body("\(number)"))
      #expect(answer == (number < 4 ? "200 moment-\(number)" : "400 DAILY_LIMIT_REACHED"))
    }
    var quotas = MomentAllowance.builtIn
    quotas.freeTotal = 3
    server.moments.setQuotas(quotas)
    #expect(try await send(server, .post, "/moments", body("5")) == "400 TOTAL_LIMIT_REACHED")
    server.moments.setPremium(true, userId: "u1")
    for number in 5...12 {
      let answer = try await send(server, .post, "/moments", body("\(number)"))
      #expect(answer.hasPrefix(number < 12 ? "200" : "400 DAILY_LIMIT"), "\(number)")
    }
    #expect(try await send(server, .post, "/moments", body("1"), user: "u2") == "200 moment-11")
  }

  @Test func `counts days of the time zone that the moment names`() async throws {
    let server = try await server(at: "2026-01-31T23:30:00Z")
    for number in 1...3 { _ = try await send(server, .post, "/moments", body("\(number)")) }
    #expect(try await send(server, .post, "/moments", body("4")) == "400 DAILY_LIMIT_REACHED")
    let entry = try #require(server.moments.entries.first)
    #expect(LocalDay(of: entry.receivedAt, in: "Asia/Tokyo").text == "2026-02-01")
  }

  @Test func `wants a token and a user`() async throws {
    let server = try await server()
    #expect(
      try await send(server, .get, "/moments/x", token: nil) == "401 INVALID_APP_TOKEN")
    #expect(try await send(server, .get, "/moments/x", user: nil) == "401 RESTRICTED_ACCESS")
    #expect(try await send(server, .get, "/moments") == "404 NOT_FOUND")
    #expect(try await send(server, .delete, "/moments/x") == "404 NOT_FOUND")
  }

  @Test(arguments: [
    "", "{", "[]", "{}", #"{"clientId":1}"#, #"{"text":"a","submittedAt":"2026-01-31T08:00:00Z"}"#,
    #"{"clientId":"a","text":"","submittedAt":"2026-01-31T08:00:00Z"}"#,
    #"{"clientId":"a","text":"b","submittedAt":"yesterday"}"#,
    #"{"clientId":"a","text":"b","submittedAt":"2026-01-31T08:00:00Z","timeAgo":-1}"#,
    #"{"clientId":"a","text":"b","submittedAt":"2026-01-31T08:00:00Z","mood":"good"}"#,
  ])
  func `refuses what is no moment`(body: String) async throws {
    let server = try await server()
    #expect(try await send(server, .post, "/moments", body) == "400 VALIDATION_ERROR")
    #expect(server.moments.entries.isEmpty)
  }
}
