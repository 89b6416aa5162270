import Firestore
import Fixtures
import Foundation
import HTTP
import JobsTesting
import Model
import Store
import SyncTesting
import Testing

@testable import Jobs
@testable import Sync

/// Deliveries with an app user's token, which Security Rules allow to create single documents only.
@Suite(.enabled(if: GoogleEmulator.isInstalled, Comment(rawValue: GoogleEmulator.absence)))
struct UserTokenTests {
  /// Google's emulator accepts an unsigned token as that of the user it names.
  private static func token(of user: String, project: String) -> String {
    let claims = """
      {"iss":"https://securetoken.google.com/\(project)","aud":"\(project)","sub":"\(user)",\
      "user_id":"\(user)","iat":0,"auth_time":0,"exp":4102444800,\
      "firebase":{"sign_in_provider":"custom","identities":{}}}
      """
    let parts = [#"{"alg":"none","typ":"JWT"}"#, claims].map { part in
      Data(part.utf8).base64EncodedString().replacing("=", with: "").replacing("+", with: "-")
        .replacing("/", with: "_")
    }
    return parts.joined(separator: ".") + "."
  }

  @Test func `what a batch is refused for is delivered one by one`() async throws {
    let address = try await GoogleEmulator.shared().address
    let project = "user-token"
    let http = HTTPClient()
    let now: @Sendable () -> Timestamp = { Timestamp(microseconds: Instant.morning.microseconds) }
    let plan = CredentialSource(
      choice: .tokenCommand("echo '\(Self.token(of: "u1", project: project))'"), environment: [:])
    let client = FirestoreClient(
      http: http, endpoint: Endpoint(baseURL: "http://\(address)/v1", project: project),
      credentials: Credentials(plan, http: http, now: now), now: now, sleep: { _ in })
    let error = await #expect(throws: FirestoreError.self) {
      try await client.create(["c/a": [:], "c/b": [:]])
    }
    #expect(error?.status == .permissionDenied)
    let outbox = try TestOutbox()
    let ids = try [1, 2, 2, 3].map { try outbox.enqueue(.numbered($0)) }
    #expect(try await outbox.upload(client).delivered == 4)
    #expect(try outbox.states(ids).allSatisfy { $0 == .delivered })
    let owner = FirestoreClient.speaking(to: address, project: project)
    #expect(try await owner.contents(of: TestOutbox.collection).count == 3)
  }
}
