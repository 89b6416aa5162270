import Fixtures
import HTTP
import Synchronization
import Testing

@Suite struct HTTPTraceTests {
  private final class Log: Sendable {
    private let traces = Mutex<[HTTPTrace]>([])

    var all: [HTTPTrace] { traces.withLock(\.self) }

    var client: HTTPClient {
      var configuration = HTTPClient.Configuration()
      configuration.trace = { [self] trace in traces.withLock { $0.append(trace) } }
      return HTTPClient(configuration: configuration)
    }
  }

  private let log = Log()

  @Test func `a request leaves its method, address, status, time and sizes`() async throws {
    let server = try ScriptedServer(answers: [.response(404, "nothing")])
    _ = try await log.client.send(
      HTTPRequest(.post, server.url + "/a", body: Array("four".utf8)))
    let trace = try #require(log.all.first)
    #expect(log.all.count == 1)
    #expect(trace.status == 404 && trace.sentBytes == 4 && trace.receivedBytes == 7)
    #expect(try #require(trace.duration) >= .zero)
    #expect(trace.line.hasPrefix("POST \(server.url)/a: 404 in "))
    #expect(trace.line.hasSuffix(" ms, 4 bytes sent, 7 received"))
    #expect(trace.lineWithoutPath.hasPrefix("POST \(server.url): 404 in "))
  }

  @Test func `it leaves no query, password or header`() async throws {
    let server = try ScriptedServer(answers: [.response(200, "ok")])
    let url = server.url.replacing("http://", with: "http://me:hush@") + "/a?api_secret=hush"
    _ = try await log.client.send(
      HTTPRequest(.get, url, headers: ["Authorization": "Bearer hush"]))
    let trace = try #require(log.all.first)
    #expect(!trace.line.contains("hush") && !trace.line.contains("?"), "\(trace.line)")
    #expect(!"\(trace)".contains("hush"))
  }

  @Test func `every request of a redirect leaves one`() async throws {
    let server = try ScriptedServer(answers: [.redirect(to: "/b"), .response(200, "ok")])
    _ = try await log.client.send(HTTPRequest(.get, server.url + "/a"))
    #expect(log.all.map(\.status) == [302, 200])
    #expect(log.all.map { $0.address.hasSuffix("/b") } == [false, true])
  }

  @Test func `a request without an answer says why`() async throws {
    await #expect(throws: HTTPError.self) {
      try await log.client.send(HTTPRequest(.get, "http://127.0.0.1:9/a"))
    }
    let trace = try #require(log.all.first)
    #expect(trace.status == nil && trace.duration == nil && trace.failure != nil)
    #expect(trace.line.hasPrefix("GET http://127.0.0.1:9/a: "))
  }
}
