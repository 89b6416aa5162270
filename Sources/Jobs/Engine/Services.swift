package import Feeds
package import Firestore
import HTTP
package import Model
package import Store
package import Sync
package import Workspace

/// The servers that jobs reach over the network: one live value in the program, one in tests.
///
/// Connections and credentials are set up only when a job first needs them.
package struct Services: Sendable {
  /// A sender of outbox items, with a warning when others can read the service's secret.
  package typealias Delivery = (sender: any OutboxSender, warning: String?)

  package let firestore: any FirestoreService
  /// The App Store's feeds of customer reviews.
  package let reviews: @Sendable () -> ReviewsClient
  /// App Store Connect, which serves reports to the holder of a key.
  package let appStoreConnect: @Sendable (AppStoreConnectAccess) -> AppStoreConnectClient
  /// The app's moments service; throws a `WorkspaceError` that names what the configuration lacks.
  package let moments: @Sendable () throws -> Delivery
  /// Google Analytics, which receives events; throws like `moments`.
  package let analytics: @Sendable () throws -> Delivery
  /// Sends a mail; returns a warning when others can read the password.
  ///
  /// It throws when the server may not have accepted the mail.
  package let mail: @Sendable (MailMessage, DigestOptions) async throws -> String?
}

/// Requests a page of accounts; a nil token requests the first page.
///
/// It throws a `FirestoreError` after the allowed retries.
package typealias AccountPages =
  @Sendable (_ token: String?, _ limit: Int) async throws -> AccountPage

/// The access to the project's Firestore, Firebase Authentication and Remote Config.
package protocol FirestoreService: Sendable {
  /// The project that is configured without reading a key; nil when none is.
  var namedProject: String? { get }

  /// Returns the database, the same one at each call.
  ///
  /// - Throws: an error about the credentials, or `WorkspaceError.otherProject` when the workspace
  ///   holds the data of another project.
  func database() async throws -> any FirestorePort

  /// Returns another database to write documents into, with the workspace's credentials.
  ///
  /// - Throws: an error about the credentials.
  func target(_ root: ResourceName) async throws -> any DocumentTarget

  /// Returns the edition of a database to write into, stored or requested; nil when it cannot be
  /// determined.
  func edition(of root: ResourceName) async throws -> FirestoreEdition?

  /// Returns a function that lists the accounts of Firebase Authentication page by page.
  ///
  /// - Throws: what `database()` throws.
  func accounts() async throws -> AccountPages

  /// Fetches the template of Remote Config, unless it still has the `etag`.
  func template(etag: String?) async throws -> RemoteConfigClient.Response

  /// Returns the traffic of its requests so far; zero before the first one.
  func traffic() async -> Traffic

  /// The edition of the database; nil until it is known.
  func edition() async -> FirestoreEdition?

  /// Returns warnings about the credentials in use.
  func credentialWarnings() async -> [String]

  /// Returns the state of the credentials; `fetchesToken` also obtains a token.
  ///
  /// - Throws: `CredentialsError`.
  func credentialState(fetchesToken: Bool) async throws -> CredentialState

  /// Returns the server's clock, truncated to the second, from one unbilled request; nil when the
  /// answer has no time.
  ///
  /// - Throws: `HTTPError` when the server cannot be reached.
  func serverTime() async throws -> Instant?

  var host: String { get }
}

extension FirestoreService {
  package func edition() async -> FirestoreEdition? { nil }

  package func edition(of root: ResourceName) async throws -> FirestoreEdition? { nil }

  package func target(_ root: ResourceName) async throws -> any DocumentTarget {
    throw WorkspaceError.refused(
      .configuration, "Nothing can be written into \(root.databaseName).")
  }
}

extension Services {
  /// Overrides `moments.base_url`, as FIRESTORE_EMULATOR_HOST overrides Firestore's address.
  package static let momentsVariable = "FIRETALLY_MOMENTS_URL"
  /// Overrides `reviews.base_url`.
  package static let reviewsVariable = "FIRETALLY_REVIEWS_URL"
  /// Overrides Apple's own address.
  package static let appStoreConnectVariable = "FIRETALLY_APP_STORE_CONNECT_URL"

