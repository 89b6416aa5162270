import Glibc
package import HTTP

/// The access tokens of one source, which are cached until they expire.
///
/// Nothing is read, run or requested before the first call. Concurrent calls share one renewal.
package actor Credentials {
  let source: CredentialSource
  private let endpoint: TokenEndpoint
  private let now: @Sendable () -> Timestamp
  private var token: AccessToken?
  private var file: CredentialFile?
  private var renewal: Task<AccessToken, any Error>?
  /// The token that replaced the file's refresh token; google-auth also keeps it in memory.
  private var refreshToken: Secret?

  /// Warnings for the operator, such as a key file that others can read; whole sentences.
  package private(set) var warnings: [String] = []

  package init(
    _ source: CredentialSource, http: HTTPClient, now: @escaping @Sendable () -> Timestamp
  ) {
    self.source = source
    self.now = now
    endpoint = TokenEndpoint(http: http, now: now)
  }

  /// Returns the cached token, or a new one within 60 s of its expiry; throws `CredentialsError`.
  package func token() async throws -> AccessToken {
    if let token, token.isFresh(at: now()) { return token }
    if let renewal { return try await share(renewal) }
    let renewal = Task { try await newToken() }
    self.renewal = renewal
    defer { end(renewal) }
    let token = try await withTaskCancellationHandler {
      try await renewal.value
    } onCancel: {
      renewal.cancel()
    }
    self.token = token
    return token
  }

  /// Waits for a renewal in progress; starts another one if that is cancelled.
  private func share(_ renewal: Task<AccessToken, any Error>) async throws -> AccessToken {
    do {
      return try await renewal.value
    } catch is CancellationError {
      try Task.checkCancellation()
      end(renewal)
      return try await token()
    }
  }

  /// Clears the renewal, unless another has replaced it.
  private func end(_ renewal: Task<AccessToken, any Error>) {
    if self.renewal == renewal { self.renewal = nil }
  }

  /// Drops a refused token, unless it was already replaced.
  package func discard(_ refused: AccessToken) {
    if token == refused { token = nil }
  }

  /// The account, as far as it is named by the sources that were read so far.
  package var account: GoogleAccount {
    switch source.kind {
    case .emulator: GoogleAccount(.unknown)
    case .tokenCommand: GoogleAccount(.unknown, source: "token_command")
    case .file(let path): file?.account(path: path) ?? GoogleAccount(.unknown, source: path)
    case .ambient(let gcloudFile, _):
      file?.account(path: gcloudFile ?? "gcloud") ?? GoogleAccount(.unknown, source: "this machine")
    }
  }

  /// Returns the first project that is named by the caller in order of preference, by
  /// `GOOGLE_CLOUD_PROJECT`, by the key file, or by the metadata server.
  package func project(preferring names: [String?] = []) async throws -> String {
    let named = names + [source.environment["GOOGLE_CLOUD_PROJECT"]]
    if let project = named.compactMap(\.self).first(where: { !$0.isEmpty }) { return project }
    switch source.kind {
    case .emulator, .tokenCommand: throw CredentialsError.noProject
    case .file(let path):
      guard let project = try read(path).project else { throw CredentialsError.noProject }
      return project
    case .ambient(_, let metadataHost):
      do {
        return try await endpoint.metadataProject(host: metadataHost)
      } catch CredentialsError.noneFound {
        throw CredentialsError.noProject
      }
    }
  }

  /// Reads the credentials file, unless it was already read or the source has none; a named file
  /// must exist.
  func readFile() throws {
    switch source.kind {
    case .file(let path): _ = try read(path)
    case .ambient(let path?, _) where CredentialFile.exists(path: path): _ = try read(path)
    case .emulator, .tokenCommand, .ambient: break
    }
  }

  private func newToken() async throws -> AccessToken {
    var token = try await foundToken()
    token.quotaProject = source.quotaProject ?? token.quotaProject
    return token
  }

  private func foundToken() async throws -> AccessToken {
    switch source.kind {
    case .emulator: return AccessToken(secret: Secret("owner"))
    case .tokenCommand(let command):
      return try await TokenCommand(
        command: command, folder: source.folder, environment: source.environment
      ).token()
    case .file(let path): return try await newToken(by: read(path))
    case .ambient(let gcloudFile, let metadataHost):
      guard let gcloudFile, CredentialFile.exists(path: gcloudFile) else {
        return try await endpoint.metadataToken(host: metadataHost)
      }
      return try await newToken(by: read(gcloudFile))
    }
  }

  private func newToken(by file: CredentialFile) async throws -> AccessToken {
    var token = try await newToken(of: file.kind)
    token.quotaProject = file.quotaProject
    return token
  }

  private func newToken(
    of kind: CredentialFile.KeyKind, scope: String = ServiceAccountKey.scope
  ) async throws -> AccessToken {
    switch kind {
    case .serviceAccount(let key):
      return try await endpoint.token(
        posting: key.tokenForm(now: now(), scope: scope), to: key.tokenURL)
    case .authorizedUser(let user):
      return try await endpoint.token(posting: user.tokenForm, to: user.tokenURL)
    case .workforceUser(let user):
      let token = try await endpoint.token(
        posting: user.tokenForm(refreshToken: refreshToken ?? user.refreshToken),
        to: user.tokenURL, client: user.client)
      refreshToken = token.refreshToken ?? refreshToken
      return token
    case .externalAccount(let account):
      let subject = try await SubjectToken(
        account: account, http: endpoint.http, environment: source.environment, now: now
      ).fetch()
      let token = try await endpoint.exchange(subject, by: account)
      guard let impersonation = account.impersonation else { return token }
      return try await endpoint.token(
        actingAs: impersonation, by: token, role: "roles/iam.workloadIdentityUser",
        member: account.principals)
    case .impersonated(let account):
      let token = try await newToken(of: account.source, scope: Impersonation.sourceScope)
      return try await endpoint.token(
        actingAs: account.impersonation, by: token,
        role: "roles/iam.serviceAccountTokenCreator", member: account.source.account.member)
    }
  }

  private func read(_ path: String) throws -> CredentialFile {
    if let file { return file }
    if let domain = source.environment[CloudUniverse.variable], !CloudUniverse.isGoogle(domain) {
      throw CredentialsError.otherUniverse(place: CloudUniverse.variable, domain: domain)
    }
    let file = try CredentialFile(path: path)
    if let warning = file.warning { warnings.append(warning) }
    self.file = file
    return file
  }
}

