/// A workload that Google identifies by a token of another identity provider: workload identity
/// federation; docs/keyless.md.
struct ExternalAccount: Sendable {
  let audience: String
  let subjectTokenType: String
  let tokenURL: String
  let source: SubjectTokenSource
  /// The service account to act as; nil for an identity that has roles itself.
  let impersonation: Impersonation?
  /// The client registered for a workforce pool; nil without one.
  let client: (id: String, secret: Secret)?
  private let userProject: String?

  init(_ members: [String: JSON], path: String) throws {
    audience = try members.requiredText("audience")
    subjectTokenType = try members.requiredText("subject_token_type")
    tokenURL = try members.requiredText("token_url")
    userProject = try members.text("workforce_pool_user_project")
    let credentials = try members.required("credential_source") { json throws(WireError) in
      try json.members()
    }
    guard credentials["environment_id"] == nil, credentials["certificate"] == nil else {
      throw CredentialsError.unsupportedType(path: path, type: "external_account of AWS or X.509")
    }
    source = try WireError.at("credential_source") { () throws(WireError) in
      try SubjectTokenSource(credentials)
    }
    let lifetime = try members.object("service_account_impersonation")?
      .integer("token_lifetime_seconds")
    impersonation = try members.text("service_account_impersonation_url").map { url in
      Impersonation(url: url, lifetime: lifetime ?? Impersonation.usualLifetime)
    }
    let secret = try members.text("client_secret")
    client = try members.text("client_id").map { ($0, Secret(secret ?? "")) }
  }

  /// Returns the form of a token exchange, RFC 8693 section 2.1.
  ///
  /// A token for acting as a service account needs a scope that allows it.
  func tokenForm(subjectToken: String) -> [(String, String)] {
    let scope = impersonation == nil ? ServiceAccountKey.scope : Impersonation.sourceScope
    let form = [
      ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"), ("audience", audience),
      ("scope", scope),
      ("requested_token_type", "urn:ietf:params:oauth:token-type:access_token"),
      ("subject_token", subjectToken), ("subject_token_type", subjectTokenType),
    ]
    guard let userProject, client == nil else { return form }
    let options = JSON.object(["userProject": .string(userProject)]).serialized()
    return form + [("options", String(decoding: options, as: UTF8.self))]
  }

  /// The principals that roles are granted to: all of the audience's pool.
  var principals: String { Self.principals(of: audience) }

  fileprivate static func principals(of audience: String) -> String {
    let pool = audience.split(separator: "/providers/").first.map(String.init) ?? audience
    // The quotes keep a shell from expanding the asterisk.
    return "'principalSet:\(pool)/*'"
  }
}

/// A user of a workforce pool who has signed in with gcloud: `external_account_authorized_user`.
struct WorkforceUser: Sendable {
  let tokenURL: String
  let client: (id: String, secret: Secret)
  let refreshToken: Secret
  /// The principals that roles are granted to: all of the pool; nil if the file names no pool.
  let principals: String?

  init(_ members: [String: JSON]) throws(WireError) {
    tokenURL = try members.requiredText("token_url")
    client = (
      try members.requiredText("client_id"), Secret(try members.requiredText("client_secret"))
    )
    refreshToken = Secret(try members.requiredText("refresh_token"))
    principals = try members.text("audience").map(ExternalAccount.principals)
  }

  /// Returns the form of RFC 6749 section 6; Basic authentication names the client.
  func tokenForm(refreshToken: Secret) -> [(String, String)] {
    [("grant_type", "refresh_token"), ("refresh_token", refreshToken.revealed)]
  }
}

/// The Google cloud that an account belongs to: `universe_domain`.
enum CloudUniverse {
  /// The variable by which Google's libraries set it, in addition to the file.
  static let variable = "GOOGLE_CLOUD_UNIVERSE_DOMAIN"

  /// Returns whether it is the public cloud, whose Firestore is used; an empty name means that one.
  static func isGoogle(_ domain: String) -> Bool {
    ["", "googleapis.com"].contains(domain)
  }
}

/// The right to act as a service account, by a token of a principal that may.
struct Impersonation: Sendable {
  /// The usual lifetime of a token, in seconds.
  static let usualLifetime: Int64 = 3_600
  static let sourceScope = "https://www.googleapis.com/auth/cloud-platform"

  let url: String
  /// The lifetime of the token, in seconds.
  var lifetime = Self.usualLifetime
  var delegates: [String] = []

  /// The service account in the URL; the URL itself if it names none.
  var email: String {
    let last = url.split(separator: "/").last ?? ""
    return last.split(separator: ":").first.map(String.init) ?? url
  }

  var body: JSON {
    let scopes = ServiceAccountKey.scope.split(separator: " ").map { JSON.string(String($0)) }
    return .object([
      "scope": .array(scopes), "lifetime": .string("\(lifetime)s"),
      "delegates": .array(delegates.map { .string($0) }),
    ])
  }
}

/// A service account that another account acts as: the result of
/// `gcloud auth application-default login --impersonate-service-account`.
struct ImpersonatedAccount: Sendable {
  let impersonation: Impersonation
  let source: CredentialFile.KeyKind

  init(_ members: [String: JSON], path: String) throws {
    impersonation = Impersonation(
      url: try members.requiredText("service_account_impersonation_url"),
      delegates: try members.list("delegates") { json throws(WireError) in try json.text() })
    let source = try members.required("source_credentials") { json throws(WireError) in
      try json.members()
    }
    guard try source.text("type") != "impersonated_service_account" else {
      throw CredentialsError.badFile(
        path: path, problem: "source_credentials are impersonated themselves")
    }
    self.source = try CredentialFile.kind(source, path: path)
  }
}
