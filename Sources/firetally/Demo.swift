import Emulator
import Feeds
import Foundation
import Jobs
import Model
import Rules
import Session
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
  /// The lock is taken before anything is removed, and is the caller's to release.
  ///
  /// - Throws: `CommandError.workspaceInUse` when a real project's data or name is there.
  func prepareWorkspace() async throws -> (desk: Invocation.Desk, lock: WorkspaceLock) {
    _ = try WorkspaceTemplate.write(to: Workspace(root: invocation.options.workspace))
    let desk = try invocation.desk()
    try addReviewsJob(to: desk.workspace)
    let named = desk.config.firestore.project ?? WorkspaceOrigin.demo.project
    guard named == WorkspaceOrigin.demo.project else {
      throw CommandError.workspaceInUse(path: desk.workspace.root, project: named)
    }
    let lock = try await invocation.acquireLock(desk, wait: .zero)
    try removeEarlierDemo(desk)
    return (desk, lock)
  }

  /// Records what users did and wrote, then runs every job of the workspace.
  ///
  /// - Precondition: the caller holds the workspace's lock.
  func run(_ desk: Invocation.Desk) async throws -> [JobReport] {
    let store = try desk.store()
    let context = try invocation.context(desk, store: store)
    let jobs = try JobOrder.order(context.jobs.map(\.name), of: context.jobs)
    let printer = RunPrinter(invocation)
    let runner = JobRunner(
      context, hooks: invocation.hooks(desk), sleep: { try await Task.sleep(for: $0) })
    // What people did obeys the app's settings, and the report is to show the reviews.
    let early = jobs.filter { [.syncSettings, .syncReviews].contains($0.kind.name) }
    let first = try await runner.run(early) { printer.show($0) }
    try writeEvents(desk)
    try submitRatings(desk, store)
    try playSessions(desk, store)
    try logMoments(desk, store)
    let others = jobs.filter { !early.contains($0) }
    return first + (try await runner.run(others) { printer.show($0) })
  }

  private func removeEarlierDemo(_ desk: Invocation.Desk) throws {
    let path = desk.workspace.databasePath
    guard FileManager.default.fileExists(atPath: path) else { return }
    try refuseRealData(at: path, of: desk)
    // The database last: a log that outlived it would be replayed into the next one.
    for suffix in ["-wal", "-shm", ""] {
      guard unlink(path + suffix) != 0, errno != ENOENT else { continue }
      throw JobsError.file(FileFailure("remove", path + suffix, code: errno))
    }
  }

  /// A database that nothing was fetched into may hold what its owner recorded by hand.
  private func refuseRealData(at path: String, of desk: Invocation.Desk) throws {
    let store = try Store.open(path: path)
    defer { try? store.close() }
    let origin = try WorkspaceOrigin.stored(in: store)
    let isUsed =
      try origin == nil && store.read { try $0.eventsCount() > 0 || !$0.profiles().isEmpty }
    guard origin ?? .demo == .demo, !isUsed else {
      throw CommandError.workspaceInUse(
        path: desk.workspace.root, project: origin?.project)
    }
  }

  /// The app's analytics, as the BigQuery export delivers them.
  private func writeEvents(_ desk: Invocation.Desk) throws {
    let lines = sample.events.map { GA4Export.line(for: $0) + "\n" }
    let folder = desk.workspace.path("data/exports")
    guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
      throw JobsError.file(FileFailure("make the folder", folder, code: errno))
    }
    try AtomicFile.write(Array(lines.joined().utf8), to: "\(folder)/demo.ndjson")
  }

  /// Low ratings with feedback, each by a profile of its own.
  private func submitRatings(_ desk: Invocation.Desk, _ store: Store) throws {
    for feedback in sample.ratings {
      guard let stars = StarRating(rawValue: feedback.stars) else { continue }
      let session = try session(feedback.userId, desk, store)
      try session.updateProfile { profile in
        profile.userId = feedback.userId
        profile.gender = feedback.gender
        profile.country = feedback.country
        profile.appVersion = feedback.appVersion
      }
      _ = try session.submitRating(
        stars, feedback: feedback.text, now: Instant(unixSeconds: feedback.timestamp))
    }
  }

  /// Leaves some profiles in every state that the limits report tells apart.
  private func playSessions(_ desk: Invocation.Desk, _ store: Store) throws {
    let now = invocation.now
    let limit = try desk.settings(in: store).limit(of: .refresh)?.limit ?? 0
    // One more than the limit opens the popup at the limit, which starts the cooldown.
    let uses = [
      ("default", 1), ("demo-at-limit", limit), ("demo-cooling", limit + 1), ("demo-lite", 2),
    ]
    for (name, count) in uses {
      let session = try session(name, desk, store)
      if name == "demo-lite" { try session.setTier(.lite) }
      for use in 0..<count {
        let ago = Duration.seconds((count - use) * 20)
        _ = try session.use(.refresh, now: now - ago)
      }
    }
  }

  var now: Instant { invocation.now }

  func session(
    _ profile: String, _ desk: Invocation.Desk, _ store: Store
  ) throws -> Session {
    Session(
      store: store, app: desk.app, profileName: profile,
      settings: try desk.settings(in: store), price: desk.config.prices[.lite],
      id: UUID().uuidString)
  }
}
