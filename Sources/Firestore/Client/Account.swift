import HTTP

/// An account of Firebase Authentication, Identity Toolkit's `UserInfo`.
///
/// See `docs/jobs/sync-auth.md#what-google-sends`.
package struct Account: Hashable, Sendable {
  /// The account's id, Google's `localId`.
  package var uid: String
  package var email: String?
  package var isEmailVerified = false
  /// The number with its country code, such as `+4915112345678`.
  package var phone: String?
  /// The ids of the providers, such as `password`, sorted, each once; empty for an anonymous user.
  package var providers: [String] = []
  package var createdAt: Timestamp?
  /// The time of the last sign-in; nil for a user who never signed in.
  package var lastSignInAt: Timestamp?
  package var lastRefreshAt: Timestamp?
  package var isDisabled = false
  /// The custom claims, a text that should be a JSON object; nil without any.
  package var customAttributes: String?
  package var passwordHash: String?
  package var salt: String?
  package var tenantId: String?
  /// The number of enrolled second factors.
  package var factorCount = 0
  /// Members whose type differs from Google's documentation, which were left out.
  package var unreadable: Set<String> = []

  package init(uid: String) {
    self.uid = uid
  }

  /// Reads leniently: an account only needs an id.
  init?(json: JSON) {
    guard case .string(let uid)? = json["localId"], !uid.isEmpty else { return nil }
    self.init(uid: uid)
    var reader = AccountReader(json: json)
    email = reader.text("email")
    isEmailVerified = reader.flag("emailVerified")
    phone = reader.text("phoneNumber")
    createdAt = reader.milliseconds("createdAt")
    lastSignInAt = reader.milliseconds("lastLoginAt")
    lastRefreshAt = reader.time("lastRefreshAt")
    isDisabled = reader.flag("disabled")
    customAttributes = reader.text("customAttributes")
    passwordHash = reader.text("passwordHash")
    salt = reader.text("salt")
    tenantId = reader.text("tenantId")
    let ids = reader.read("providerUserInfo") { infos in
      try infos.elements().map { info in
        guard let id = info["providerId"] else { throw WireError("is missing", at: ["providerId"]) }
        return try id.text()
      }
    }
    providers = Set(ids ?? []).sorted()
    factorCount = reader.read("mfaInfo") { try $0.elements().count } ?? 0
    unreadable = reader.unreadable
  }
}

/// A reader of the members of one account that records unreadable ones.
private struct AccountReader {
  let json: JSON
  var unreadable: Set<String> = []

  /// Reads a member; returns nil when it is absent, null or unreadable.
  ///
  /// An unreadable member is recorded.
  mutating func read<Value>(_ key: String, _ convert: (JSON) throws -> Value) -> Value? {
    guard let member = json[key], member != .null else { return nil }
    do {
      return try convert(member)
    } catch {
      unreadable.insert(key)
      return nil
    }
  }

  mutating func text(_ key: String) -> String? {
    read(key) { try $0.text() }.flatMap { $0.isEmpty ? nil : $0 }
  }

  mutating func flag(_ key: String) -> Bool { read(key) { try $0.flag() } ?? false }

  /// Reads an RFC 3339 time; the beginning of 1970 means never.
  mutating func time(_ key: String) -> Timestamp? {
    read(key) { try Timestamp(json: $0) }.flatMap { $0.microseconds == 0 ? nil : $0 }
  }

  /// Reads milliseconds since 1970, as a string; 0 means never.
  mutating func milliseconds(_ key: String) -> Timestamp? {
    read(key) { json in
      let (microseconds, isTooFar) = try json.integer().multipliedReportingOverflow(by: 1_000)
      guard !isTooFar else { throw WireError("is beyond all times") }
      return microseconds
    }.flatMap { $0 == 0 ? nil : Timestamp(microseconds: $0) }
  }
}

/// A page of accounts, in the server's order.
package struct AccountPage: Hashable, Sendable {
  package var accounts: [Account]
  /// Entries without an id.
  package var unnamedCount: Int
  /// The token of the next page; nil on the last one.
  package var nextToken: String?

  package init(_ accounts: [Account], unnamedCount: Int = 0, nextToken: String? = nil) {
    self.accounts = accounts
    self.unnamedCount = unnamedCount
    self.nextToken = nextToken
  }

  /// Reads a `DownloadAccountResponse`.
  init(json: JSON) throws(WireError) {
    let members = try json.members()
    let entries = try members.optional("users") { json throws(WireError) in try json.elements() }
    accounts = (entries ?? []).compactMap(Account.init(json:))
    unnamedCount = (entries ?? []).count - accounts.count
    nextToken = try members.nextPageToken()
  }
}

extension FirestoreClient {
  /// The number of accounts that a page may have, according to Google's reference of
  /// `accounts.batchGet`.
  package static let accountLimits = 1...1_000

  /// Lists a page of the project's accounts, the first one for a nil token; not billed.
  package func accounts(after token: String?, limit: Int) async throws -> AccountPage {
    let project = endpoint.root.project
    var url =
      "\(endpoint.identityURL)/projects/\(PercentEncoding.path(project))/accounts:batchGet"
      + "?maxResults=\(limit)"
    if let token { url += "&nextPageToken=\(PercentEncoding.query(token))" }
    let call = FirestoreCall(
      url: url, repetition: .read, request: "list the accounts of projects/\(project)",
      api: .identityToolkit)
    return try await perform(call) { body in
      BilledResult(
        result: try AccountPage(json: StreamedResponse.object(body)), billedReadCount: 0)
    }
  }
}
