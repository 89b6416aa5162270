import Fixtures
import HTTP
import Testing

@Suite("Bodies of answers")
struct BodyTests {
  let client = HTTPClient()

  private func send(
    _ answer: ScriptedAnswer, bodyLimit: Int? = nil
  ) async throws -> HTTPResponse {
    let server = try ScriptedServer(answers: [answer])
    defer { server.stop() }
    return try await client.send(HTTPRequest(.get, server.url, bodyLimit: bodyLimit))
  }

  private func failure(
    _ answer: ScriptedAnswer, bodyLimit: Int? = nil
  ) async -> HTTPError? {
    await #expect(throws: HTTPError.self) { try await send(answer, bodyLimit: bodyLimit) }
  }

  @Test func `chunks are put together and trailers are not headers`() async throws {
    let response = try await send(
      .raw(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: a\r\n\r\n"
          + "5\r\nhello\r\n1;x=y\r\n \r\n5\r\nworld\r\n0\r\nETag: b\r\nX-Late: c\r\n\r\n"))
    #expect(response.body == Array("hello world".utf8))
    #expect(response.headers.values("ETag") == ["a"])
    #expect(response.headers["X-Late"] == nil)
  }

  @Test func `a body without a length ends with the connection`() async throws {
    let response = try await send(.raw("HTTP/1.1 200 OK\r\n\r\nhello").then(.close))
    #expect(response.body == Array("hello".utf8))
  }

  @Test func `a gzip body is unpacked`() async throws {
    let response = try await send(
      .response(200, headers: [("Content-Encoding", "gzip")], body: GzipSample.hello))
    #expect(response.body == Array("hello hello hello".utf8))
    #expect(response.receivedBytes == GzipSample.hello.count)
  }

  @Test func `an interim answer is not the answer`() async throws {
    let interim = "HTTP/1.1 103 Early Hints\r\nX-Interim: 1\r\n\r\n"
    let response = try await send(
      .raw(interim + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
    #expect(response.status == 200)
    #expect(response.headers["X-Interim"] == nil)
    #expect(response.body == Array("ok".utf8))
  }

  @Test(arguments: [(999, false), (1_000, false), (1_001, true)])
  func `a body may be as long as the limit and no longer`(
    length: Int, isRefused: Bool
  ) async throws {
    let answer = ScriptedAnswer.response(body: [UInt8](repeating: 65, count: length))
    guard isRefused else {
      #expect(try await send(answer, bodyLimit: 1_000).body.count == length)
      return
    }
    guard case .tooLarge(_, limit: 1_000) = await failure(answer, bodyLimit: 1_000) else {
      Issue.record("a body of \(length) bytes was not refused")
      return
    }
  }

  @Test func `the limit counts unpacked bytes`() async {
    let answer = ScriptedAnswer.response(
      headers: [("Content-Encoding", "gzip")], body: GzipSample.millionZeroBytes)
    let error = await failure(answer, bodyLimit: 10_000)
    guard case .tooLarge(_, limit: 10_000) = error else {
      Issue.record("a gzip bomb was not refused: \(String(describing: error))")
      return
    }
  }

  @Test func `a body without end is cut at the limit`() async {
    let answer = ScriptedAnswer.raw("HTTP/1.1 200 OK\r\n\r\n")
      .then(.sendForEver([UInt8](repeating: 66, count: 4_096)))
    guard case .tooLarge = await failure(answer, bodyLimit: 1 << 20) else {
      Issue.record("an endless body was not refused")
      return
    }
  }

  @Test func `headers without end are refused`() async {
    let answer = ScriptedAnswer.raw("HTTP/1.1 200 OK\r\n")
      .then(.sendForEver(Array("X-More: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".utf8)))
    guard case .headersTooLarge = await failure(answer) else {
      Issue.record("endless headers were not refused")
      return
    }
  }

  @Test(arguments: [
    ScriptedAnswer.raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello").then(.close),
    .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n").then(.close),
    .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello").then(.reset),
    ScriptedAnswer([.close]),
    ScriptedAnswer([.reset]),
  ])
  func `an answer that ends too early is an error that may be tried again`(
    answer: ScriptedAnswer
  ) async {
    let error = await failure(answer)
    guard case .cutShort = error else {
      Issue.record("not cut short: \(String(describing: error))")
      return
    }
    #expect(error?.isTransient == true)
  }

  @Test(arguments: [
    ScriptedAnswer.raw("SSH-2.0-OpenSSH_9.2\r\n").then(.close),
    .raw("\u{0}\u{1}\u{2}garbage").then(.close),
    .response(200, headers: [("Content-Encoding", "gzip")], "this is not gzip"),
  ])
  func `what is not HTTP is an error that may pass`(answer: ScriptedAnswer) async {
    let error = await failure(answer)
    guard case .malformed = error else {
      Issue.record("not malformed: \(String(describing: error))")
      return
    }
    #expect(error?.isTransient == true)
  }
}

/// Made with `gzip -9n`.
enum GzipSample {
  static let hello: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57,
    0xc8, 0x40, 0x90, 0x00, 0x80, 0x88, 0xf9, 0xe5, 0x11, 0x00, 0x00, 0x00,
  ]

  /// A million zero bytes in one thousand.
  static let millionZeroBytes: [UInt8] =
    [
      0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xed, 0xc1, 0x01, 0x01, 0x00,
      0x00, 0x00, 0x82, 0x20, 0xff, 0xaf, 0x6e, 0x48, 0x40, 0x01,
    ] + [UInt8](repeating: 0, count: 968) + [
      0xaf, 0x06, 0x9e, 0xcb, 0x79, 0x12, 0x40, 0x42, 0x0f, 0x00,
    ]
}
