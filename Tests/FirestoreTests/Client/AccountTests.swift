import Testing

@testable import Firestore

@Suite struct AccountTests {
  private func account(_ members: String) throws -> Account {
    let json = try JSON(parsing: Array("{\"localId\":\"u1\"\(members)}".utf8))
    return try #require(Account(json: json))
  }

  private func page(_ text: String) throws -> AccountPage {
    try AccountPage(json: JSON(parsing: Array(text.utf8)))
  }

  @Test func `every member that Google documents is read`() throws {
    let account = try account(
      #"""
      ,"email":"e@x.org","emailVerified":true,"phoneNumber":"+491511","displayName":"E",
      "providerUserInfo":[{"providerId":"password"},{"providerId":"google.com","rawId":"1"},
      {"providerId":"password"}],"createdAt":"1616161616161","lastLoginAt":"1616161616999",
      "lastRefreshAt":"2026-01-31T08:00:00.123456Z","disabled":true,
      "customAttributes":"{\"tier\":\"pro\"}","passwordHash":"aGFzaA==","salt":"c2FsdA==",
      "tenantId":"t1","mfaInfo":[{"mfaEnrollmentId":"a"},{"mfaEnrollmentId":"b"}],
      "validSince":"1616161616","version":0,"passwordUpdatedAt":1616161616161
      """#)
    var expected = Account(uid: "u1")
    expected.email = "e@x.org"
    expected.isEmailVerified = true
    expected.phone = "+491511"
    expected.providers = ["google.com", "password"]
    expected.createdAt = Timestamp(microseconds: 1_616_161_616_161_000)
    expected.lastSignInAt = Timestamp(microseconds: 1_616_161_616_999_000)
    expected.lastRefreshAt = Timestamp(rfc3339: "2026-01-31T08:00:00.123456Z")
    expected.isDisabled = true
    expected.customAttributes = #"{"tier":"pro"}"#
    expected.passwordHash = "aGFzaA=="
    expected.salt = "c2FsdA=="
    expected.tenantId = "t1"
    expected.factorCount = 2
    #expect(account == expected)
  }

  @Test(arguments: [
    (#""0""#, Int64?.none, true), (#""1""#, 1_000, true), ("1", 1_000, true),
    (#""-1""#, -1_000, true), (#""9223372036854775""#, 9_223_372_036_854_775_000, true),
    (#""9223372036854776""#, nil, false), (#""9223372036854775808""#, nil, false),
    (#""1.5""#, nil, false), (#""""#, nil, false), (#""soon""#, nil, false), ("true", nil, false),
    ("null", nil, true),
  ])
  func `milliseconds become microseconds exactly, or are noted`(
    json: String, microseconds: Int64?, isReadable: Bool
  ) throws {
    let account = try account(#","createdAt":\#(json)"#)
    #expect(account.createdAt?.microseconds == microseconds)
    #expect(account.unreadable == (isReadable ? [] : ["createdAt"]))
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", Int64?.none), ("1970-01-01T00:00:00.000Z", nil),
    ("1970-01-01T00:00:00.000001Z", 1), ("1969-12-31T23:59:59Z", -1_000_000),
  ])
  func `a refresh at the beginning of 1970 never was`(text: String, microseconds: Int64?) throws {
    let account = try account(#","lastRefreshAt":"\#(text)""#)
    #expect(account.lastRefreshAt?.microseconds == microseconds)
    #expect(account.unreadable.isEmpty)
  }

  @Test func `a member of another type is left out and named, and the rest is kept`() throws {
    let account = try account(
      #","email":7,"emailVerified":"yes","providerUserInfo":{},"customAttributes":{"a":1},"#
        + #""lastRefreshAt":"yesterday","disabled":true"#)
    #expect(
      account.unreadable == [
        "email", "emailVerified", "providerUserInfo", "customAttributes", "lastRefreshAt",
      ])
    #expect(account.isDisabled && account.email == nil && account.uid == "u1")
  }

  @Test(arguments: [
    ("{}", 0, 0, String?.none), (#"{"users":[]}"#, 0, 0, nil),
    (#"{"kind":"k","users":[{"localId":"a"}],"nextPageToken":""}"#, 1, 0, nil),
    (#"{"users":[{"localId":"a"},{"localId":""},{"email":"x"},7],"nextPageToken":"t"}"#, 1, 3, "t"),
  ])
  func `a page has accounts, those without an id, and perhaps a token`(
    text: String, count: Int, unnamed: Int, token: String?
  ) throws {
    let page = try page(text)
    #expect(page.accounts.count == count && page.unnamedCount == unnamed)
    #expect(page.nextToken == token)
  }

  @Test(arguments: ["[]", #"{"users":{}}"#, #"{"nextPageToken":5}"#])
  func `an answer of another shape is no page`(text: String) {
    #expect(throws: WireError.self) { try page(text) }
  }

  @Test(arguments: [
    (RPCStatus.invalidArgument, "CONFIGURATION_NOT_FOUND", Refusal.Reason.authenticationMissing),
    (.notFound, "CONFIGURATION_NOT_FOUND : There is none.", .authenticationMissing),
    (.invalidArgument, "QUOTA_EXCEEDED : Exceeded quota for downloads.", .rate),
    (.invalidArgument, "INVALID_PAGE_SELECTION", .pageTokenInvalid),
    (.invalidArgument, "INVALID_PROJECT_ID", .consumerInvalid),
    (.permissionDenied, "The caller does not have permission", .permissionDenied),
    (.invalidArgument, "INSUFFICIENT_PERMISSION", .permissionDenied),
    (.resourceExhausted, "Quota exceeded for quota metric per minute", .rate),
    (.invalidArgument, "Invalid value at 'max_results'", .invalid),
  ])
  func `errors are told apart by the word that begins their message`(
    status: RPCStatus, message: String, reason: Refusal.Reason
  ) {
    let refusal = Refusal(
      ErrorEnvelope(status: status, message: message), httpStatus: 400,
      request: "list the accounts of projects/p", api: .identityToolkit)
    #expect(refusal.reason == reason)
    // Firestore does not send these words, and a document may hold them.
    if ![.permissionDenied, .rate, .invalid].contains(reason) {
      let other = Refusal(
        ErrorEnvelope(status: .invalidArgument, message: message), httpStatus: 400, request: "x")
      #expect(other.reason == .invalid)
    }
  }

  @Test(arguments: [
    ("SERVICE_DISABLED", "Identity Toolkit API (identitytoolkit.googleapis.com) is disabled"),
    ("ACCESS_TOKEN_SCOPE_INSUFFICIENT", "https://www.googleapis.com/auth/identitytoolkit"),
    (nil, "roles/firebaseauth.viewer"),
  ])
  func `a refusal says what is missing in Firebase Authentication's words`(
    reason: String?, words: String
  ) {
    let refusal = Refusal(
      ErrorEnvelope(status: .permissionDenied, message: "No.", reason: reason), httpStatus: 403,
      request: "list the accounts of projects/p", api: .identityToolkit)
    #expect(refusal.description.contains(words))
    #expect(!refusal.description.contains("roles/datastore"))
    #expect(!refusal.description.contains("Firestore"))
  }

  @Test(arguments: [
    ([:], String?.none),
    (["FIREBASE_AUTH_EMULATOR_HOST": ""], nil),
    (
      ["FIREBASE_AUTH_EMULATOR_HOST": "localhost:9099"],
      "http://localhost:9099/identitytoolkit.googleapis.com/v1"
    ),
    (
      ["FIRESTORE_EMULATOR_HOST": "localhost:8080"],
      "http://localhost:8080/identitytoolkit.googleapis.com/v1"
    ),
    (
      ["FIREBASE_AUTH_EMULATOR_HOST": "https://a/", "FIRESTORE_EMULATOR_HOST": "b:1"],
      "https://a/identitytoolkit.googleapis.com/v1"
    ),
  ])
  func `the emulator's own address wins over Firestore's`(
    environment: [String: String], url: String?
  ) {
    #expect(Endpoint.identityEmulatorURL(in: environment) == url)
  }
}
