import Emulator
import Firestore
import Foundation
import Testing

/// Who may ask the server, and in which forms of HTTP: docs/emulator.md#who-may-ask.
@Suite struct RequestFormTests {
  private static let path = "/v1/projects/demo/databases/(default)/documents"
  private static let commit = #"""
    {"writes":[{"update":{"name":"projects/demo/databases/(default)/documents/c/a","fields":{}}}]}
    """#

  /// Sends a commit with a header; returns the answer, and how many documents there are then.
  private func commit(
    target: String = Self.path + ":commit", version: String = "1.1", _ headers: String,
    body: [UInt8] = Array(Self.commit.utf8)
  ) async throws -> (answer: String, documents: Int) {
    let server = try await EmulatorServer.start(keepsRequests: true)
    let head =
      "POST \(target.replacing("PORT", with: "\(server.port)")) HTTP/\(version)\r\n"
      + headers.replacing("\n", with: "\r\n")
      + "\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    let bytes = RawConnection(port: server.port).exchange(bytes: Array(head.utf8) + body)
    let stored = server.documents.documents(in: try ResourceName(project: "demo").appending(["c"]))
    try await server.stop()
    return (String(decoding: bytes, as: UTF8.self), stored.count)
  }

  @Test(arguments: [
    ("Host: localhost", 200), ("Host: LOCALHOST:8080", 200), ("Host: 127.0.0.1", 200),
    ("Host: 127.0.0.1:1", 200), ("Host: [::1]:8080", 200), ("Host: app.localhost", 200),
    ("Host: evil.example", 403), ("Host: evil.example:8080", 403), ("Host: 127.0.0.1.evil", 403),
    ("Host: localhost.evil.example", 403), ("Host: 192.168.0.7", 403), ("Host: 10.127.0.0.1", 403),
    ("Host:", 403), ("X-Nothing: 1", 400), ("Host: localhost\nHost: localhost", 400),
    ("Host: localhost\nOrigin: https://evil.example", 403), ("Host: localhost\nOrigin: null", 403),
    ("Host: localhost\nOrigin: http://localhost.evil.example", 403),
    ("Host: localhost\nOrigin: http://localhost:3000", 200),
    ("Host: localhost\nOrigin: http://127.0.0.1:8080", 200),
  ])
  func `only this machine and its own pages may ask`(headers: String, status: Int) async throws {
    let (answer, documents) = try await commit(headers)
    #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(headers): \(answer)")
    #expect(documents == (status == 200 ? 1 : 0))
    #expect(answer.contains("PERMISSION_DENIED") == (status == 403))
  }

  @Test func `HTTP 1.0 needs no host`() async throws {
    #expect(try await commit(version: "1.0", "X-Nothing: 1").documents == 1)
  }

  @Test(arguments: [
    ("http://127.0.0.1:PORT", "Host: localhost", 200), ("HTTP://localhost", "Host: x", 200),
    ("http://evil.example", "Host: localhost", 403),
  ])
  func `a target may have the absolute form, whose host counts`(
    origin: String, headers: String, status: Int
  ) async throws {
    let (answer, documents) = try await commit(target: origin + Self.path + ":commit", headers)
    #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
    #expect(documents == (status == 200 ? 1 : 0))
  }

  @Test(arguments: ["100-continue", "100-Continue", "100-CONTINUE"])
  func `a client that waits is told to go on`(word: String) async throws {
    let (answer, documents) = try await commit("Host: localhost\nExpect: \(word)")
    #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n"))
    #expect(documents == 1)
  }

  /// `gzip -n` of the commit.
  private static func gzip(_ text: String) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/gzip")
    process.arguments = ["-nc"]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Array(text.utf8))
    try input.fileHandleForWriting.close()
    return Array(try output.fileHandleForReading.readToEnd() ?? Data())
  }

  @Test(arguments: ["gzip", "GZIP", "x-gzip"])
  func `a body may be packed by gzip`(encoding: String) async throws {
    let body = try Self.gzip(Self.commit)
    let headers = "Host: localhost\nContent-Encoding: \(encoding)"
    #expect(try await commit(headers, body: body).documents == 1)
    for broken in [Array(body.dropLast()), body + [0], Array(Self.commit.utf8), []] {
      let (answer, documents) = try await commit(headers, body: broken)
      #expect(answer.hasPrefix("HTTP/1.1 400 "))
      #expect(documents == 0)
    }
  }

  @Test func `a packed body has the bound of a plain one`() async throws {
    let text = String(repeating: " ", count: (11 << 20) + 1 - Self.commit.utf8.count) + Self.commit
    let headers = "Host: localhost\nContent-Encoding: gzip"
    let (answer, documents) = try await commit(headers, body: try Self.gzip(text))
    #expect(answer.contains("exceeds the limit") && documents == 0)
    let shorter = try Self.gzip(String(text.dropFirst()))
    #expect(try await commit(headers, body: shorter).documents == 1)
  }

  @Test(arguments: [
    "", "POST \(Self.path):commit HTT", "POST \(Self.path):commit HTTP/1.1\r\nHost: localhost\r\n",
    "POST \(Self.path):commit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{",
    "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
  ])
  func `a connection whose client falls silent is closed`(sent: String) async throws {
    let server = try await EmulatorServer.start(
      keepsRequests: false, longestPause: .milliseconds(50))
    // Returns only when the server has closed the connection.
    let answer = RawConnection(port: server.port).exchange(bytes: Array(sent.utf8))
    #expect(answer.isEmpty == !sent.hasPrefix("GET"))
    try await server.stop()
  }

  @Test func `another encoding is refused`() async throws {
    let (answer, _) = try await commit("Host: localhost\nContent-Encoding: br")
    #expect(answer.hasPrefix("HTTP/1.1 400 "))
  }
}
