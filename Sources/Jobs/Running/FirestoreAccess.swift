package import Feeds
package import Firestore
package import HTTP
package import Model

/// The workspace's way to its Firestore, made when a job first needs it.
///
/// A run that makes no request looks for no credentials and loads no certificate.
package actor FirestoreAccess {
  private let workspace: Workspace
  private let config: WorkspaceConfig
  /// From `--project`; wins over everything else that names one.
  private let project: String?
  /// From `--cacert`; wins over everything else that names one.
  private let caFile: String?
  private let environment: [String: String]
  private let now: @Sendable () -> Instant
  private var known: (client: FirestoreClient, credentials: Credentials)?

  /// - Parameters:
  ///   - workspace: where relative paths of the configuration count from.
  ///   - config: which Firestore.
  ///   - project: the command's own choice; nil for the configuration's.
  ///   - caFile: likewise; a relative path counts from the process's own folder.
  ///   - environment: the process's variables.
  ///   - now: the time by which tokens end.
  package init(
    workspace: Workspace, config: WorkspaceConfig, project: String?, caFile: String? = nil,
    environment: [String: String], now: @escaping @Sendable () -> Instant
  ) {
    self.workspace = workspace
    self.config = config
    self.project = project
    self.caFile = caFile
    self.environment = environment
    self.now = now
  }

  /// The one client of the command.
  package func client() async throws -> FirestoreClient {
    if let known { return known.client }
    let http = httpClient()
    let credentials = Credentials(plan, http: http, now: { [now] in Timestamp(now()) })
    let client = FirestoreClient(
      http: http, endpoint: try await endpoint(credentials), credentials: credentials,
      now: { [now] in Timestamp(now()) })
    known = (client, credentials)
    return client
  }

  /// The Remote Config template of the same project, unless it is still the one with `etag`.
  ///
  /// An emulator's address stands for Remote Config too, so that nothing of a trial goes to Google.
  /// A token that the server does not take any more is replaced once.
  package func remoteConfig(etag: String?) async throws -> RemoteConfigClient.Answer {
    let client = try await client()
    let token = try await client.token()
    do {
      return try await template(etag: etag, of: client.endpoint, token)
    } catch FeedError.refused(_, status: 401, _) {
      await known?.credentials.discard(token)
      return try await template(etag: etag, of: client.endpoint, try await client.token())
    }
  }

  private func template(
    etag: String?, of endpoint: Endpoint, _ token: AccessToken
  ) async throws -> RemoteConfigClient.Answer {
    let baseURL = Endpoint.emulatorAddress(in: environment) ?? RemoteConfigClient.googleURL
    return try await RemoteConfigClient(http: httpClient(), baseURL: baseURL).fetch(
      project: endpoint.root.project, token: token.secret.revealed,
      quotaProject: token.quotaProject, etag: etag, now: now())
  }

  /// What the client has cost so far; nothing before there is one.
  package func traffic() -> Traffic { known?.client.traffic ?? Traffic() }

  /// What an operator should know about the credentials in use.
  package func warnings() async -> [String] {
    await known?.credentials.warnings ?? []
  }

  /// A client with the workspace's certificates, also for addresses other than Firestore's.
  package nonisolated func httpClient() -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.caFile =
      caFile ?? config.firestore.caFile.map(workspace.path)
      ?? HTTPClient.Configuration.caFile(in: environment)
    return HTTPClient(configuration: configuration)
  }

  private var plan: CredentialPlan {
    let choice: CredentialPlan.Choice? =
      config.firestore.tokenCommand.map { .tokenCommand($0) }
      ?? config.firestore.credentialsPath.map { .keyFile(workspace.path($0)) }
    return CredentialPlan(choice: choice, environment: environment)
  }

  /// The project of the flag, the environment, the configuration, and last the key's own.
  private func endpoint(_ credentials: Credentials) async throws -> Endpoint {
    let fromEnvironment = environment["GOOGLE_CLOUD_PROJECT"]
    do {
      return Endpoint(
        baseURL: Endpoint.emulatorURL(in: environment)
          ?? Endpoint.baseURL(of: config.firestore.baseURL),
        project: try await credentials.project(
          preferring: [project, fromEnvironment, config.firestore.project]),
        database: config.firestore.database)
    } catch let error as CredentialsError {
      throw FirestoreError.credentials(error)
    }
  }
}

extension Timestamp {
  fileprivate init(_ instant: Instant) {
    self.init(microseconds: instant.microseconds)
  }
}
