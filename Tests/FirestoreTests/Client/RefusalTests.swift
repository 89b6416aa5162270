import HTTP
import Testing

@testable import Firestore

@Suite("Refusal and FirestoreError")
struct RefusalTests {
  private func refusal(
    _ status: RPCStatus, _ message: String, links: [String] = [], reason: String? = nil
  ) -> Refusal {
    Refusal(
      ErrorEnvelope(status: status, message: message, links: links, reason: reason),
      httpStatus: status.httpStatus, request: "query C")
  }

  @Test(arguments: [
    (
      RPCStatus.failedPrecondition,
      "The query requires an index. You can create it here: https://console.firebase.google.com/x",
      Refusal.Reason.missingIndex
    ),
    (.failedPrecondition, "no matching index found.", .missingIndex),
    (
      .failedPrecondition,
      "The query requires an index. That index is currently building and cannot be used yet.",
      .buildingIndex
    ),
    (.failedPrecondition, "The requested snapshot version is too old.", .readTimeTooOld),
    (
      .failedPrecondition,
      "the stored version (1) does not match the required base version (2)", .preconditionFailed
    ),
    (.resourceExhausted, "Quota exceeded.", .dailyQuota),
    (.resourceExhausted, "Quota exceeded for quota metric 'Reads' and limit 'per minute'", .rate),
    (.resourceExhausted, "Bandwidth exhausted", .rate), (.resourceExhausted, "", .rate),
    (
      .notFound, "Document \"projects/p/databases/(default)/documents/C/a\" not found.", .notFound
    ),
    (.notFound, "The database (default) does not exist for project p", .databaseMissing),
    (.notFound, "No document to update: projects/p/databases/(default)/documents/C/a", .notFound),
    (.permissionDenied, "Missing or insufficient permissions.", .permissionDenied),
    (.unauthenticated, "", .unauthenticated), (.alreadyExists, "", .alreadyExists),
    (.unavailable, "", .transient), (.invalidArgument, "", .invalid), (.dataLoss, "", .other),
  ])
  func `one status may mean several things`(
    status: RPCStatus, message: String, reason: Refusal.Reason
  ) {
    #expect(refusal(status, message).reason == reason)
  }

  /// The message of Google's emulator, the path of what was asked below, and whether it is a colon.
  @Test(arguments: [
    ("Payload isn't valid for request.", "C/c:o", true), ("Payload isn't valid", "C/:", true),
    ("Document parent name \"projects/p\" lacks \"/\" at index 42.", "A/b/C/c:", true),
    ("Payload isn't valid for request.", "C/plain", false),
    // Only the last id matters, and only a document's.
    ("Payload isn't valid for request.", "C/c:o/S/plain", false),
    ("Payload isn't valid for request.", "C:o", false),
    ("Payload isn't valid for request.", "", false),
    ("The query has too many filters.", "C/c:o", false),
  ])
  func `an id with a colon below which the server finds nothing is told from a bad request`(
    message: String, path: String, isColon: Bool
  ) throws {
    let root = ResourceName(project: "p")
    let parent = path.isEmpty ? root : try root.appending(path: path)
    let refusal = Refusal(
      ErrorEnvelope(status: .invalidArgument, message: message), httpStatus: 400,
      request: "query S", parent: parent)
    #expect(refusal.reason == (isColon ? .colonInId : .invalid))
    #expect(refusal.advice.contains("collection_group: ID") == isColon)
    #expect(!FirestoreError.refused(refusal).isTransient)
  }

