package import Feeds
package import Firestore
package import HTTP
package import Model
import SyncTesting
import Synchronization

@testable package import Jobs
import Workspace
import Workspace

/// Servers in memory, each of which a test scripts.
package final class ScriptedServices: FirestoreService {
  private struct State {
    var database: any FirestorePort
    var failure: (any Error)?
    var accounts: AccountPages?
    var template = RemoteConfigClient.Response.unchanged
    var warnings: [String] = []
    var credentials: Result<CredentialState, CredentialsError> = .failure(.noneFound)
    var serverTime: Result<Instant?, HTTPError> = .success(nil)
    var billedReads = 0
    var mails: [MailMessage] = []
    var mailFailure: (any Error)?
  }

  package let namedProject: String?
  private let state: Mutex<State>

  package init(_ database: any FirestorePort, project: String? = "demo") {
    namedProject = project
    state = Mutex(State(database: database))
  }

  /// The next jobs cannot reach Firestore; nil lets them.
  package func failFirestore(with error: (any Error)?) {
    state.withLock { $0.failure = error }
  }

  /// Firebase Authentication answers so from now on; before, it refuses.
  package func answerAccounts(with accounts: ScriptedAccounts) {
    state.withLock { $0.accounts = accounts.accounts(after:limit:) }
  }

  package func accounts() async throws -> AccountPages {
    try state.withLock { state in
      guard let accounts = state.accounts else { throw FirestoreError.refusal(.permissionDenied) }
      return accounts
    }
  }

  package func answerSettings(with template: RemoteConfigClient.Response) {
    state.withLock { $0.template = template }
  }

  package func warn(of credentials: [String]) { state.withLock { $0.warnings = credentials } }

  package func database() async throws -> any FirestorePort {
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

  /// Nothing goes over the wire but what a test bills, and what a client sends to a server.
  package func traffic() async -> Traffic {
    state.withLock { state in
      var traffic = (state.database as? FirestoreClient)?.traffic ?? Traffic()
      traffic.billedReadCount += state.billedReads
      return traffic
    }
  }

  package func edition() async -> FirestoreEdition? {
    state.withLock { ($0.database as? FirestoreClient)?.knownEdition }
  }

  package func credentialWarnings() async -> [String] { state.withLock(\.warnings) }

  package func template(etag: String?) async throws -> RemoteConfigClient.Response {
    state.withLock(\.template)
  }

  /// The mails that were sent, in their order, also those whose sending failed.
  package var mails: [MailMessage] { state.withLock(\.mails) }

  /// The next mails cannot be sent; nil lets them.
  package func failMail(with error: (any Error)?) { state.withLock { $0.mailFailure = error } }

  /// The services of one command; those beside Firestore refuse to be used.
  package func services() -> Services {
    Services(
      firestore: self,
      reviews: { ReviewsClient(http: HTTPClient(), baseURL: "http://127.0.0.1:9") },
      appStoreConnect: {
        AppStoreConnectClient(http: HTTPClient(), baseURL: "http://127.0.0.1:9", access: $0)
      },
      moments: { throw WorkspaceError.noMomentsService },
      analytics: { throw WorkspaceError.noAnalytics },
      mail: { [self] message, _ in
        try state.withLock { state in
          state.mails.append(message)
          if let failure = state.mailFailure { throw failure }
          return nil
        }
      })
  }
}