  /// Creates the services from the configuration, the environment and the command's options.
  ///
  /// The store must not hold another project's data. The services connect when they are first used.
  package static func live(
    _ workspace: Workspace, _ config: WorkspaceConfig, _ store: Store, _ access: ServiceAccess,
    now: @escaping @Sendable () -> Instant
  ) -> Services {
    let http = { @Sendable in access.httpClient(workspace, config) }
    let environment = access.environment
    return Services(
      firestore: LiveFirestore(workspace, config, store, access, now: now),
      // A wrong address fails at the first request.
      reviews: {
        ReviewsClient(
          http: http(), baseURL: environment[reviewsVariable] ?? config.reviewsBaseURL)
      },
      appStoreConnect: { access in
        AppStoreConnectClient(
          http: http(),
          baseURL: environment[appStoreConnectVariable] ?? AppStoreConnectClient.appleURL,
          access: access)
      },
      moments: {
        let baseURL = environment[momentsVariable] ?? config.moments.baseURL
        guard let baseURL, WebAddress.isSecure(baseURL) else {
          throw WorkspaceError.noMomentsService
        }
        let token = config.moments.token
        let client = MomentsClient(
          http: http(), baseURL: baseURL,
          appToken: try token.secret(
            of: MomentsConfig.tokenKey, in: workspace, environment: environment
          ).revealed)
        return (MomentSender(client: client, store: store), token.warning(in: workspace))
      },
      analytics: {
        guard let analytics = config.analytics else { throw WorkspaceError.noAnalytics }
        let secret = analytics.apiSecret
        let client = MeasurementClient(
          http: http(), baseURL: analytics.baseURL, firebaseAppId: analytics.firebaseAppId,
          apiSecret: try secret.secret(
            of: AnalyticsConfig.secretKey, in: workspace, environment: environment
          ).revealed)
        return (
          EventSender(client: client, appInstanceId: analytics.appInstanceId),
          secret.warning(in: workspace)
        )
      },
      mail: { message, options in
        try await MailSender(workspace: workspace, environment: environment, http: http())
          .send(message, as: options)
      })
  }
}