  /// Texts and details of a 429, and whether it is the day's quota.
  private static let exhausted: [(String, [String], String?, Bool)] = [
    ("Quota exceeded.", [], nil, true), ("Quota exceeded", [], nil, true),
    ("Free daily read quota exceeded.", [], nil, true),
    ("Quota exceeded for quota metric 'Reads' and limit 'Reads per day'", [], nil, true),
    ("Quota exceeded.", ["defaultPerDayPerProject"], "RATE_LIMIT_EXCEEDED", true),
    ("Quota exceeded.", ["ReadRequestsPerMinutePerProject"], nil, false),
    ("Quota exceeded.", [], "RATE_LIMIT_EXCEEDED", false),
    ("Quota exceeded for quota metric 'Reads' and limit 'Reads per minute'", [], nil, false),
    ("Quota exceeded: queries per 100 seconds per user", [], nil, false),
    ("Quota exceeded: requests per second", [], nil, false),
    ("Bandwidth exhausted", [], nil, false), ("Resource has been exhausted", [], nil, false),
    ("Some resource has been exhausted (e.g. check quota).", [], nil, true), ("", [], nil, false),
    ("", ["WriteRequestsPerDay"], nil, true),
  ]

  @Test(arguments: exhausted)
  func `the quota of a day is told from a rate by text, by quota and by reason`(
    row: (String, [String], String?, Bool)
  ) {
    let envelope = ErrorEnvelope(
      status: .resourceExhausted, message: row.0, reason: row.2, quotas: row.1)
    let refusal = Refusal(envelope, httpStatus: 429, request: "query C")
    #expect(refusal.reason == (row.3 ? .dailyQuota : .rate))
    #expect(FirestoreError.refused(refusal).isTransient == !row.3)
    #expect(refusal.advice.contains("midnight Pacific") == row.3)
  }

  @Test func `the names of quotas are read from ErrorInfo and from QuotaFailure`() throws {
    let text = """
      {"error":{"code":429,"message":"m","status":"RESOURCE_EXHAUSTED","details":[
      {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"RATE_LIMIT_EXCEEDED",
      "metadata":{"quota_limit":"A"}},
      {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[
      {"quotaId":"B"},{"description":"C"},{},5]},
      {"@type":"type.googleapis.com/google.rpc.ErrorInfo","metadata":5},
      {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":{}}]}}
      """
    #expect(ErrorEnvelope(in: try JSON(parsing: text.utf8))?.quotas == ["A", "B", "C"])
  }

  @Test func `keeps the console's link, from the details or from the text`() {
    let url = "https://console.firebase.google.com/project/p/firestore/indexes?create=AbC"
    #expect(refusal(.failedPrecondition, "index: \(url).").link == url)
    #expect(refusal(.failedPrecondition, "index: \(url)").link == url)
    #expect(refusal(.failedPrecondition, "index", links: [url]).link == url)
    #expect(refusal(.failedPrecondition, "index").link == nil)
    #expect(refusal(.failedPrecondition, "index: \(url)").description.contains(url))
  }

