import Feeds
import Fixtures
import HTTP
import Testing

struct MeasurementClientTests {
  private func client(_ server: ScriptedServer, path: String = "") -> MeasurementClient {
    MeasurementClient(
      http: HTTPClient(), baseURL: server.url + path, firebaseAppId: "1:2:ios:3f",
      apiSecret: "s&e c=ré")
  }

  @Test(arguments: ["", "/", "//"])
  func `the body goes to the collector with app and secret in the query`(
    path: String
  ) async throws {
    let server = try ScriptedServer(answers: [.response(204)])
    _ = try await client(server, path: path).send(Array("{}".utf8))
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(
      request.target
        == "/mp/collect?firebase_app_id=1%3A2%3Aios%3A3f&api_secret=s%26e%20c%3Dr%C3%A9")
    #expect(request[header: "Content-Type"] == "application/json")
    #expect(request.text == "{}")
  }

  /// A word for what became of a request.
  private func word(_ outcome: MeasurementClient.Outcome) -> String {
    switch outcome {
    case .received: "received"
    case .tryLater: "try later"
    case .refused: "refused"
    case .unreachable: "unreachable"
    case .unknown: "unknown"
    }
  }

  @Test(arguments: [
    (200, "received"), (204, "received"), (299, "received"), (302, "unreachable"),
    (400, "refused"), (401, "unreachable"), (403, "unreachable"), (404, "unreachable"),
    (408, "try later"), (413, "refused"), (429, "try later"), (500, "try later"),
    (503, "try later"),
  ])
  func `only 2xx says that Google has received it`(status: Int, outcome: String) async throws {
    let server = try ScriptedServer(answers: [.response(status)])
    #expect(word(try await client(server).send([])) == outcome)
    #expect(server.requests.count == 1)
  }

  @Test func `without a connection nothing was received, after one nobody knows`() async throws {
    let closing = try ScriptedServer(answers: [ScriptedAnswer([.close])])
    #expect(word(try await client(closing).send([])) == "unknown")
    let stopped = try ScriptedServer(answers: [.response(204)])
    stopped.stop()
    #expect(word(try await client(stopped).send([])) == "try later")
  }

  @Test func `no outcome tells the secret`() async throws {
    for answer in [ScriptedAnswer.response(500, "s&e c=ré"), ScriptedAnswer([.reset])] {
      let server = try ScriptedServer(answers: [answer])
      let outcome = try await client(server).send([])
      #expect(!"\(outcome)".contains("c=ré") && !"\(outcome)".contains("r%C3"))
    }
  }

  @Test func `a cancelled request is no outcome`() async throws {
    let server = try ScriptedServer(answers: [ScriptedAnswer([.wait(.seconds(20))])])
    let client = client(server)
    let task = Task { try await client.send([]) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