/// The workspace's Firestore, with Remote Config and the accounts of the same project.
///
/// A run without requests looks for no credentials and loads no certificate.
actor LiveFirestore: FirestoreService {
  nonisolated var namedProject: String? { access.namedProject(config) }
  private let workspace: Workspace
  private let config: WorkspaceConfig
  private let store: Store
  private let access: ServiceAccess
  private let now: @Sendable () -> Instant
  private var known: FirestoreClient?
  /// Whether the edition was already looked up.
  private var hasLearned = false
  /// The client for an Authentication emulator when there is no Firestore emulator.
  private var accountsEmulator: FirestoreClient?
  /// The credentials, kept even before a client exists and after creating one failed.
  private var inspected: Credentials?
  private lazy var http = access.httpClient(workspace, config)

  init(
    _ workspace: Workspace, _ config: WorkspaceConfig, _ store: Store, _ access: ServiceAccess,
    now: @escaping @Sendable () -> Instant
  ) {
    self.workspace = workspace
    self.config = config
    self.store = store
    self.access = access
    self.now = now
  }

  func database() async throws -> any FirestorePort {
    let client = try await client()
    try claimDatabase(for: client.endpoint)
    try await learnEdition(client)
    return client
  }

  func target(_ root: ResourceName) async throws -> any DocumentTarget { client(of: root) }

  func edition(of root: ResourceName) async throws -> FirestoreEdition? {
    let name = root.databaseName
    if let stored = try store.read({ try KnownDatabase.stored(in: $0, of: name) }) {
      return stored.facts.edition
    }
    do {
      return try await knownFacts(of: client(of: root))?.facts.edition
    } catch FirestoreError.credentials where !Endpoint.isGoogle(address) {
      // The write itself will say so, once it is confirmed.
      return nil
    }
  }

  /// Creates a client of any database, with the workspace's credentials.
  private func client(of root: ResourceName) -> FirestoreClient {
    let endpoint = Endpoint(
      baseURL: Endpoint.emulatorURL(in: access.environment)
        ?? Endpoint.baseURL(of: config.firestore.baseURL),
      project: root.project, database: root.database)
    return FirestoreClient(
      http: http, endpoint: endpoint, credentials: ownCredentials(), sendsTags: false,
      now: { [now] in Timestamp(now()) }, onRetry: access.note, onEdition: { _ in })
  }

  func edition() -> FirestoreEdition? { known?.knownEdition }

  /// Uses the edition that the workspace knows; otherwise asks the server once, and stores the
  /// answer unless the command only looks.
  private func learnEdition(_ client: FirestoreClient) async throws {
    guard !hasLearned else { return }
    let name = client.root.databaseName
    if let stored = try store.read({ try KnownDatabase.stored(in: $0, of: name) }) {
      client.learn(stored.facts.edition)
    } else if let known = try await knownFacts(of: client), access.claimsDatabase {
      try store.commit([try known.effect()])
    }
    hasLearned = true
  }

  /// Requests the facts of a database; returns nil when the server withholds them, or is an
  /// emulator that answers with any error.
  private func knownFacts(of client: FirestoreClient) async throws -> KnownDatabase? {
    let note = access.note
    do {
      return try await client.knownFacts(at: now()) { note?($0) }
    } catch let error as FirestoreError where !Endpoint.isGoogle(address) && error.isAnswer {
      note?("The edition of the database is unknown. \(error)")
      return nil
    }
  }

  /// Returns a function that lists the accounts; with an emulator's address, nothing goes to Google
  /// and no key is read.
  func accounts() async throws -> AccountPages {
    let client = try await accountsClient()
    try claimDatabase(for: client.endpoint)
    return client.accounts(after:limit:)
  }

  private func accountsClient() async throws -> FirestoreClient {
    guard Endpoint.identityEmulatorURL(in: access.environment) != nil,
      Endpoint.emulatorURL(in: access.environment) == nil
    else { return try await client() }
    if let accountsEmulator { return accountsEmulator }
    access.note?("Credentials: none, because FIREBASE_AUTH_EMULATOR_HOST is set.")
    let client = try await client(with: credentials(of: .emulator))
    accountsEmulator = client
    return client
  }

  private func claimDatabase(for endpoint: Endpoint) throws {
    let origin = WorkspaceOrigin(project: endpoint.root.project)
    if access.claimsDatabase {
      try origin.claim(store, at: workspace.databasePath)
    } else {
      try origin.check(store, at: workspace.databasePath)
    }
  }

  private func client() async throws -> FirestoreClient {
    if let known { return known }
    let isOfGoogle = host == WebAddress.origin(of: FirestoreConfig.defaultBaseURL)
    guard !isOfGoogle || namedProject != WorkspaceOrigin.demo.project else {
      throw WorkspaceError.refused(.configuration, WorkspaceOrigin.isNobodys)
    }
    access.note?("Credentials: \(source.kind).")
    let client = try await client(with: ownCredentials())
    known = client
    return client
  }

  private func client(with credentials: Credentials) async throws -> FirestoreClient {
    let endpoint = try await endpoint(credentials)
    return FirestoreClient(
      http: http, endpoint: endpoint, credentials: credentials,
      sendsTags: config.firestore.tagsRequests(to: endpoint.baseURL, access.environment),
      now: { [now] in Timestamp(now()) }, onRetry: access.note,
      onEdition: { [store, access, now] edition in
        guard access.claimsDatabase else { return }
        let known = KnownDatabase(
          name: endpoint.root.databaseName, facts: DatabaseFacts(edition: edition), knownAt: now(),
          isOwnWord: false)
        do {
          try store.commit([try known.effect()])
        } catch {
          access.note?("The edition of the database was not stored. \(error)")
        }
      })
  }

  private func ownCredentials() -> Credentials {
    let credentials = inspected ?? credentials(of: source)
    inspected = credentials
    return credentials
  }

  private func credentials(of source: CredentialSource) -> Credentials {
    Credentials(source, http: http, now: { [now] in Timestamp(now()) })
  }

  /// Fetches the Remote Config template of the same project, unless it still has the `etag`.
  ///
  /// With an emulator's address, Remote Config is requested there too, so a trial sends nothing to
  /// Google. A token that the server refuses is replaced once.
  func template(etag: String?) async throws -> RemoteConfigClient.Response {
    let client = try await client()
    let token = try await client.token()
    do {
      return try await fetchTemplate(etag: etag, of: client.endpoint, token)
    } catch FeedError.refused(_, status: 401, _) {
      await inspected?.discard(token)
      return try await fetchTemplate(etag: etag, of: client.endpoint, try await client.token())
    } catch FeedError.refused(let feed, status: 403, let message) {
      let account = await inspected?.account ?? GoogleAccount(.unknown)
      let grant = account.grant(
        "roles/firebaseremoteconfig.viewer", in: client.endpoint.root.project)
      throw FeedError.refused(feed: feed, status: 403, message: "\(message) \(grant.dropLast())")
    }
  }

  private func fetchTemplate(
    etag: String?, of endpoint: Endpoint, _ token: AccessToken
  ) async throws -> RemoteConfigClient.Response {
    let baseURL = Endpoint.emulatorAddress(in: access.environment) ?? RemoteConfigClient.googleURL
    return try await RemoteConfigClient(http: http, baseURL: baseURL).fetch(
      project: endpoint.root.project, token: token.secret.revealed,
      quotaProject: token.quotaProject, etag: etag, now: now())
  }

  /// Returns the traffic of the clients so far; zero before the first client.
  func traffic() -> Traffic {
    [known, accountsEmulator].compactMap { $0?.traffic }.reduce(Traffic(), +)
  }

  /// Returns warnings about the credentials in use.
  func credentialWarnings() async -> [String] {
    await inspected?.warnings ?? []
  }

  func credentialState(fetchesToken: Bool) async throws -> CredentialState {
    try await ownCredentials().state(fetchesToken: fetchesToken)
  }

  func serverTime() async throws -> Instant? {
    let timeouts = HTTPTimeouts(stall: .seconds(15), total: .seconds(15))
    let request = HTTPRequest(.head, address, timeouts: timeouts)
    return try await http.send(request).date.map(Instant.init(unixSeconds:))
  }

  nonisolated var host: String { WebAddress.origin(of: address) ?? address }

  /// The server's address without the API version.
  private nonisolated var address: String {
    Endpoint.emulatorAddress(in: access.environment) ?? config.firestore.baseURL
  }

  private var source: CredentialSource {
    let choice: CredentialSource.Kind? =
      config.firestore.tokenCommand.map { .tokenCommand($0) }
      ?? config.firestore.credentialsPath.map { .file(workspace.path($0)) }
    return CredentialSource(
      choice: choice, environment: access.environment, folder: workspace.root)
  }

  /// Resolves the project from the flag, the environment, the configuration or, last, the key.
  private func endpoint(_ credentials: Credentials) async throws -> Endpoint {
    do {
      return Endpoint(
        baseURL: Endpoint.emulatorURL(in: access.environment)
          ?? Endpoint.baseURL(of: config.firestore.baseURL),
        project: try await credentials.project(preferring: [namedProject]),
        database: config.firestore.database,
        identityURL: Endpoint.identityEmulatorURL(in: access.environment)
          ?? Endpoint.googleIdentityURL)
    } catch let error as CredentialsError {
      throw FirestoreError.credentials(error)
    }
  }
}
