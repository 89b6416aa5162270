package import Feeds
package import Firestore
package import HTTP
package import Jobs
package import Model
package import Store
package import Sync
package import SyncTesting
import Synchronization

/// Servers in memory, each of which a test scripts.
package final class ScriptedServices: FirestoreService, AccountsService, SettingsSource, Sendable {
  private struct State {
    var database: any FirestoreDatabase
    var failure: (any Error)?
    var accounts: (any AccountsPort)?
    var template = RemoteConfigClient.Response.unchanged
    var warnings: [String] = []
    var credentials: Result<CredentialState, CredentialsError> = .failure(.noneFound)
    var serverTime: Result<Instant?, HTTPError> = .success(nil)
    var billedReads = 0
  }

  package let namedProject: String?
  private let state: Mutex<State>

  package init(_ database: any FirestoreDatabase, project: String? = "demo") {
    namedProject = project
    state = Mutex(State(database: database))
  }

  /// The next jobs cannot reach Firestore; nil lets them.
  package func failFirestore(with error: (any Error)?) {
    state.withLock { $0.failure = error }
  }

  /// Firebase Authentication answers so from now on; before, it refuses.
  package func answerAccounts(with port: any AccountsPort) {
    state.withLock { $0.accounts = port }
  }

  package func accounts() async throws -> any AccountsPort {
    try state.withLock { state in
      guard let accounts = state.accounts else { throw FirestoreError.refusal(.permissionDenied) }
      return accounts
    }
  }

  package func answerSettings(with template: RemoteConfigClient.Response) {
    state.withLock { $0.template = template }
  }

  package func warn(of credentials: [String]) { state.withLock { $0.warnings = credentials } }

  package func database() async throws -> any FirestoreDatabase {
    try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.database
    }
  }

  /// What is known of the credentials from now on; a token that was fetched counts as one.
  package func answerCredentials(with state: Result<CredentialState, CredentialsError>) {
    self.state.withLock { $0.credentials = state }
  }

  /// What the server's clock shows from now on.
  package func answerTime(with time: Result<Instant?, HTTPError>) {
    state.withLock { $0.serverTime = time }
  }

  /// Lets so many more reads have been billed.
  package func bill(_ reads: Int) { state.withLock { $0.billedReads += reads } }

  package var host: String { "http://firestore.test" }

  package func credentialState(fetchesToken: Bool) async throws -> CredentialState {
    var credentials = try state.withLock(\.credentials).get()
    credentials.hasToken = fetchesToken
    return credentials
  }

  package func serverTime() async throws -> Instant? {
    try state.withLock(\.serverTime).get()
  }

  /// Nothing goes over the wire but what a test bills.
  package func traffic() async -> Traffic {
    var traffic = Traffic()
    traffic.billedReadCount = state.withLock(\.billedReads)
    return traffic
  }

  package func credentialWarnings() async -> [String] { state.withLock(\.warnings) }

  package func template(etag: String?) async throws -> RemoteConfigClient.Response {
    state.withLock(\.template)
  }

  /// The services of one command; those that a test does not give refuse to be used.
  package func services(
    moments: any MomentsService = MissingService(),
    analytics: any AnalyticsService = MissingService()
  ) -> Services {
    Services(
      firestore: self, accounts: self, settings: self, moments: moments,
      reviews: MissingService(), analytics: analytics)
  }
}

/// A service that the workspace does not configure.
package struct MissingService: MomentsService, ReviewsService, AnalyticsService {
  package init() {}

  package var client: ReviewsClient {
    ReviewsClient(http: HTTPClient(), baseURL: "http://127.0.0.1:9")
  }

  package func sender(_ store: Store) throws -> (sender: any OutboxSender, warning: String?) {
    throw JobsError.noMomentsService
  }

  package func sender() throws -> (sender: any OutboxSender, warning: String?) {
    throw JobsError.noAnalytics
  }
}

/// A database that tells nothing beside what a sync asks for.
extension MemoryFirestore: FirestoreDatabase {
  package var root: ResourceName { ResourceName(project: "demo") }

  package func collectionIds(under parent: ResourceName?) async throws -> [String] {
    throw FirestoreError.refusal(.permissionDenied)
  }

  package func documents(
    of query: StructuredQuery, under parent: ResourceName?
  ) async throws -> [Document] {
    throw FirestoreError.refusal(.permissionDenied)
  }

  package func quote(_ query: PlannedQuery, countsAll: Bool) async throws -> QueryQuote {
    let count = try await count(of: query.query, under: query.parent, readTime: nil)
    return QueryQuote(
      documents: count, billedReads: query.billedReads(documents: count), index: .unknown)
  }
}
