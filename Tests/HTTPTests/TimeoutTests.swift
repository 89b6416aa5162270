import Fixtures
import Testing

@testable import HTTP

@Suite("Timeouts and cancellation")
struct TimeoutTests {
  let client = HTTPClient()

  private func failure(
    _ answer: ScriptedAnswer, _ timeouts: HTTPTimeouts
  ) async throws -> HTTPError? {
    let server = try ScriptedServer(answers: [answer])
    defer { server.stop() }
    return await #expect(throws: HTTPError.self) {
      try await client.send(HTTPRequest(.get, server.url, timeouts: timeouts))
    }
  }

  @Test func `an answer that does not come is a stall`() async throws {
    let error = try await failure(
      .response("late").after(.seconds(20)), HTTPTimeouts(stall: .seconds(1)))
    guard case .timedOut(_, phase: .stall, after: .seconds(1)) = error else {
      Issue.record("not a stall: \(String(describing: error))")
      return
    }
    #expect(error?.isTransient == true)
  }

  @Test func `an answer that stops half way is a stall`() async throws {
    let half = ScriptedAnswer.raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
    let error = try await failure(
      half.then(.wait(.seconds(20))), HTTPTimeouts(stall: .seconds(1)))
    guard case .timedOut(_, phase: .stall, _) = error else {
      Issue.record("not a stall: \(String(describing: error))")
      return
    }
  }

  @Test(arguments: [(1, true), (40, false)])
  func `an answer that drips slower than 100 bytes a second is a stall`(
    bytes: Int, isStall: Bool
  ) async throws {
    // One byte in 50 ms is 20 a second, 40 bytes are 800.
    let length = ("Content-Length", "\(160 * bytes)")
    let drip = ScriptedAnswer(
      [.send(ScriptedAnswer.head(200, headers: [length]))]
        + (0..<160).flatMap { _ in
          [ScriptedAnswer.Step.send(Array(repeating: 46, count: bytes)), .wait(.milliseconds(50))]
        })
    let server = try ScriptedServer(answers: [drip])
    let timeouts = HTTPTimeouts(stall: .seconds(3), total: .seconds(60))
    do {
      let response = try await client.send(HTTPRequest(.get, server.url, timeouts: timeouts))
      #expect(!isStall && response.body.count == 160 * bytes)
    } catch let error as HTTPError {
      #expect(isStall && error.isSilence, "\(error)")
    }
  }

  @Test func `an answer that drips for ever ends at the total`() async throws {
    let drip = ScriptedAnswer(
      [.send(ScriptedAnswer.head(200, headers: []))]
        + (0..<400).flatMap { _ in
          [ScriptedAnswer.Step.send([46]), .wait(.milliseconds(50))]
        })
    let error = try await failure(drip, HTTPTimeouts(total: .milliseconds(400)))
    guard case .timedOut(_, phase: .total, after: .milliseconds(400)) = error else {
      Issue.record("not the total: \(String(describing: error))")
      return
    }
  }

  @Test func `a pause shorter than the stall does no harm`() async throws {
    let server = try ScriptedServer(answers: [.response("late").after(.milliseconds(300))])
    let timeouts = HTTPTimeouts(stall: .seconds(5), total: .seconds(20))
    let response = try await client.send(HTTPRequest(.get, server.url, timeouts: timeouts))
    #expect(response.body == Array("late".utf8))
  }

  @Test func `a cancelled task gets its error before any answer`() async throws {
    // An answer that comes only to who does not notice the cancellation.
    let server = try ScriptedServer(answers: [.response("late").after(.seconds(3_600))])
    let timeouts = HTTPTimeouts(stall: .seconds(3_000), total: .seconds(3_000))
    let task = Task { try await client.send(HTTPRequest(.get, server.url, timeouts: timeouts)) }
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    let error = await #expect(throws: HTTPError.self) { try await task.value }
    #expect(error == .cancelled(host: server.host))
    #expect(error?.isTransient == false)
  }

  @Test func `a task cancelled before it starts sends nothing`() async throws {
    let server = try ScriptedServer(answers: [.response("a")])
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await client.send(HTTPRequest(.get, server.url))
    }
    task.cancel()
    let error = await #expect(throws: HTTPError.self) { try await task.value }
    #expect(error == .cancelled(host: server.host))
    #expect(server.requests.isEmpty)
  }

  @Test func `cancelling one request leaves the others alone`() async throws {
    let server = try ScriptedServer { request in
      .response(request.target).after(request.target == "/slow" ? .seconds(30) : .milliseconds(200))
    }
    let slow = Task { try await client.send(HTTPRequest(.get, server.url + "/slow")) }
    let quick = Task { try await client.send(HTTPRequest(.get, server.url + "/quick")) }
    while server.requests.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
    slow.cancel()
    await #expect(throws: HTTPError.self) { try await slow.value }
    #expect(try await quick.value.body == Array("/quick".utf8))
  }

  @Test func `cancelling many at once leaves a client that works`() async throws {
    let server = try ScriptedServer { request in
      request.target == "/slow" ? .response("late").after(.seconds(30)) : .response("now")
    }
    let tasks = (0..<30).map { _ in
      Task { try await client.send(HTTPRequest(.get, server.url + "/slow")) }
    }
    while server.requests.count < 10 { try await Task.sleep(for: .milliseconds(5)) }
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: HTTPError.self) { try await task.value } }
    #expect(try await client.send(HTTPRequest(.get, server.url)).body == Array("now".utf8))
  }
}

@Suite("HTTPTimeouts")
struct HTTPTimeoutsTests {
  @Test(arguments: [
    (Duration.seconds(-1), 1, 1), (.zero, 1, 1), (.microseconds(1), 1, 1),
    (.milliseconds(1), 1, 1), (.milliseconds(999), 999, 1), (.seconds(1), 1_000, 1),
    (.milliseconds(1_001), 1_001, 2), (.seconds(300), 300_000, 300),
  ])
  func `no duration ever means for ever`(duration: Duration, milliseconds: Int, seconds: Int) {
    #expect(duration.curlMilliseconds == milliseconds)
    #expect(duration.curlSeconds == seconds)
  }
}
