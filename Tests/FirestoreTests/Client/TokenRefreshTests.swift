import Fixtures
import Testing

@testable import Firestore

/// What the client does when its token is refused.
@Suite("Token refresh")
struct TokenRefreshTests {
  private static let query = StructuredQuery(from: [.init(collectionId: "C")])

  /// An endpoint that answers with tokens, and who asks it with a key file.
  private struct TokenEndpoint {
    let server: ScriptedServer
    let file: KeyFile
    let credentials: Credentials

    init(_ answers: [ScriptedAnswer]) throws {
      server = try ScriptedServer(answers: answers)
      file = try KeyFile(
        KeyFile.authorizedUser(
          tokenURL: server.url, adding: ["quota_project_id": .string("payer")]))
      let plan = CredentialSource(choice: .file(file.path), environment: [:])
      credentials = Credentials(plan, http: Stage.http, now: { Stage.now })
    }
  }

  private static func grant(_ token: String) -> ScriptedAnswer {
    .json(#"{"access_token":"\#(token)","expires_in":3600}"#)
  }

  @Test func `a refused token is replaced once, at once, and the call succeeds`() async throws {
    let tokens = try TokenEndpoint([Self.grant("old"), Self.grant("new")])
    let stage = try Stage(
      [.error(.unauthenticated), .json(emptyResult)], credentials: tokens.credentials)
    _ = try await stage.client.runQuery(Self.query)
    #expect(
      stage.server.requests.map { $0[header: "Authorization"] } == ["Bearer old", "Bearer new"])
    #expect(stage.server.requests.allSatisfy { $0[header: "x-goog-user-project"] == "payer" })
    #expect(stage.pauses.isEmpty)
    #expect(tokens.server.requests.count == 2)
  }

  @Test func `a token refused twice is given up, as a matter of who asks`() async throws {
    let tokens = try TokenEndpoint([Self.grant("T")])
    for answer in [
      ScriptedAnswer.error(.unauthenticated), .response(401, "<html>"),
      .json(#"{"code":401,"message":"Jwt is expired"}"#, status: 401),
      .json(#"{"error":"expired"}"#, status: 401),
    ] {
      let stage = try Stage([answer], credentials: tokens.credentials)
      let error = await #expect(throws: FirestoreError.self) {
        try await stage.client.runQuery(Self.query)
      }
      #expect(error?.isUnauthorized == true && error?.isTransient == false)
      #expect(stage.server.requests.count == 2)
    }
  }

  @Test func `a token endpoint in trouble is asked again`() async throws {
    let tokens = try TokenEndpoint([.response(503, "busy"), Self.grant("T")])
    let stage = try Stage([.json(emptyResult)], credentials: tokens.credentials)
    _ = try await stage.client.runQuery(Self.query)
    #expect(stage.server.requests.count == 1)
    #expect(stage.pauses == [.seconds(1)])
  }

  @Test
  func `a token endpoint that says no is not asked again, and nor is Firestore`() async throws {
    let tokens = try TokenEndpoint(
      [.json(#"{"error":"invalid_grant","error_description":"gone"}"#, status: 400)])
    let stage = try Stage([.json(emptyResult)], credentials: tokens.credentials)
    let error = await #expect(throws: FirestoreError.self) {
      try await stage.client.runQuery(Self.query)
    }
    #expect(error?.isUnauthorized == true)
    #expect(stage.server.requests.isEmpty && tokens.server.requests.count == 1)
  }
}
