import Fixtures
import HTTP
import Testing

@Suite("Redirects")
struct RedirectTests {
  let client = HTTPClient()

  private let headers: HTTPHeaders = {
    var headers: HTTPHeaders = [
      "Authorization": "Bearer t0ken", "Cookie": "c", "Accept": "text/plain",
    ]
    headers.add("X-Mine", "s3cret", isSecret: true)
    return headers
  }()

  @Test(arguments: [301, 302, 303, 307, 308])
  func `a GET follows to the same origin with all its headers`(status: Int) async throws {
    let server = try ScriptedServer { request in
      request.target == "/a/b" ? .redirect(status, to: "../c?d=e") : .response("there")
    }
    let response = try await client.send(HTTPRequest(.get, server.url + "/a/b", headers: headers))
    let second = try #require(server.requests.last)
    #expect(response.body == Array("there".utf8))
    #expect(second.method == "GET")
    #expect(second.target == "/c?d=e")
    #expect(second[header: "Authorization"] == "Bearer t0ken")
    #expect(second[header: "X-Mine"] == "s3cret")
    #expect(server.requests.count == 2)
  }

  @Test func `another port gets no secret, and nor does the way back`() async throws {
    let home = try ScriptedServer { request in
      request.target == "/back" ? .response("home") : .response("unused")
    }
    let away = try ScriptedServer(answers: [.redirect(to: home.url + "/back")])
    let start = try ScriptedServer(answers: [.redirect(to: away.url + "/x")])
    let response = try await client.send(HTTPRequest(.get, start.url, headers: headers))
    #expect(response.body == Array("home".utf8))
    #expect(start.requests.first?[header: "Authorization"] == "Bearer t0ken")
    for received in try [#require(away.requests.first), #require(home.requests.first)] {
      #expect(received[header: "Authorization"] == nil)
      #expect(received[header: "Cookie"] == nil)
      #expect(received[header: "X-Mine"] == nil)
      #expect(received[header: "Accept"] == "text/plain")
    }
  }

  @Test func `another name for the same machine gets no secret`() async throws {
    let server = try ScriptedServer { request in
      request.target == "/there"
        ? .response("there")
        : .redirect(to: "http://localhost:\(request[header: "X-Port"] ?? "")/there")
    }
    var withPort = headers
    withPort.add("X-Port", String(server.port))
    _ = try await client.send(HTTPRequest(.get, server.url, headers: withPort))
    let second = try #require(server.requests.last)
    #expect(second.target == "/there")
    #expect(second[header: "Authorization"] == nil)
  }

  @Test(arguments: [(5, true), (6, false)])
  func `five redirects are followed and no more`(count: Int, arrives: Bool) async throws {
    let server = try ScriptedServer { request in
      let number = Int(request.target.dropFirst()) ?? 0
      return number == 0 ? .response("there") : .redirect(to: "/\(number - 1)")
    }
    let request = HTTPRequest(.get, server.url + "/\(count)")
    guard arrives else {
      let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
      #expect(error == .tooManyRedirects(host: server.host, limit: 5))
      return
    }
    #expect(try await client.send(request).body == Array("there".utf8))
  }

  @Test(arguments: [HTTPRequest.Method.post, .put, .patch, .delete])
  func `what changes something is not sent elsewhere`(method: HTTPRequest.Method) async throws {
    let server = try ScriptedServer(answers: [.redirect(307, to: "/elsewhere")])
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest(method, server.url, body: [1]))
    }
    guard case .redirectRefused = error else {
      Issue.record("followed: \(String(describing: error))")
      return
    }
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://127.0.0.1/x", "http://", "http://a b/", "gopher:x",
  ])
  func `only another web address is followed`(location: String) async throws {
    let server = try ScriptedServer(answers: [.redirect(to: location)])
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest(.get, server.url))
    }
    guard case .redirectRefused = error else {
      Issue.record("followed \(location): \(String(describing: error))")
      return
    }
  }

  @Test func `a redirect without a Location is an answer`() async throws {
    let server = try ScriptedServer(answers: [.response(302, "nowhere")])
    #expect(try await client.send(HTTPRequest(.get, server.url)).status == 302)
  }
}
