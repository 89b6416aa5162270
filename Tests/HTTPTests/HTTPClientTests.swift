import Fixtures
import HTTP
import Testing

@Suite("HTTPClient")
struct HTTPClientTests {
  let client = HTTPClient()

  @Test func `an answer has its status, headers and body`() async throws {
    let server = try ScriptedServer(answers: [
      .response(200, headers: [("ETag", "abc"), ("X-Twice", "1"), ("x-twice", "2")], "hello")
    ])
    let response = try await client.send(HTTPRequest(.get, server.url + "/a?b=c"))
    #expect(response.status == 200)
    #expect(response.body == Array("hello".utf8))
    #expect(response.receivedBytes == 5)
    #expect(response.headers["etag"] == "abc")
    #expect(response.headers.values("X-TWICE") == ["1", "2"])
    #expect(response.headers["X-Absent"] == nil)
    #expect(server.requests.map(\.target) == ["/a?b=c"])
  }

  @Test func `spaces and tabs around a header's value are none of it, other blanks are`()
    async throws
  {
    let server = try ScriptedServer(answers: [
      .response(200, headers: [("X-A", "\t a b \t"), ("X-B", "\u{A0}c\u{A0}")], "")
    ])
    let response = try await client.send(HTTPRequest(.get, server.url))
    #expect(response.headers["X-A"] == "a b")
    #expect(response.headers["X-B"] == "\u{A0}c\u{A0}")
  }

  @Test(arguments: [200, 204, 304, 400, 401, 404, 409, 429, 500, 503])
  func `every status is an answer`(status: Int) async throws {
    let bodyless = status == 204 || status == 304
    let server = try ScriptedServer(answers: [
      bodyless ? .raw("HTTP/1.1 \(status) X\r\n\r\n") : .response(status, "why")
    ])
    let response = try await client.send(HTTPRequest(.get, server.url))
    #expect(response.status == status)
    #expect(response.isSuccess == (status < 300))
    #expect(response.body == Array((bodyless ? "" : "why").utf8))
  }

  @Test(arguments: HTTPRequest.Method.allCases)
  func `every method arrives with its headers and body`(method: HTTPRequest.Method) async throws {
    let server = try ScriptedServer { request in
      request.method == "HEAD"
        ? .raw("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n") : .response("answer")
    }
    let takesBody = method != .get && method != .head
    let request = HTTPRequest(
      method, server.url + "/x", headers: ["X-Mine": "yes", "X-Empty": ""],
      body: takesBody ? Array("payload".utf8) : [])
    let response = try await client.send(request)
    let received = try #require(server.requests.first)
    #expect(response.status == 200)
    #expect(received.method == method.rawValue)
    #expect(received[header: "X-Mine"] == "yes")
    #expect(received[header: "X-Empty"] == "")
    #expect(received.text == (takesBody ? "payload" : ""))
    #expect(received[header: "Content-Length"] == (takesBody ? "7" : nil))
    #expect(received[header: "Expect"] == nil)
    #expect(received[header: "Content-Type"] == nil)
  }

  @Test func `a POST without a body says so`() async throws {
    let server = try ScriptedServer(answers: [.response("")])
    _ = try await client.send(HTTPRequest(.post, server.url))
    #expect(server.requests.first?[header: "Content-Length"] == "0")
  }

  @Test func `a DELETE without a body sends none`() async throws {
    let server = try ScriptedServer(answers: [.response("")])
    _ = try await client.send(HTTPRequest(.delete, server.url))
    #expect(server.requests.first?.method == "DELETE")
    #expect(server.requests.first?[header: "Content-Length"] == nil)
  }

  @Test func `gzip is asked for, by the user agent too`() async throws {
    let server = try ScriptedServer(answers: [.response("")])
    _ = try await client.send(HTTPRequest(.get, server.url))
    let request = try #require(server.requests.first)
    #expect(request[header: "Accept-Encoding"] == "gzip")
    #expect(request[header: "User-Agent"] == "firetally (gzip)")
  }

  @Test func `two megabytes go up and come back unchanged`() async throws {
    let server = try ScriptedServer { .response(body: $0.body) }
    let bytes = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let response = try await client.send(HTTPRequest(.post, server.url, body: bytes))
    #expect(response.body == bytes)
  }

  @Test func `requests one after another share one connection`() async throws {
    let server = try ScriptedServer(answers: [.response("a")])
    for _ in 1...3 { _ = try await client.send(HTTPRequest(.get, server.url)) }
    #expect(server.requests.count == 3)
    #expect(server.connectionCount == 1)
  }

  @Test func `a server that closes after each answer is served by new connections`() async throws {
    let server = try ScriptedServer(answers: [ScriptedAnswer.response("a").then(.close)])
    for _ in 1...3 { _ = try await client.send(HTTPRequest(.get, server.url)) }
    #expect(server.requests.count == 3)
    #expect(server.connectionCount == 3)
  }

  @Test func `fifty requests at once each get their own answer`() async throws {
    let server = try ScriptedServer { .response($0.target).after(.milliseconds(20)) }
    let bodies = try await withThrowingTaskGroup(of: (String, [UInt8]).self) { group in
      for number in 0..<50 {
        group.addTask { [client] in
          let response = try await client.send(HTTPRequest(.get, server.url + "/\(number)"))
          return ("/\(number)", response.body)
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    #expect(bodies.count == 50)
    #expect(bodies.allSatisfy { Array($0.key.utf8) == $0.value })
    #expect(server.requests.count == 50)
  }

  @Test func `clients come and go without disturbing each other`() async throws {
    let server = try ScriptedServer(answers: [.response("a")])
    for _ in 1...20 {
      let response = try await HTTPClient().send(HTTPRequest(.get, server.url))
      #expect(response.status == 200)
    }
    #expect(server.connectionCount == 20)
  }

  @Test func `the CA file comes from the environment, the one of curl first`() {
    let caFile = HTTPClient.Configuration.caFile
    #expect(caFile(["CURL_CA_BUNDLE": "a", "SSL_CERT_FILE": "b"]) == "a")
    #expect(caFile(["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "b"]) == "b")
    #expect(caFile(["SSL_CERT_FILE": ""]) == nil)
    #expect(caFile([:]) == nil)
  }
}
