package import Feeds
package import Firestore
package import Model
package import Sync

/// The servers that jobs reach over the network: one live value in the program, one in tests.
///
/// Nothing connects, and no credentials are looked for, before a job needs them.
package struct Services: Sendable {
  /// Delivers items, with a warning when others can read the service's secret.
  package typealias Delivery = (sender: any OutboxSender, warning: String?)

  package let firestore: any FirestoreService
  /// The App Store's feeds of customer reviews.
  package let reviews: @Sendable () -> ReviewsClient
  /// The app's moments service; throws a `JobsError` that says what the configuration lacks.
  package let moments: @Sendable () throws -> Delivery
  /// Google Analytics, which takes events; throws like `moments`.
  package let analytics: @Sendable () throws -> Delivery
  /// Sends a mail; returns a warning when others can read the password, and throws when the mail may
  /// not have been taken.
  package let mail: @Sendable (MailMessage, MailRoute) async throws -> String?

  package init(
    firestore: any FirestoreService, reviews: @escaping @Sendable () -> ReviewsClient,
    moments: @escaping @Sendable () throws -> Delivery,
    analytics: @escaping @Sendable () throws -> Delivery,
    mail: @escaping @Sendable (MailMessage, MailRoute) async throws -> String?
  ) {
    self.firestore = firestore
    self.reviews = reviews
    self.moments = moments
    self.analytics = analytics
    self.mail = mail
  }
}

/// Asks for a page of accounts, the first one for a nil token; throws a `FirestoreError` after the
/// retries that it allows.
package typealias AccountPages =
  @Sendable (_ token: String?, _ limit: Int) async throws -> AccountPage

/// The way to the project's Firestore, and to Firebase Authentication and Remote Config beside it.
package protocol FirestoreService: Sendable {
  /// The project that is named before any key is asked for its own; nil when none is.
  var namedProject: String? { get }

  /// The database, the same at each call.
  ///
  /// - Throws: what is wrong with the credentials, or `JobsError.otherProject` when the workspace
  ///   holds the data of another project.
  func database() async throws -> any FirestorePort

  /// The accounts of Firebase Authentication, page by page.
  ///
  /// - Throws: what `database()` throws.
  func accounts() async throws -> AccountPages

  /// The template of Remote Config, unless it is still the one with `etag`.
  func template(etag: String?) async throws -> RemoteConfigClient.Response

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

extension FirestorePort {
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
