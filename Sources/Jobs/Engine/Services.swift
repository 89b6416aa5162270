package import Feeds
package import Firestore
package import Model
package import Store
package import Sync

/// The servers that jobs reach over the network: one live value in the program, one in tests.
///
/// Nothing connects, and no credentials are looked for, before a job needs them.
package struct Services: Sendable {
  package let firestore: any FirestoreService
  package let accounts: any AccountsService
  package let settings: any SettingsSource
  package let moments: any MomentsService
  package let reviews: any ReviewsService
  package let analytics: any AnalyticsService

  package init(
    firestore: any FirestoreService, accounts: any AccountsService, settings: any SettingsSource,
    moments: any MomentsService, reviews: any ReviewsService, analytics: any AnalyticsService
  ) {
    self.firestore = firestore
    self.accounts = accounts
    self.settings = settings
    self.moments = moments
    self.reviews = reviews
    self.analytics = analytics
  }
}

/// The project's Firestore.
package protocol FirestoreService: Sendable {
  /// The project that is named before any key is asked for its own; nil when none is.
  var namedProject: String? { get }

  /// The database, the same at each call.
  ///
  /// - Throws: what is wrong with the credentials, or `JobsError.otherProject` when the workspace
  ///   holds the data of another project.
  func database() async throws -> any FirestoreDatabase

  /// What its requests have cost so far; nothing before the first.
  func traffic() async -> Traffic

  /// What an operator should know about the credentials in use.
  func credentialWarnings() async -> [String]

  /// What is known of the credentials; `fetchesToken` obtains a token as well.
  ///
  /// - Throws: `CredentialsError`.
  func credentialState(fetchesToken: Bool) async throws -> CredentialState

  /// The server's own clock, cut to the second, by one request that is not billed; nil when it does
  /// not say.
  ///
  /// - Throws: `HTTPError` when the server cannot be reached.
  func serverTime() async throws -> Instant?

  /// The host and port of the server.
  var host: String { get }
}

/// What jobs ask of a Firestore beside what a sync needs.
package protocol FirestoreDatabase: FirestorePort {
  var root: ResourceName { get }

  /// The ids of the collections under a document; nil for those of the database itself.
  func collectionIds(under parent: ResourceName?) async throws -> [String]

  /// A page of these ids; `token` is that of the page before, nil for the first.
  func collectionPage(
    under parent: ResourceName?, after token: String?
  ) async throws -> CollectionPage

  /// At most `count` ids of the collection's documents, including documents that do not exist but
  /// have subcollections.
  func documentIds(in collection: ResourceName, count: Int) async throws -> [String]

  /// The documents of one query, in one request.
  func documents(of query: StructuredQuery, under parent: ResourceName?) async throws -> [Document]

  /// The TTL policies of the database; nothing is billed.
  func expiryPolicies() async throws -> [ExpiryPolicy]

  /// What a planned query would find and cost; `countsAll` counts beyond what would be read.
  func quote(_ query: PlannedQuery, countsAll: Bool) async throws -> QueryQuote
}

/// Firebase Authentication of the same project.
package protocol AccountsService: Sendable {
  /// The accounts, the same at each call; requests count in `FirestoreService.traffic()`.
  ///
  /// - Throws: what `FirestoreService.database()` throws.
  func accounts() async throws -> any AccountsPort
}

/// Remote Config, the settings' weaker source.
package protocol SettingsSource: Sendable {
  /// The template, unless it is still the one with `etag`.
  func template(etag: String?) async throws -> RemoteConfigClient.Response
}

/// The app's moments service.
package protocol MomentsService: Sendable {
  /// Delivers moments, with a warning when others can read the service's token.
  ///
  /// - Throws: `JobsError` that says what the configuration lacks.
  func sender(_ store: Store) throws -> (sender: any OutboxSender, warning: String?)
}

/// The App Store's feeds of customer reviews.
package protocol ReviewsService: Sendable {
  var client: ReviewsClient { get }
}

/// Google Analytics, which takes events.
package protocol AnalyticsService: Sendable {
  /// Delivers events, with a warning when others can read the secret.
  ///
  /// - Throws: `JobsError` that says what the configuration lacks.
  func sender() throws -> (sender: any OutboxSender, warning: String?)
}

extension FirestoreDatabase {
  package func collectionPage(
    under parent: ResourceName?, after token: String?
  ) async throws -> CollectionPage {
    CollectionPage(ids: try await collectionIds(under: parent))
  }

  package func documentIds(in collection: ResourceName, count: Int) async throws -> [String] { [] }

  package func expiryPolicies() async throws -> [ExpiryPolicy] { [] }

  /// The TTL policies; empty, with a note of the reason, from a server that does not tell them.
  func knownPolicies(note: (String) -> Void) async throws -> [ExpiryPolicy] {
    do {
      return try await expiryPolicies()
    } catch let error as FirestoreError where error.withholdsPolicies {
      note("TTL policies are unknown. \(error)")
      return []
    }
  }
}

extension FirestoreClient: FirestoreDatabase {
  package var root: ResourceName { endpoint.root }

  package func collectionPage(
    under parent: ResourceName?, after token: String?
  ) async throws -> CollectionPage {
    try await collectionPage(under: parent, after: token, size: 300)
  }

  package func documentIds(in collection: ResourceName, count: Int) async throws -> [String] {
    let page = try await list(
      collection, pageSize: count, mask: [.documentName], showMissing: true)
    return page.documents.map(\.id)
  }

  package func documents(
    of query: StructuredQuery, under parent: ResourceName?
  ) async throws -> [Document] {
    try await runQuery(query, under: parent).documents
  }

  package func quote(_ query: PlannedQuery, countsAll: Bool) async throws -> QueryQuote {
    try await QueryQuote(query, client: self, countsAll: countsAll)
  }
}