  @Test func `an API that is switched off is not a lack of rights`() {
    let refusal = refusal(
      .permissionDenied, "x", links: ["https://console.cloud.google.com/y"],
      reason: "SERVICE_DISABLED")
    #expect(refusal.reason == .serviceDisabled)
    #expect(
      refusal.description
        == "Could not query C (PERMISSION_DENIED, HTTP 403). The Cloud Firestore API is disabled for "
        + "the project. Enable it at https://console.cloud.google.com/y, wait a few minutes, then "
        + "run again.")
  }

  @Test func `an API that is switched off advises no role, also in an answer without details`() {
    let link = "https://console.developers.google.com/apis/api/firestore.googleapis.com/overview"
    let refusal = refusal(
      .permissionDenied,
      "Cloud Firestore API has not been used in project p before or it is disabled. Enable it by "
        + "visiting \(link) then retry.")
    #expect(refusal.reason == .serviceDisabled)
    #expect(refusal.advice.contains("Enable it at \(link), wait"))
    #expect(!refusal.description.contains("roles/"))
  }

  @Test func `a user's credentials without a project that pays are told what to set`() {
    let message =
      "Your application is authenticating by using local Application Default Credentials. The "
      + "firestore.googleapis.com API requires a quota project, which is not set by default."
    for reason in ["SERVICE_DISABLED", nil] {
      let refusal = refusal(.permissionDenied, message, reason: reason)
      #expect(refusal.reason == .quotaProjectMissing)
      #expect(
        refusal.advice
          == "Set a quota project: `gcloud auth application-default set-quota-project PROJECT`.")
      #expect(FirestoreError.refused(refusal).isUnauthorized)
    }
  }

  @Test func `says what happened, to what, and what to do`() {
    #expect(
      FirestoreError.refused(refusal(.permissionDenied, "Missing permissions.")).description
        == "Firestore refused to query C: Missing permissions. (PERMISSION_DENIED, HTTP 403). "
        + "Grant the account roles/datastore.viewer: `gcloud projects add-iam-policy-binding PROJECT "
        + "--member=serviceAccount:EMAIL --role=roles/datastore.viewer`.")
    #expect(
      FirestoreError.malformedAnswer(request: "query C", httpStatus: 200, problem: "an empty body")
        .description.hasPrefix("Could not query C: an empty body (HTTP 200). "))
    #expect(
      FirestoreError.transport(request: "query C", .refused(host: "h:1")).description
        .hasPrefix("Could not query C. h:1 could not be reached"))
  }

  @Test func `reads the envelope in both shapes, with its details`() throws {
    let object = """
      {"error":{"code":403,"message":"m","status":"PERMISSION_DENIED","details":[
      {"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"R"},
      {"@type":"type.googleapis.com/google.rpc.Help","links":[{"url":"https://a"},{"url":"https://b"}]},
      {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"1.250s"},{"@type":"x"},5]}}
      """
    let expected = ErrorEnvelope(
      status: .permissionDenied, message: "m", retryDelay: .milliseconds(1250),
      links: ["https://a", "https://b"], reason: "R")
    #expect(ErrorEnvelope(in: try JSON(parsing: object.utf8)) == expected)
    #expect(ErrorEnvelope(in: try JSON(parsing: "[{\"x\":1},\(object)]".utf8)) == expected)
  }

  @Test(arguments: [1_999, 2_000, 2_001, 100_000])
  func `of a message without end the beginning and the end are kept`(count: Int) throws {
    let message = String(repeating: "e\u{301}", count: count / 2) + (count % 2 == 1 ? "x" : "")
    let text = #"{"error":{"status":"UNAVAILABLE","message":"\#(message)"}}"#
    let envelope = try #require(ErrorEnvelope(in: try JSON(parsing: text.utf8)))
    let kept = String(message.unicodeScalars.prefix(1_799))
    let end = String(message.unicodeScalars.suffix(200))
    #expect(envelope.message == (count > 2_000 ? kept + "…" + end : message))
  }

  @Test(arguments: [
    (#"{"error":{}}"#, RPCStatus.unknown), (#"{"error":{"code":404}}"#, .notFound),
    (#"{"error":{"status":"NEW_CODE","code":404}}"#, .unknown),
    (#"{"error":{"status":5,"code":"x","message":[],"details":{}}}"#, .unknown),
  ])
  func `makes the best of a faulty envelope`(text: String, status: RPCStatus) throws {
    #expect(ErrorEnvelope(in: try JSON(parsing: text.utf8))?.status == status)
  }

  @Test(arguments: ["{}", "[]", "null", #"{"error":"invalid_grant"}"#, #"[{"document":{}}]"#])
  func `finds no envelope where there is none`(text: String) throws {
    #expect(ErrorEnvelope(in: try JSON(parsing: text.utf8)) == nil)
  }

  @Test func `codes have Google's numbers and HTTP statuses`() {
    #expect(RPCStatus.ok.number == 0)
    #expect(RPCStatus.alreadyExists.number == 6)
    #expect(RPCStatus.unauthenticated.number == 16)
    #expect(RPCStatus.allCases.count == 17)
    for status in [RPCStatus.notFound, .unauthenticated, .resourceExhausted, .unavailable] {
      #expect(RPCStatus(httpStatus: status.httpStatus) == status)
    }
  }
}