/// The account of the credentials, as far as they name it.
package struct GoogleAccount: Hashable, Sendable {
  package enum AccountKind: Hashable, Sendable {
    case service(email: String)
    /// A signed-in user, whom the file does not name.
    case user
    /// All workloads of a pool, as roles name them.
    case workload(principals: String)
    /// All people of a pool.
    case workforce(principals: String)
    case unknown
  }

  package var kind: AccountKind
  /// The origin of the credentials, such as a file's path; nil when unknown.
  package var source: String?

  package init(_ kind: AccountKind, source: String? = nil) {
    self.kind = kind
    self.source = source
  }

  /// A sentence on how to grant the account a role in a project; nil for an unknown project.
  package func grant(_ role: String, in project: String?) -> String {
    let name =
      switch kind {
      case .service(let email): email
      case .user, .workforce: "the signed-in user"
      case .workload: "the workload"
      case .unknown: "the account"
      }
    let from = source.map { " (from \($0))" } ?? ""
    return "Grant \(name)\(from) \(role): `gcloud projects add-iam-policy-binding "
      + "\(project ?? "PROJECT") --member=\(kind.member) --role=\(role)`."
  }
}

extension GoogleAccount.AccountKind {
  /// The member as named in Google Cloud policies; `EMAIL` replaces an unknown address.
  var member: String {
    switch self {
    case .service(let email): "serviceAccount:\(email)"
    case .user: "user:EMAIL"
    case .workload(let principals), .workforce(let principals): principals
    case .unknown: "serviceAccount:EMAIL"
    }
  }
}

/// The known state of credentials, without secrets.
package struct CredentialState: Hashable, Sendable {
  /// The origin of the credentials: `the key file /etc/key.json`.
  package var source: String
  package var account: GoogleAccount
  /// The expiry of the token; nil when none was fetched, or it is unknown.
  package var expiry: Timestamp?
  package var hasToken: Bool
  /// Whole sentences, such as about a key file that others can read.
  package var warnings: [String] = []
  /// Whether the server is an emulator, so that no credentials are needed.
  package var isEmulator = false
}

extension Credentials {
  /// Returns the known state of the credentials; throws `CredentialsError`.
  ///
  /// With `fetchesToken` a token is obtained if there is none; otherwise only a file is read, no
  /// command is run and no request is sent.
  package func state(fetchesToken: Bool) async throws -> CredentialState {
    let token = fetchesToken ? try await token() : nil
    try readFile()
    return CredentialState(
      source: source.clause, account: account, expiry: token?.expiry, hasToken: token != nil,
      warnings: warnings, isEmulator: source.kind == .emulator)
  }
}

