import Feeds
import Fixtures
import HTTP
import Model
import Testing

@Suite("RemoteConfigClient")
struct RemoteConfigClientTests {
  private let now = Instant(unixSeconds: 1_767_600_000)
  private let json = #"{"parameters":{"a":{"defaultValue":{"value":"1"}}}}"#

  private func fetch(
    from server: ScriptedServer, path: String = "", etag: String? = nil
  ) async throws -> RemoteConfigClient.Response {
    try await RemoteConfigClient(http: HTTPClient(), baseURL: server.url + path)
      .fetch(project: "demo", token: "t0ken", etag: etag, now: now)
  }

  @Test(arguments: ["", "/"]) func `the template comes with its ETag`(path: String) async throws {
    let server = try ScriptedServer(answers: [.response(200, headers: [("ETag", "e1")], json)])
    let expected = try RemoteConfigTemplate(json: Array(json.utf8), fetchedAt: now)
    #expect(try await fetch(from: server, path: path) == .template(expected, etag: "e1"))
    let request = try #require(server.requests.first)
    #expect(request.target == "/v1/projects/demo/remoteConfig")
    #expect(request[header: "Authorization"] == "Bearer t0ken")
    #expect(request[header: "If-None-Match"] == nil)
  }

  @Test(arguments: [
    (ScriptedAnswer.raw("HTTP/1.1 304 Not Modified\r\n\r\n"), true),
    (.response(200, headers: [("ETag", "e1")], "{}"), true),
    (.response(200, headers: [("ETag", "e2")], "{}"), false),
    (.response("{}"), false),
  ])
  func `the ETag that is known already means unchanged`(
    answer: ScriptedAnswer, isUnchanged: Bool
  ) async throws {
    let server = try ScriptedServer(answers: [answer])
    #expect((try await fetch(from: server, etag: "e1") == .unchanged) == isUnchanged)
    #expect(server.requests.first?[header: "If-None-Match"] == "e1")
  }

  @Test(arguments: [
    (#"{"error":{"code":403,"message":"denied","status":"PERMISSION_DENIED"}}"#, "denied"),
    ("<html></html>", "no message"), ("", "no message"), ("{}", "no message"),
  ])
  func `a refusal tells what the server said`(body: String, message: String) async throws {
    let server = try ScriptedServer(answers: [.response(403, body)])
    let error = await #expect(throws: FeedError.self) { try await fetch(from: server) }
    #expect(error == .refused(feed: "Remote Config of demo", status: 403, message: message))
    #expect(error?.description.contains("t0ken") == false)
  }

  @Test func `a page that is no template is an error`() async throws {
    let server = try ScriptedServer(answers: [.response("<html>log in</html>")])
    let error = await #expect(throws: FeedError.self) { try await fetch(from: server) }
    guard case .malformed = error else {
      Issue.record("not malformed: \(String(describing: error))")
      return
    }
  }

  @Test func `an unreachable server is an HTTP error`() async throws {
    let socket = try LoopbackSocket()
    let client = RemoteConfigClient(http: HTTPClient(), baseURL: socket.url)
    await #expect(throws: HTTPError.refused(host: "127.0.0.1:\(socket.port)")) {
      try await client.fetch(project: "demo", token: "t0ken", now: now)
    }
  }
}
