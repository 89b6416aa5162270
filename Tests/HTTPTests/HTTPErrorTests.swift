import Fixtures
import Glibc
import HTTP
import Testing

@Suite("HTTPError")
struct HTTPErrorTests {
  let client = HTTPClient()

  @Test func `nobody listening is a refusal, tried again later`() async throws {
    let socket = try LoopbackSocket()
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest(.get, socket.url))
    }
    #expect(error == .refused(host: "127.0.0.1:\(socket.port)"))
    #expect(error?.isTransient == true)
  }

  /// In a process of its own, which gives up the proxy: that would resolve the name instead.
  @Test func `a name that does not exist cannot be resolved`() async {
    await #expect(processExitsWith: .success) {
      for variable in ["http_proxy", "all_proxy", "ALL_PROXY"] { unsetenv(variable) }
      // RFC 6761: names under .invalid never exist; a label of 64 bytes never leaves the resolver.
      let name = String(repeating: "x", count: 64) + ".invalid"
      let error = await #expect(throws: HTTPError.self) {
        try await HTTPClient().send(HTTPRequest(.get, "http://\(name)/"))
      }
      #expect(error == .resolveFailed(host: "\(name):80"))
    }
  }

  @Test func `a plain server behind https is a TLS error`() async throws {
    let server = try ScriptedServer(answers: [.response("")])
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest(.get, "https://127.0.0.1:\(server.port)"))
    }
    guard case .tls = error else {
      Issue.record("not TLS: \(String(describing: error))")
      return
    }
    #expect(error?.isTransient == false)
    #expect(server.requests.isEmpty)
  }

  @Test func `a CA file that is not there is a TLS error`() async throws {
    let client = HTTPClient(
      configuration: HTTPClient.Configuration(caFile: "/nonexistent/ca.pem"))
    let server = try ScriptedServer(answers: [.response("")])
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest(.get, "https://127.0.0.1:\(server.port)"))
    }
    guard case .tls = error else {
      Issue.record("not TLS: \(String(describing: error))")
      return
    }
    #expect(error?.isTransient == false)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a CA file that is a named pipe is refused at once`() async throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path(of: "ca.pem")
    #expect(mkfifo(pipe, 0o600) == 0)
    let client = HTTPClient(configuration: HTTPClient.Configuration(caFile: pipe))
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest(.get, "https://127.0.0.1:1"))
    }
    #expect(
      error?.description.contains("\(pipe) is a named pipe, not a file of certificates") == true)
    #expect(error?.isTransient == false)
  }

  @Test(arguments: [
    "X-A\r\nX-B", "X-A\nX-B", "X A", "X:A", "", "X-\u{0}", "X-é",
  ])
  func `a header name that could end its line is not sent`(name: String) async throws {
    try await expectUnsent(HTTPHeaders([(name, "v")]))
  }

  @Test(arguments: ["a\r\nX-B: c", "a\nb", "a\rb", "a\u{0}b", "a\u{7F}"])
  func `a header value that could end its line is not sent`(value: String) async throws {
    try await expectUnsent(HTTPHeaders([("X-A", value)]))
  }

  private func expectUnsent(_ headers: HTTPHeaders) async throws {
    let server = try ScriptedServer(answers: [.response("")])
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest(.get, server.url, headers: headers))
    }
    guard case .invalidRequest = error else {
      Issue.record("sent: \(String(describing: error))")
      return
    }
    #expect(server.requests.isEmpty)
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: [
    "", "x", "/path", "file:///etc/passwd", "ftp://host/", "http://", "http://h\r\n/",
    "http://h/\nX",
    "http://h/\u{0}", "http://h/a b", "http://h:99999/", "://h/",
  ])
  func `what is not a web address is not sent`(url: String) async {
    let error = await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest(.get, url))
    }
    guard case .invalidRequest = error else {
      Issue.record("sent to '\(url)': \(String(describing: error))")
      return
    }
  }

  @Test func `tabs, spaces and other scripts may be in a header value`() async throws {
    let server = try ScriptedServer(answers: [.response("")])
    _ = try await client.send(
      HTTPRequest(.get, server.url, headers: ["X-A": "a b\tc é 漢"]))
    #expect(server.requests.first?[header: "X-A"] == "a b\tc é 漢")
  }

  @Test func `nothing that prints holds a secret`() async throws {
    let socket = try LoopbackSocket()
    let request = HTTPRequest(
      .post, "http://user:pa55@127.0.0.1:\(socket.port)/mp/collect?api_secret=k3y#f",
      headers: ["Authorization": "Bearer t0ken"], body: Array("b0dy".utf8))
    let error = await #expect(throws: HTTPError.self) { try await client.send(request) }
    let texts = [
      "\(request)", String(reflecting: request), "\(request.headers)",
      String(reflecting: request.headers), "\(request.headers.fields)",
      error.map { "\($0)" } ?? "", String(reflecting: error),
    ]
    for text in texts {
      for secret in ["pa55", "k3y", "t0ken", "b0dy"] { #expect(!text.contains(secret)) }
    }
    #expect("\(request)" == "POST http://127.0.0.1:\(socket.port)/mp/collect")
    #expect("\(request.headers)" == "Authorization: ***")
  }

  @Test(arguments: [
    HTTPError.refused(host: "h:1"),
    .timedOut(host: "h:1", phase: .connect, after: .seconds(1)),
    .timedOut(host: "h:1", phase: .stall, after: .seconds(1)),
    .timedOut(host: "h:1", phase: .total, after: .seconds(1)), .tls(host: "h:1", reason: "r"),
    .tooLarge(host: "h:1", limit: 3), .cutShort(host: "h:1", reason: "r"),
    .malformed(host: "h:1", reason: "r"), .tooManyRedirects(host: "h:1", limit: 5),
    .redirectRefused(host: "h:1", reason: "r"), .cancelled(host: "h:1"),
    .mailRefused(host: "h:1", status: 550, answer: "no"),
    .other(host: "h:1", code: 2, message: "m"),
  ])
  func `every error is a sentence that names the server`(error: HTTPError) {
    #expect("\(error)".contains("h:1"))
    #expect("\(error)".hasSuffix("."))
  }

  @Test(arguments: [
    ("firestore.test:443", "firestore.test"), ("firestore.test", "firestore.test"),
  ])
  func `a name that cannot be resolved is told without its port`(host: String, name: String) {
    #expect(
      "\(HTTPError.resolveFailed(host: host))"
        == "The host name \(name) could not be resolved. Check its spelling and the network.")
  }

  @Test func `the name of a proxy that cannot be resolved is told as the proxy's`() {
    #expect(
      "\(HTTPError.resolveFailed(host: "the proxy for firestore.test:443"))"
        == "The host name of the proxy for firestore.test:443 could not be resolved. Check the "
        + "variables https_proxy, http_proxy and all_proxy, and the network.")
  }

  @Test func `an answer that is none is not called HTTP, since mail is not`() {
    #expect(
      "\(HTTPError.malformed(host: "mail.test:25", reason: "Weird server reply"))"
        == "mail.test:25 sent an answer that cannot be understood (Weird server reply). Check the "
        + "address, its port and any proxy in between.")
  }
}
