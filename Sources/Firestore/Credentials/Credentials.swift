package import HTTP

/// Access tokens, found when first needed and kept until they end.
///
/// Nothing is read, run or asked before the first call; requests that need a token at the same time
/// share one attempt to get it.
package actor Credentials {
  private let plan: CredentialPlan
  private let endpoint: TokenEndpoint
  private let now: @Sendable () -> Timestamp
  private var token: AccessToken?
  private var file: CredentialFile?
  private var renewal: Task<AccessToken, any Error>?

  /// What an operator should know, such as a key file that others can read; whole sentences.
  package private(set) var warnings: [String] = []

  package init(
    _ plan: CredentialPlan, http: HTTPClient, now: @escaping @Sendable () -> Timestamp
  ) {
    self.plan = plan
    self.now = now
    endpoint = TokenEndpoint(http: http, now: now)
  }

  /// The present token, or a new one from 60 s before its end on; throws `CredentialsError`.
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

  /// Waits for another's attempt; when that one is cancelled, makes an attempt of its own.
  private func share(_ renewal: Task<AccessToken, any Error>) async throws -> AccessToken {
    do {
      return try await renewal.value
    } catch is CancellationError {
      try Task.checkCancellation()
      end(renewal)
      return try await token()
    }
  }

  /// Makes way for the next attempt, unless it has begun already.
  private func end(_ renewal: Task<AccessToken, any Error>) {
    if self.renewal == renewal { self.renewal = nil }
  }

  /// Forgets a token that was refused, unless another has taken its place since.
  package func discard(_ refused: AccessToken) {
    if token == refused { token = nil }
  }

  /// The first project that is named: by the caller in order of preference, by
  /// `GOOGLE_CLOUD_PROJECT`, by the key file, or by the metadata server.
  package func project(preferring names: [String?] = []) async throws -> String {
    let named = names + [plan.environment["GOOGLE_CLOUD_PROJECT"]]
    if let project = named.compactMap(\.self).first(where: { !$0.isEmpty }) { return project }
    switch plan.source {
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

  private func newToken() async throws -> AccessToken {
    var token = try await foundToken()
    token.quotaProject = plan.quotaProject ?? token.quotaProject
    return token
  }

  private func foundToken() async throws -> AccessToken {
    switch plan.source {
    case .emulator: return AccessToken(Secret("owner"))
    case .tokenCommand(let command):
      return try await TokenCommand(command: command, environment: plan.environment).token()
    case .file(let path): return try await newToken(by: read(path))
    case .ambient(let gcloudFile, let metadataHost):
      guard let gcloudFile, CredentialFile.exists(path: gcloudFile) else {
        return try await endpoint.metadataToken(host: metadataHost)
      }
      return try await newToken(by: read(gcloudFile))
    }
  }

  private func newToken(by file: CredentialFile) async throws -> AccessToken {
    var token =
      switch file.kind {
      case .serviceAccount(let key):
        try await endpoint.token(posting: key.tokenForm(now: now()), to: key.tokenURL)
      case .authorizedUser(let user):
        try await endpoint.token(posting: user.tokenForm, to: user.tokenURL)
      }
    token.quotaProject = file.quotaProject
    return token
  }

  private func read(_ path: String) throws -> CredentialFile {
    if let file { return file }
    let file = try CredentialFile(path: path)
    if let warning = file.warning { warnings.append(warning) }
    self.file = file
    return file
  }
}
