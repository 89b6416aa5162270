import Fixtures
import Testing

@testable import Firestore

@Suite("The TTL policies that the Admin API lists")
struct ExpiryPoliciesTests {
  private static func page(_ fields: String..., token: String? = nil) -> ScriptedAnswer {
    let next = token.map { #","nextPageToken":"\#($0)""# } ?? ""
    return .json(#"{"fields":[\#(fields.joined(separator: ","))]\#(next)}"#)
  }

  private static func field(_ path: String, _ state: String?) -> String {
    let name = "projects/demo/databases/(default)/collectionGroups/\(path)"
    let config = state.map { #","ttlConfig":{"state":"\#($0)"}"# } ?? ""
    return #"{"name":"\#(name)","indexConfig":{}\#(config)}"#
  }

  @Test func `all pages are read, in order, and fields without a policy are none`() async throws {
    let stage = try Stage(
      Self.page(
        Self.field("Sessions/fields/expires_at", "ACTIVE"), Self.field("Users/fields/x", nil),
        token: "t"),
      Self.page(
        Self.field("Sessions/fields/`a/b`", "CREATING"),
        Self.field("Codes/fields/until", "NEEDS_REPAIR"), Self.field("Zoo/fields/z", "LATER")))
    let found = try await stage.client.expiryPolicies()
    #expect(
      found == [
        ExpiryPolicy(collectionId: "Codes", field: "until", state: .needsRepair),
        ExpiryPolicy(collectionId: "Sessions", field: "`a/b`", state: .creating),
        ExpiryPolicy(collectionId: "Sessions", field: "expires_at", state: .active),
        ExpiryPolicy(collectionId: "Zoo", field: "z", state: .unknown),
      ])
    #expect(
      found.map(\.clause) == [
        "Documents of Codes expire by until (TTL policy, needs repair)",
        "Documents of Sessions expire by `a/b` (TTL policy, being created)",
        "Documents of Sessions expire by expires_at (TTL policy, active)",
        "Documents of Zoo expire by z (TTL policy, in an unknown state)",
      ])
    let targets = stage.server.requests.map(\.target)
    #expect(targets.count == 2)
    let path = "/v1/projects/demo/databases/(default)/collectionGroups/-/fields?filter=ttlConfig"
    #expect(
      targets.allSatisfy {
        $0.replacing("%28", with: "(").replacing("%29", with: ")").hasPrefix(path)
      })
    #expect(targets.map { $0.contains("pageToken=t") } == [false, true])
    #expect(stage.client.traffic.billedReadCount == 0)
  }

  @Test func `a policy may expire documents some time after the field`() async throws {
    let name = "projects/demo/databases/(default)/collectionGroups/Sessions/fields/at"
    let config = #"{"state":"ACTIVE","expirationOffset":"86400s"}"#
    let stage = try Stage(Self.page(#"{"name":"\#(name)","ttlConfig":\#(config)}"#))
    let found = try await stage.client.expiryPolicies()
    #expect(found.map(\.offset) == [86_400])
    #expect(
      found[0].clause == "Documents of Sessions expire by at and 86400 s (TTL policy, active)")
  }

  @Test func `no fields are no policies`() async throws {
    let stage = try Stage(.json("{}"))
    #expect(try await stage.client.expiryPolicies().isEmpty)
  }

  @Test func `a field of another form is an answer of somebody else`() async throws {
    let stage = try Stage(
      [Self.page(#"{"name":"x","ttlConfig":{}}"#)],
      retry: RetryPolicy(attemptLimit: 1, random: { 0.5 }))
    await #expect(throws: FirestoreError.self) { try await stage.client.expiryPolicies() }
  }

  @Test(arguments: [
    (ScriptedAnswer.error(.permissionDenied), true), (.error(.notFound), true),
    (.error(.unimplemented), true), (.response(404, "Not Found"), true),
    (.response(501, "Not Implemented"), true), (.error(.invalidArgument), false),
    (.error(.resourceExhausted), false),
  ])
  func `who may not know, or asks a server without the method, is told apart from trouble`(
    answer: ScriptedAnswer, isWithheld: Bool
  ) async throws {
    let stage = try Stage([answer], retry: RetryPolicy(attemptLimit: 1, random: { 0.5 }))
    do {
      _ = try await stage.client.expiryPolicies()
      Issue.record("no error")
    } catch let error as FirestoreError {
      #expect(error.withholdsFacts == isWithheld, "\(error)")
    }
  }
}
