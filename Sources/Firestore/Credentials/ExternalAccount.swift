/// A workload that Google knows by a token of another identity provider: workload identity
/// federation; docs/keyless.md.
struct ExternalAccount: Sendable {
  let audience: String
  let subjectTokenType: String
  let tokenURL: String
  let source: SubjectTokenSource
  /// The service account that it acts as; nil for an identity that has roles itself.
  let impersonation: Impersonation?
  /// The client that a workforce pool may have registered.
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

  /// The form of a token exchange, RFC 8693 section 2.1.
  ///
  /// A token that is to act as a service account needs a scope that lets it do that.
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

  /// Whom roles are given to: everybody of the pool of the audience.
  var principals: String { Self.principals(of: audience) }

  fileprivate static func principals(of audience: String) -> String {
    let pool = audience.split(separator: "/providers/").first.map(String.init) ?? audience
    // In quotes, since a shell would look for files by the asterisk.
    return "'principalSet:\(pool)/*'"
  }
}

/// A user of a workforce pool who has signed in with gcloud: `external_account_authorized_user`.
struct WorkforceUser: Sendable {
  let tokenURL: String
  let client: (id: String, secret: Secret)
  let refreshToken: Secret
  /// The principal that gets roles: everybody of the pool; nil where the file names no pool.
  let principals: String?

  init(_ members: [String: JSON]) throws(WireError) {
    tokenURL = try members.requiredText("token_url")
    client = (
      try members.requiredText("client_id"), Secret(try members.requiredText("client_secret"))
    )
    refreshToken = Secret(try members.requiredText("refresh_token"))
    principals = try members.text("audience").map(ExternalAccount.principals)
  }

  /// The form of RFC 6749 section 6; the client is named by Basic authentication.
  func tokenForm(refreshToken: Secret) -> [(String, String)] {
    [("grant_type", "refresh_token"), ("refresh_token", refreshToken.revealed)]
  }
}

/// Which of Google's clouds an account is of: `universe_domain`.
enum CloudUniverse {
  /// What Google's libraries set it by, beside the file.
  static let variable = "GOOGLE_CLOUD_UNIVERSE_DOMAIN"

  /// Whether it is the public one, whose Firestore is asked; an empty name is.
  static func isGoogle(_ domain: String) -> Bool {
    ["", "googleapis.com"].contains(domain)
  }
}

/// Acting as a service account, by a token of somebody who may.
struct Impersonation: Sendable {
  /// Seconds.
  static let usualLifetime: Int64 = 3_600
  static let sourceScope = "https://www.googleapis.com/auth/cloud-platform"

  let url: String
  /// Seconds.
  var lifetime = Self.usualLifetime
  var delegates: [String] = []

  /// The service account that the URL names; the URL where it names none.
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

/// A service account that somebody else acts as: what `gcloud auth application-default login
/// --impersonate-service-account` leaves.
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
