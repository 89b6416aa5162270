package import Feeds
package import Firestore
package import Model
package import Store
package import Sync

/// What every job of one command shares.
package struct JobContext: Sendable {
  package var workspace: Workspace
  package var config: WorkspaceConfig
  /// All jobs of the workspace.
  package var jobs: [Job]
  package var store: Store
  package var profileName: String
  /// The command's one instant.
  package var now: Instant
  /// Time since the command began, from a clock that never goes back.
  package var elapsed: @Sendable () -> Duration
  /// What the run that the context is for may read; nil outside of one.
  package var reads: RunReads?
  /// Ignores staleness.
  package var isForced: Bool
  /// Ignores what incremental loads have reached, so that they read everything again.
  package var isFull = false
  /// Makes the client when a job first needs it, so that a run without requests never looks for credentials.
  package var firestore: @Sendable () async throws -> FirestoreClient
  /// The Remote Config template, unless it is still the one with the given ETag.
  package var remoteConfig: @Sendable (_ etag: String?) async throws -> RemoteConfigClient.Answer
  /// The moments service, with what an operator should know about its token.
  package var moments: @Sendable () throws -> (client: MomentsClient, warning: String?)
  /// The App Store's feeds of reviews.
  package var reviews: @Sendable () -> ReviewsClient
  /// The carrier of events to Google Analytics, with what an operator should know about its secret.
  package var analytics: @Sendable () throws -> (carrier: EventCarrier, warning: String?)
  /// What the command's client has cost so far.
  package var traffic: @Sendable () async -> Traffic
  /// What an operator should know about the credentials that were used so far.
  package var credentialWarnings: @Sendable () async -> [String]
  /// From 0 up to 1, new at each call.
  package var random: @Sendable () -> Double

  package init(
    workspace: Workspace, config: WorkspaceConfig, jobs: [Job], store: Store,
    profileName: String, now: Instant, elapsed: @escaping @Sendable () -> Duration,
    isForced: Bool = false, firestore: @escaping @Sendable () async throws -> FirestoreClient,
    remoteConfig: @escaping @Sendable (_ etag: String?) async throws -> RemoteConfigClient.Answer,
    moments: @escaping @Sendable () throws -> (client: MomentsClient, warning: String?),
    reviews: @escaping @Sendable () -> ReviewsClient,
    analytics: @escaping @Sendable () throws -> (carrier: EventCarrier, warning: String?),
    traffic: @escaping @Sendable () async -> Traffic,
    credentialWarnings: @escaping @Sendable () async -> [String],
    random: @escaping @Sendable () -> Double
  ) {
    self.workspace = workspace
    self.config = config
    self.jobs = jobs
    self.store = store
    self.profileName = profileName
    self.now = now
    self.elapsed = elapsed
    self.isForced = isForced
    self.firestore = firestore
    self.remoteConfig = remoteConfig
    self.moments = moments
    self.reviews = reviews
    self.analytics = analytics
    self.traffic = traffic
    self.credentialWarnings = credentialWarnings
    self.random = random
  }

  /// The profile that the command is about, as stored, or as it would begin.
  func profile(_ reader: some Readable) throws -> Profile {
    try reader.profile(named: profileName) ?? Profile(name: profileName)
  }
}
