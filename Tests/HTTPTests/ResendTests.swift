import Fixtures
import HTTP
import Testing

@Suite("A kept-alive connection that dies")
struct ResendTests {
  let client = HTTPClient()

  /// Answers the first request of the first connection; its second one is read and never answered.
  private func dyingServer() throws -> ScriptedServer {
    try ScriptedServer { request in
      request.connection == 1 && request.target == "/second"
        ? ScriptedAnswer([.close]) : .response("ok")
    }
  }

  private func secondRequests(at server: ScriptedServer) -> Int {
    server.requests.count { $0.target == "/second" }
  }

  @Test(arguments: [HTTPRequest.Method.post, .patch])
  func `a request that may not be repeated is not`(method: HTTPRequest.Method) async throws {
    let server = try dyingServer()
    _ = try await client.send(HTTPRequest(.get, server.url))
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest(method, server.url + "/second", body: [1, 2, 3]))
    }
    guard case .cutShort = error else {
      Issue.record("not cut short: \(String(describing: error))")
      return
    }
    #expect(secondRequests(at: server) == 1)
  }

  @Test(arguments: [HTTPRequest.Method.get, .put, .delete])
  func `a request that may be repeated is, with its body`(
    method: HTTPRequest.Method
  ) async throws {
    let server = try dyingServer()
    let body: [UInt8] = method == .get ? [] : [1, 2, 3]
    _ = try await client.send(HTTPRequest(.get, server.url))
    let response = try await client.send(HTTPRequest(method, server.url + "/second", body: body))
    #expect(response.status == 200)
    #expect(secondRequests(at: server) == 2)
    #expect(server.requests.last?.body == body)
  }

  @Test func `a connection that was closed while idle is replaced unnoticed`() async throws {
    let server = try ScriptedServer { request in
      request.target == "/first"
        ? ScriptedAnswer.response("a").then(.close) : .response("b")
    }
    _ = try await client.send(HTTPRequest(.get, server.url + "/first"))
    try await Task.sleep(for: .milliseconds(100))
    let response = try await client.send(HTTPRequest(.post, server.url, body: [1]))
    #expect(response.body == Array("b".utf8))
    #expect(server.requests.count == 2)
  }
}
