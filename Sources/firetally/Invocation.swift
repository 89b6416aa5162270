import Feeds
import Firestore
import Foundation
import HTTP
import Jobs
import Model
import Session
import Store

/// One call of the program: its options, its one instant, and the way to the workspace's things.
struct Invocation: Sendable {
  let options: GlobalOptions
  let output: Output
  let log: LineLog
  let environment: [String: String]
  /// The one instant of the command.
  let now: Instant
  private let started = ContinuousClock.now

  init(
    _ options: GlobalOptions, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.options = options
    self.environment = environment
    output = Output(options, environment: environment)
    log = LineLog(options)
    now = options.now ?? Instant(Date())
  }

  /// Time since the command began.
  var elapsed: @Sendable () -> Duration {
    let started = started
    return { ContinuousClock.now - started }
  }

  /// The workspace with its configuration, without touching its database.
  func desk() throws -> Desk {
    let workspace = try Workspace.find(at: options.workspace)
    return Desk(workspace: workspace, config: try workspace.config())
  }

  /// A workspace and what its configuration says.
  struct Desk: Sendable {
    let workspace: Workspace
    let config: WorkspaceConfig

    var app: AppIdentity {
      AppIdentity(
        name: config.app.name, bundleId: config.app.bundleId,
        platform: config.app.platform.rawValue)
    }

    /// Opens the database, making it when there is none.
    func store() throws -> Store {
      try workspace.makeFolders()
      return try Store.open(path: workspace.databasePath)
    }
  }

  /// What jobs of this command share.
  ///
  /// - Parameters:
  ///   - desk: the workspace.
  ///   - store: its database.
  ///   - jobs: spares reading their files again.
  ///   - isForced: whether staleness is ignored.
  ///   - claimsDatabase: whether it becomes the project's that is asked first.
  /// - Returns: the context of the command.
  /// - Throws: what is wrong with the job files.
  func context(
    _ desk: Desk, store: Store, jobs: [Job]? = nil, isForced: Bool = false,
    claimsDatabase: Bool = true
  ) throws -> JobContext {
    let access = firestoreAccess(desk)
    let moments = MomentsAccess(
      workspace: desk.workspace, config: desk.config.moments, environment: environment)
    let reviews = ReviewsAccess(config: desk.config, environment: environment)
    let analytics = AnalyticsAccess(
      workspace: desk.workspace, config: desk.config.analytics, environment: environment)
    return JobContext(
      workspace: desk.workspace, config: desk.config, jobs: try jobs ?? desk.workspace.jobs(),
      store: store, profileName: options.profile, now: now, elapsed: elapsed, isForced: isForced,
      firestore: {
        let client = try await access.client()
        let origin = WorkspaceOrigin(of: client.endpoint)
        let path = desk.workspace.databasePath
        if claimsDatabase {
          try origin.claim(store, at: path)
        } else {
          try origin.owns(store, at: path)
        }
        return client
      },
      remoteConfig: { try await access.remoteConfig(etag: $0) },
      moments: { try moments.client(access.httpClient()) },
      reviews: { reviews.client(access.httpClient()) },
      analytics: { try analytics.carrier(access.httpClient()) },
      traffic: { await access.traffic() },
      credentialWarnings: { await access.warnings() },
      random: { Double.random(in: 0..<1) })
  }

  /// What the command's profile does.
  func session(_ desk: Desk, store: Store) throws -> Session {
    Session(
      store: store, app: desk.app, profileName: options.profile,
      settings: try desk.settings(in: store), price: desk.config.prices[.lite],
      deliversEvents: desk.config.analytics != nil, id: UUID().uuidString)
  }

  /// Where the command's profile stands; reads only, and takes the defaults where nothing is stored.
  func standing(_ desk: Desk) throws -> Standing {
    if let store = try desk.readStore() { return try session(desk, store: store).standing() }
    return Standing(
      profile: Profile(name: options.profile),
      settings: WorkspaceSettings.inForce(fetched: [], config: desk.config),
      appName: desk.app.name, price: desk.config.prices[.lite])
  }

  /// Takes the workspace's lock and settles what dead owners of it left behind.
  func lock(_ desk: Desk, store: Store, wait: Duration) async throws -> WorkspaceLock {
    let lock = try await acquireLock(desk.workspace, wait: wait)
    // Whoever used a feature over the network held the lock: nobody does now.
    let refunded = try Session.refundAbandonedUses(in: store, isAlive: { _ in false })
    if refunded > 0 { log.note("Gave back \(refunded) uses whose commands died.") }
    return lock
  }

  /// Takes the lock alone, for who is about to replace the database.
  func acquireLock(_ workspace: Workspace, wait: Duration) async throws -> WorkspaceLock {
    let command = ArgumentOrder.arranged(Array(CommandLine.arguments.dropFirst()))
      .prefix { !$0.hasPrefix("-") }
    return try await WorkspaceLock.acquire(
      workspace,
      for: .thisProcess(command: "firetally " + command.joined(separator: " "), since: now),
      wait: wait, sleep: { try await Task.sleep(for: $0) })
  }

  func hooks(_ desk: Desk) -> HookRunner {
    HookRunner(
      workspace: desk.workspace, environment: environment,
      ping: { url in try await httpClient(desk).send(.init(.get, url)).status },
      sleep: { try await Task.sleep(for: $0) })
  }

  /// A client for addresses other than Firestore's.
  func httpClient(_ desk: Desk) -> HTTPClient {
    firestoreAccess(desk).httpClient()
  }

  private func firestoreAccess(_ desk: Desk) -> FirestoreAccess {
    FirestoreAccess(
      workspace: desk.workspace, config: desk.config, project: options.project,
      caFile: options.caFile, environment: environment, now: clock)
  }

  /// The command's instant, moving on as the command works.
  var clock: @Sendable () -> Instant {
    let elapsed = elapsed
    return { [now] in now + elapsed() }
  }
}

extension Invocation.Desk {
  func settings(in store: Store) throws -> Settings {
    try WorkspaceSettings.inForce(in: store, config: config)
  }
}