/// The place of the credentials, found in the order of Google's own libraries.
///
/// It depends only on the given environment; see `docs/firestore.md#credentials`.
package struct CredentialSource: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case emulator
    /// A command for `sh -c` that prints a token.
    case tokenCommand(String)
    case file(String)
    /// The file that gcloud writes if it exists, else the metadata server.
    case ambient(gcloudFile: String?, metadataHost: String)
  }

  package var kind: Kind
  /// The value of `GOOGLE_CLOUD_QUOTA_PROJECT`, which overrides the project in the file.
  package var quotaProject: String?
  package var environment: [String: String]
  /// The folder in which `token_command` runs.
  package var folder: String

  /// `choice` is the source that the workspace configures; nil for none.
  package init(choice: Kind? = nil, environment: [String: String], folder: String = ".") {
    self.folder = folder
    func value(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    self.environment = environment
    quotaProject = value("GOOGLE_CLOUD_QUOTA_PROJECT")
    kind =
      if value("FIRESTORE_EMULATOR_HOST") != nil {
        .emulator
      } else if let choice {
        choice
      } else if let path = value("GOOGLE_APPLICATION_CREDENTIALS") {
        .file(path)
      } else {
        .ambient(
          gcloudFile: (value("CLOUDSDK_CONFIG") ?? value("HOME").map { "\($0)/.config/gcloud" })
            .map { "\($0)/application_default_credentials.json" },
          metadataHost: value("GCE_METADATA_HOST") ?? "metadata.google.internal")
      }
  }

  /// The source for an emulator, which accepts the same token from every client.
  package static let emulator = CredentialSource(
    environment: ["FIRESTORE_EMULATOR_HOST": "emulator"])
}

extension CredentialSource.Kind: CustomStringConvertible {
  /// For a log: `the key file sa.json`; names no secret.
  package var description: String {
    switch self {
    case .emulator: "none, because FIRESTORE_EMULATOR_HOST is set"
    case .tokenCommand: "firestore.token_command"
    case .file(let path): "the key file \(CredentialFile.isPath(path) ? path : "***")"
    case .ambient(let gcloudFile?, _) where CredentialFile.exists(path: gcloudFile):
      "gcloud's file \(gcloudFile)"
    case .ambient(_, let host): "the metadata server \(host)"
    }
  }
}

extension CredentialSource {
  /// The origin of the credentials, as the end of a sentence.
  var clause: String {
    switch kind {
    case .emulator: "FIRESTORE_EMULATOR_HOST"
    case .tokenCommand: "token_command"
    case .file, .ambient: "\(kind)"
    }
  }
}

package struct AccessToken: Hashable, Sendable {
  package let secret: Secret
  /// When the token expires; nil when unknown: it is used until a server refuses it.
  package var expiry: Timestamp?
  /// The project to bill instead of the queried one; sent as `x-goog-user-project`.
  package var quotaProject: String?
  /// The new refresh token that was sent together with this one; nil when the old one stays valid.
  var refreshToken: Secret?

  /// Microseconds before expiry when the token is renewed; see `docs/firestore.md#credentials`.
  static let margin: Int64 = 60_000_000

  func isFresh(at now: Timestamp) -> Bool {
    expiry.map { now.microseconds < $0.microseconds - AccessToken.margin } ?? true
  }

  var headers: HTTPHeaders {
    var headers = HTTPHeaders()
    headers.add("Authorization", "Bearer \(secret.revealed)", isSecret: true)
    if let quotaProject { headers.add("x-goog-user-project", quotaProject) }
    return headers
  }
}

/// A text that is never shown in messages, logs or dumps.
package struct Secret: Hashable, Sendable {
  /// The text, for the one place that must send it.
  package let revealed: String

  package init(_ text: String) {
    revealed = text
  }
}

extension Secret: CustomStringConvertible, CustomReflectable {
  package var description: String { "***" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// A file that only its owner should be able to read.
package enum SecretFile {
  /// A warning about `subject`, which names the file, when others can read it; nil otherwise.
  ///
  /// Follows symbolic links. Nil also when the file does not exist.
  package static func warning(about subject: String, path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return nil }
    return "\(subject) can be read by others (mode \(String(status.st_mode & 0o777, radix: 8))); "
      + "run `chmod 600 \(path)`."
  }
}
