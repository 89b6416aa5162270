import Fixtures
import HTTP
import Testing

@testable import Firestore

/// Servers that take a connection and then say nothing.
@Suite struct SilenceTests {
  private static let silence = HTTPError.timedOut(host: "h:1", phase: .stall, after: .seconds(60))

  @Test(arguments: [HTTPError.Phase.stall, .total])
  func `a silent server is asked twice, then given up`(phase: HTTPError.Phase) {
    var backoff = RetryBackoff(policy: .steady, repetition: .read)
    let error = FirestoreError.transport(
      request: "r", .timedOut(host: "h:1", phase: phase, after: .seconds(60)))
    #expect(error.isSilence)
    #expect(backoff.on(error) == .pause(.seconds(1)))
    #expect(backoff.on(error) == .giveUp)
  }

  @Test func `a server that takes no connection is tried as often as ever`() {
    var backoff = RetryBackoff(policy: .steady, repetition: .read)
    let error = FirestoreError.transport(
      request: "r", .timedOut(host: "h:1", phase: .connect, after: .seconds(10)))
    for _ in 1...4 { #expect(backoff.on(error) != .giveUp) }
    #expect(backoff.on(error) == .giveUp)
  }

  @Test func `both silences, and the pause between them, end within two minutes`() {
    let timeouts = HTTPTimeouts()
    let policy = RetryPolicy()
    let longestPause = RetryPolicy.firstPause * 1.5
    let sum = timeouts.stall + policy.secondSilence + longestPause + .seconds(10)
    #expect(sum < .seconds(120))
  }

  @Test func `the second try waits less long than the first`() async throws {
    let silent = ScriptedAnswer([.wait(.seconds(600))])
    let server = try ScriptedServer(answers: [silent])
    let http = HTTPClient(
      configuration: .init(timeouts: HTTPTimeouts(stall: .seconds(2), total: .seconds(60))))
    var policy = RetryPolicy.steady
    policy.secondSilence = .seconds(1)
    let plan = CredentialSource(environment: ["FIRESTORE_EMULATOR_HOST": server.host])
    let client = FirestoreClient(
      http: http, endpoint: Endpoint(baseURL: server.url + "/v1", project: "demo"),
      credentials: Credentials(plan, http: http, now: { Stage.now }),
      retry: policy, now: { Stage.now }, sleep: { _ in })
    let error = await #expect(throws: FirestoreError.self) {
      try await client.document(at: "C/x")
    }
    guard case .transport(_, .timedOut(_, .stall, let after))? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(after == .seconds(1))
    #expect(server.requests.count == 2)
  }
}
