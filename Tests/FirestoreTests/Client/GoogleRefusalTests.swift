import Fixtures
import HTTP
import Testing

@testable import Firestore

/// What Google refuses for reasons of the project or the account, each in one plain sentence.
@Suite struct GoogleRefusalTests {
  private static let request = "query Users under projects/shop/databases/(default)/documents"

  private func refusal(
    _ status: RPCStatus, _ message: String, reason: String? = nil
  ) -> Refusal {
    Refusal(
      ErrorEnvelope(status: status, message: message, reason: reason),
      httpStatus: status.httpStatus, request: Self.request)
  }

  private static let datastore =
    "The Cloud Firestore API is not available for Firestore in Datastore Mode database "
    + "projects/shop/databases/(default)."
  private static let billing =
    "This API method requires billing to be enabled. Please enable billing on project #12 by "
    + "visiting https://console.developers.google.com/billing/enable?project=12 then retry."

  private static let rows: [(RPCStatus, String, String?, Refusal.Reason, String)] = [
    (
      .failedPrecondition, datastore, nil, .datastoreMode,
      "This database is in Datastore mode; Firetally needs Native mode."
    ),
    (
      .permissionDenied, billing, "BILLING_DISABLED", .billingDisabled,
      "Billing is disabled for the project shop; enable it at "
        + "https://console.developers.google.com/billing/enable?project=12, then run again."
    ),
    (
      .permissionDenied, billing, nil, .billingDisabled,
      "Billing is disabled for the project shop; enable it at "
        + "https://console.developers.google.com/billing/enable?project=12, then run again."
    ),
    (
      .failedPrecondition, "The billing account is closed.", "BILLING_DISABLED", .billingDisabled,
      "Billing is disabled for the project shop; enable it at "
        + "https://console.cloud.google.com/billing, then run again."
    ),
    (
      .permissionDenied, "Permission denied on resource project shop.", "CONSUMER_INVALID",
      .consumerInvalid,
      "There is no project shop, or this account may not use it. Correct --project, or project in "
        + "firetally.yml."
    ),
  ]

  @Test(arguments: rows)
  func `Google's own words are told in one plain sentence`(
    row: (RPCStatus, String, String?, Refusal.Reason, String)
  ) {
    let refusal = refusal(row.0, row.1, reason: row.2)
    #expect(refusal.reason == row.3)
    #expect(refusal.advice == row.4)
    #expect(
      refusal.description == "Could not \(Self.request) (\(row.0.rawValue), HTTP "
        + "\(row.0.httpStatus)). \(row.4)")
    #expect(!FirestoreError.refused(refusal).isTransient)
  }

  private static let denied = ScriptedAnswer.error(
    .permissionDenied, "Missing or insufficient permissions.")

  @Test(arguments: [true, false])
  func `a lack of rights names the account, its file, the role and the command`(isWrite: Bool)
    async throws
  {
    let grants = try ScriptedServer(answers: [.json(#"{"access_token":"T","expires_in":3600}"#)])
    let file = try KeyFile(
      KeyFile.serviceAccount(
        tokenURL: grants.url, adding: ["client_email": .string("a@b.example")]))
    let credentials = Credentials(
      CredentialSource(choice: .file(file.path), environment: [:]), http: Stage.http,
      now: { Stage.now })
    let stage = try Stage([Self.denied], credentials: credentials)
    let error = await #expect(throws: FirestoreError.self) {
      guard isWrite else { return _ = try await stage.client.document(at: "C/x") }
      let name = try stage.root.appending(path: "C/x")
      _ = try await stage.client.commit([Write(.delete(name: name.description))])
    }
    let role = isWrite ? "roles/datastore.user" : "roles/datastore.viewer"
    #expect(
      error?.description.hasSuffix(
        "Grant a@b.example (from \(file.path)) \(role): `gcloud projects add-iam-policy-binding "
          + "demo --member=serviceAccount:a@b.example --role=\(role)`.") == true,
      "\(String(describing: error))")
  }

  @Test func `of other credentials the kind and the source are named`() async throws {
    let commanded = Credentials(
      CredentialSource(choice: .tokenCommand("echo T"), environment: [:]), http: Stage.http,
      now: { Stage.now })
    let stage = try Stage([Self.denied], credentials: commanded)
    let error = await #expect(throws: FirestoreError.self) {
      _ = try await stage.client.document(at: "C/x")
    }
    #expect(
      error?.description.contains("Grant the account (from token_command) roles/datastore.viewer")
        == true)
    #expect(
      GoogleAccount(.user, source: "/adc.json").grant("roles/r", in: nil)
        == "Grant the signed-in user (from /adc.json) roles/r: `gcloud projects "
        + "add-iam-policy-binding PROJECT --member=user:EMAIL --role=roles/r`.")
  }
}
