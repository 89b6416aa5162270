import Emulator
import Feeds
import Foundation
import Jobs
import Model
import Store

/// The steps of the demo: a workspace, a made-up app's events and ratings, and every job.
struct Demo {
  let sample: SampleApp
  private let invocation: Invocation

  init(_ invocation: Invocation, users: Int, seed: UInt64) {
    self.invocation = invocation
    sample = SampleApp(users: users, seed: seed, now: invocation.now)
  }

  /// Writes the workspace's files that are missing and removes what an earlier demo stored.
  ///
  /// A workspace that is refused is left as it is. The lock is taken before anything is removed,
  /// and is the caller's to release.
  ///
  /// - Throws: `CommandError.workspaceInUse` when a real project's data or name is there.
  func prepareWorkspace() async throws -> (opened: OpenWorkspace, lock: WorkspaceLock) {
    let workspace = Workspace(
      root: invocation.options.workspace, variables: invocation.environment)
    try refuseRealProject(in: workspace)
    try refuseRealData(in: workspace)
    try workspace.makeFolders()
    let lock = try await lockRequest.acquire(workspace, clock: invocation.clock)
    // The lock's last holder may have filled the database.
    try refuseRealData(in: workspace)
    _ = try WorkspaceTemplate.write(to: workspace, for: .here(of: workspace, project: nil))
    try addJobs(to: workspace)
    try removeDatabase(of: workspace)
    return (try invocation.openWorkspace(), lock)
  }

  /// Records what users did and wrote, then runs every job of the workspace.
  ///
  /// - Precondition: the caller holds the workspace's lock.
  func run(_ opened: OpenWorkspace) async throws -> [JobReport] {
    let store = try opened.store()
    let context = try invocation.context(opened, store: store)
    let jobs = try JobOrder.order(context.catalog.jobs.map(\.name), of: context.catalog.jobs)
    let engine = invocation.engine(
      context, opened, lock: lockRequest, RunPrinter(invocation, store: store))
    // What people did obeys the app's settings, and the report is to show the reviews.
    let early = jobs.filter {
      [SyncSettingsOptions.kind, SyncReviewsOptions.kind].contains($0.kind)
    }
    let first = try await engine.run(JobSelection(early), lock: nil)
    try writeEvents(opened)
    try submitRatings(opened, store)
    try playSessions(opened, store)
    try logMoments(opened, store)
    let others = jobs.filter { !early.contains($0) }
    return first + (try await engine.run(JobSelection(others), lock: nil))
  }

  private var lockRequest: LockRequest {
    LockRequest(invocation.lockOwner, wait: .zero, isPatient: true)
  }

  /// The log first: one that outlived its database would be replayed into the next one.
  private func removeDatabase(of workspace: Workspace) throws {
    for suffix in ["-wal", "-shm", ""] {
      let path = workspace.databasePath + suffix
      guard unlink(path) != 0, errno != ENOENT else { continue }
      throw JobsError.file(FileFailure("remove", path, code: errno))
    }
  }

  private func refuseRealProject(in workspace: Workspace) throws {
    guard FileManager.default.fileExists(atPath: workspace.configurationPath) else { return }
    let project = try workspace.config().firestore.project ?? WorkspaceOrigin.demo.project
    guard project == WorkspaceOrigin.demo.project else {
      throw CommandError.workspaceInUse(path: workspace.root, project: project)
    }
  }

  /// A database that nothing was fetched into may hold what its owner recorded by hand.
  private func refuseRealData(in workspace: Workspace) throws {
    guard FileManager.default.fileExists(atPath: workspace.databasePath) else { return }
    let store = try workspace.openStore(
      at: invocation.now, note: { invocation.log.notice($0) })
    defer { try? store.close() }
    let stored = try WorkspaceOrigin.stored(in: store)
    // A name of which nothing was ever stored holds no place.
    let isTaken = try stored == .demo || store.read { try $0.holdsFetchedData() }
    let origin = isTaken ? stored : nil
    let isUsed =
      try origin == nil && store.read { try $0.eventsCount() > 0 || !$0.profiles().isEmpty }
    guard origin ?? .demo == .demo, !isUsed else {
      throw CommandError.workspaceInUse(path: workspace.root, project: origin?.project)
    }
  }

  /// The app's analytics, as the BigQuery export delivers them.
  private func writeEvents(_ opened: OpenWorkspace) throws {
    let lines = sample.events().map { GA4Export.line(for: $0) + "\n" }
    let folder = opened.workspace.path("data/exports")
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw JobsError.file(FileFailure("make the folder", folder, code: errno))
    }
    try AtomicFile.write(Array(lines.joined().utf8), to: "\(folder)/demo.ndjson")
  }

  /// Low ratings with feedback, each by a profile of its own.
  private func submitRatings(_ opened: OpenWorkspace, _ store: Store) throws {
    for feedback in sample.ratings {
      guard let stars = StarRating(rawValue: feedback.stars) else { continue }
      let session = try session(feedback.userId, opened, store)
      try session.updateProfile { profile in
        profile.userId = feedback.userId
        profile.gender = feedback.gender
        profile.country = feedback.country
        profile.appVersion = feedback.appVersion
      }
      let at = Instant(unixSeconds: feedback.timestamp)
      _ = try session.showRatingPrompt(now: at - .seconds(20))
      _ = try session.submitRating(stars, feedback: feedback.text, now: at)
    }
  }

  /// Leaves some profiles in every state that the limits report tells apart.
  private func playSessions(_ opened: OpenWorkspace, _ store: Store) throws {
    let now = invocation.now
    let limit = try opened.settings(in: store).limit(of: .refresh)?.limit ?? 0
    // One more than the limit opens the popup at the limit, which starts the cooldown.
    let uses = [
      ("default", 1), ("demo-at-limit", limit), ("demo-cooling", limit + 1), ("demo-lite", 2),
    ]
    for (name, count) in uses {
      let session = try session(name, opened, store)
      if name != Profile.defaultName { try session.updateProfile { $0.userId = name } }
      if name == "demo-lite" { try session.setTier(.lite) }
      for use in 0..<count {
        let ago = Duration.seconds((count - use) * 20)
        _ = try session.use(.refresh, now: now - ago)
      }
    }
  }

  var now: Instant { invocation.now }

  func session(
    _ profile: String, _ opened: OpenWorkspace, _ store: Store
  ) throws -> Session {
    Session(
      store: store, app: opened.app, profileName: profile,
      settings: try opened.settings(in: store), price: opened.config.prices[.lite],
      id: UUID().uuidString)
  }
}
