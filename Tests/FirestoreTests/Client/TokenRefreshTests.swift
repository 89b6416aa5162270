import Fixtures
import Testing

@testable import Firestore

/// What the client does when its token is refused.
@Suite("Token refresh")
struct TokenRefreshTests {
  private static let query = StructuredQuery(from: [.init(collectionId: "C")])

  private func credentials(_ tokens: ScriptedServer) throws -> (Credentials, KeyFile) {
    let file = try KeyFile(
      KeyFile.authorizedUser(
        tokenURL: tokens.url, adding: ["quota_project_id": .string("payer")]))
    let plan = CredentialPlan(choice: .keyFile(file.path), environment: [:])
    return (Credentials(plan, http: Stage.http, now: { Stage.now }), file)
  }

  private static func grant(_ token: String) -> ScriptedAnswer {
    .json(#"{"access_token":"\#(token)","expires_in":3600}"#)
  }

  @Test("a refused token is replaced once, at once, and the call succeeds")
  func refreshed() async throws {
    let tokens = try ScriptedServer(answers: [Self.grant("old"), Self.grant("new")])
    let (credentials, file) = try credentials(tokens)
    defer { file.remove() }
    let stage = try Stage([.error(.unauthenticated), .json(emptyResult)], credentials: credentials)
    _ = try await stage.client.runQuery(Self.query)
    #expect(
      stage.server.requests.map { $0[header: "Authorization"] } == ["Bearer old", "Bearer new"])
    #expect(stage.server.requests.allSatisfy { $0[header: "x-goog-user-project"] == "payer" })
    #expect(stage.pauses.isEmpty)
    #expect(tokens.requests.count == 2)
  }

  @Test("a token refused twice is given up, as a matter of who asks")
  func refusedTwice() async throws {
    let tokens = try ScriptedServer(answers: [Self.grant("T")])
    let (credentials, file) = try credentials(tokens)
    defer { file.remove() }
    for answer in [ScriptedAnswer.error(.unauthenticated), .response(401, "<html>")] {
      let stage = try Stage([answer], credentials: credentials)
      let error = await #expect(throws: FirestoreError.self) {
        try await stage.client.runQuery(Self.query)
      }
      #expect(error?.isUnauthorized == true && error?.isTransient == false)
      #expect(stage.server.requests.count == 2)
    }
  }

  @Test("a token endpoint in trouble is asked again")
  func endpointTrouble() async throws {
    let tokens = try ScriptedServer(answers: [.response(503, "busy"), Self.grant("T")])
    let (credentials, file) = try credentials(tokens)
    defer { file.remove() }
    let stage = try Stage([.json(emptyResult)], credentials: credentials)
    _ = try await stage.client.runQuery(Self.query)
    #expect(stage.server.requests.count == 1)
    #expect(stage.pauses == [.seconds(1)])
  }

  @Test("a token endpoint that says no is not asked again, and nor is Firestore")
  func endpointRefusal() async throws {
    let tokens = try ScriptedServer(
      answers: [.json(#"{"error":"invalid_grant","error_description":"gone"}"#, status: 400)])
    let (credentials, file) = try credentials(tokens)
    defer { file.remove() }
    let stage = try Stage([.json(emptyResult)], credentials: credentials)
    let error = await #expect(throws: FirestoreError.self) {
      try await stage.client.runQuery(Self.query)
    }
    #expect(error?.isUnauthorized == true)
    #expect(stage.server.requests.isEmpty && tokens.requests.count == 1)
  }
}
