import Emulator
import Firestore
import Foundation
import Testing

/// How connections end: with the whole answer, in the words of the client's version of HTTP.
@Suite struct ConnectionEndTests {
  private static let query = #"{"structuredQuery":{"from":[{"collectionId":"c"}]}}"#
  private static let path = "/v1/projects/demo/databases/(default)/documents"

  private struct Answer {
    var head: String
    var body: [UInt8]
  }

  /// Asks a server with six documents of 900,000 bytes each, which no socket buffer holds.
  private func ask(
    _ version: String, _ header: String = "X-Nothing: 1", endsInput: Bool = false
  ) async throws -> Answer {
    let server = try await EmulatorServer.start(keepsRequests: false)
    let text = String(repeating: "x", count: 900_000)
    let root = "projects/demo/databases/(default)/documents"
    try server.documents.seed(
      (0..<6).map { Document(name: "\(root)/c/\($0)", fields: ["s": .string(text)]) })
    let head = """
      POST \(Self.path):runQuery HTTP/\(version)
      Host: localhost
      Content-Length: \(Self.query.utf8.count)
      \(header)

      """
    let bytes = RawConnection(port: server.port).exchange(
      head, body: Self.query, endsInput: endsInput)
    try await server.stop()
    let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)))
    return Answer(
      head: String(decoding: bytes[..<end.lowerBound], as: UTF8.self).lowercased(),
      body: Array(bytes[end.upperBound...]))
  }

  @Test(arguments: [
    ("Connection: close", false), ("Connection: close", true), ("X-Nothing: 1", true),
  ])
  func `a large answer is complete before its connection closes`(
    row: (String, Bool)
  ) async throws {
    let answer = try await ask("1.1", row.0, endsInput: row.1)
    #expect(answer.head.contains("transfer-encoding: chunked"))
    #expect(answer.body.count > 5_400_000)
    #expect(answer.body.suffix(7) == Array("\r\n0\r\n\r\n".utf8)[...])
  }

  @Test(arguments: [
    ("X-Nothing: 1", false, "connection: close"), ("X-Nothing: 1", true, "connection: close"),
    ("Connection: keep-alive", true, "connection: keep-alive"),
    ("Expect: 100-continue", false, "connection: close"),
  ])
  func `HTTP 1.0 gets a length and no chunks`(row: (String, Bool, String)) async throws {
    let answer = try await ask("1.0", row.0, endsInput: row.1)
    #expect(answer.head.hasPrefix("http/1.0 200 ok"))
    #expect(!answer.head.contains("transfer-encoding"))
    #expect(answer.head.contains("content-length: \(answer.body.count)"))
    #expect(answer.head.contains(row.2))
    let elements = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [Any]
    #expect(elements?.count == 6)
  }

  @Test func `HEAD is answered without a body`() async throws {
    let server = try await EmulatorServer.start(keepsRequests: false)
    let bytes = RawConnection(port: server.port).exchange(
      "HEAD / HTTP/1.1\nHost: localhost\nConnection: close\n")
    try await server.stop()
    #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("\r\n\r\n"))
  }

  @Test func `a client that leaves without asking leaves nothing open`() async throws {
    let server = try await EmulatorServer.start(keepsRequests: false)
    #expect(RawConnection(port: server.port).exchange("", endsInput: true).isEmpty)
    try await server.stop()
  }
}
