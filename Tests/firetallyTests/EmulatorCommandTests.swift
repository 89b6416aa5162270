import Emulator
import Firestore
import Fixtures
import Foundation
import HTTP
import Model
import Store
import Testing

/// The embedded server as a command, while it makes its users.
@Suite struct EmulatorCommandTests {
  @Test func `a run against a server that is being filled waits until it is full`() async throws {
    let workspace = try await TemporaryWorkspace(users: 0)
    // Long enough for a machine on which this test has to wait for its turn.
    let server = try await EmulatorServer.start(retryAfterSeconds: 8)
    var program = workspace.program
    program.environment["FIRESTORE_EMULATOR_HOST"] = server.address
    let running = try program.start([
      "run", "online-users", "-C", workspace.folder.path, "--now",
      TemporaryWorkspace.morning.description,
    ])
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    let sample = SampleApp(users: 40, seed: 7, now: TemporaryWorkspace.morning)
    try server.documents.seed(sample.documents(in: "projects/demo/databases/(default)"))
    server.open()
    let result = try await running.wait()
    #expect(result.status == 0 || result.status == 3, "\(result.errors)")
    let count = try workspace.store().read { try $0.usersCount() }
    #expect(count >= 30, "the sample has a few users that cannot be kept")
    try await server.stop()
    try await workspace.server.stop()
  }

  @Test func `whatever it answers, it answers with all users`() async throws {
    let free = try await EmulatorServer.start()
    try await free.stop()
    let running = try BuiltProgram().start([
      "emulator", "--port", "\(free.port)", "--users", "3000",
    ])
    defer { running.process.terminate() }
    let http = HTTPClient()
    let count = HTTPRequest(
      .post,
      "http://\(free.address)/v1/projects/demo/databases/%28default%29/documents:runAggregationQuery",
      body: Array(
        #"{"structuredAggregationQuery":{"structuredQuery":{"from":[{"collectionId":"Users"}]},"aggregations":[{"alias":"n","count":{}}]}}"#
          .utf8))
    var refusals = 0
    for _ in 0..<60_000 {
      let response: HTTPResponse
      do {
        response = try await http.send(count)
      } catch is HTTPError {
        try await Task.sleep(for: .milliseconds(5))
        continue
      }
      guard response.status == 200 else {
        #expect(response.status == 503)
        let seconds = response.headers["Retry-After"].flatMap { Int($0) } ?? 0
        #expect((1...60).contains(seconds))
        refusals += 1
        try await Task.sleep(for: .milliseconds(5))
        continue
      }
      let fields = try JSON(parsing: response.body).elements().first?["result"]?["aggregateFields"]
      #expect(fields?["n"] == Value.integer(3000).json, "after \(refusals) answers of 503")
      return
    }
    Issue.record("it never answered")
  }
}
