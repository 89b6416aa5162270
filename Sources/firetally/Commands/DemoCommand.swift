import App
import ArgumentParser
import Emulator
import Foundation
import Jobs
import Model
import Operations
import Reports
import Store
import Workspace

struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Fill a workspace with a sample app and write its reports.",
    discussion: """
      Starts an embedded Firestore in this process, fills it with a believable app, and runs \
      every job against it over real HTTP. The app has a history of 102 days up to yesterday, \
      with a changed limit, an outage and a bad release. Replaces the data of an earlier demo. \
      Refuses a workspace with data of a real project.
      """,
    examples: ["firetally demo", "firetally demo --into trial --users 100 --seed 7"])

  @OptionGroup var global: GlobalOptions

  @Option(
    help: ArgumentHelp(
      "The workspace to fill. Default: the folder of -C, else firetally-demo.", valueName: "dir"))
  var into: String?

  @Option(parsing: .unconditional, help: "Number of users, 25 to 100000.")
  var users = 500

  @Option(
    parsing: .unconditional, help: "Seed of the sample data: the same seed makes the same app.")
  var seed: UInt64 = 42

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many daily reports to write, 1 to 30, today's included. Fewer take less time.",
      valueName: "count"))
  var copies = 8

  func validate() throws {
    try checkFolder(into, "--into", default: "firetally-demo")
    try (25...100_000).check(users, "--users")
    try (1...30).check(copies, "--copies")
  }

  func run() async throws {
    var options = global
    options.workspace = into ?? global.namedWorkspace ?? "firetally-demo"
    options.project = WorkspaceOrigin.demo.project
    let server = try await EmulatorServer.start(keepsRequests: false)
    var environment = ProgramProcess.current.environment
    environment["FIRESTORE_EMULATOR_HOST"] = server.address
    environment["FIREBASE_AUTH_EMULATOR_HOST"] = server.address
    environment[Services.momentsVariable] = "http://\(server.address)"
    environment["FIRETALLY_MOMENTS_TOKEN"] = "demo"
    environment[Services.reviewsVariable] = "http://\(server.address)"
    let invocation = Invocation(options, environment: environment)
    let demo = Demo(invocation: invocation, users: users, seed: seed)
    let (opened, lock) = try await demo.prepareWorkspace()
    defer { lock.release() }
    let sample = demo.sample(in: opened)
    Demo.seedMoments(in: server, now: invocation.now)
    server.reviews.publish(SampleReviews.all(seed: seed, now: invocation.now))
    invocation.output.remark("An embedded Firestore serves \(users) users on \(server.address).")
    let past = try await demo.playPast(of: sample, from: server, mornings: copies - 1)
    let reports = past + (try await demo.run(opened, sample))
    try await server.stop()
    let page = "\(opened.workspace.outputFolder)/index.html"
    invocation.output.remark("Report:   \(page)", always: true)
    invocation.output.remark("Database: \(opened.workspace.databasePath)")
    guard reports.allSatisfy(\.succeeded) else { throw StatusOnly(status: .failed) }
  }
}

/// The steps of the demo: a workspace, a made-up app's events and ratings, and every job.
struct Demo {
  let invocation: Invocation
  let users: Int
  let seed: UInt64

  /// Returns an app whose newest complete day is yesterday in the workspace's time zone.
  func sample(in opened: OpenWorkspace) -> SampleApp {
    let end = LocalDay(of: now, in: opened.config.timeZone).start
    return SampleApp(users: users, seed: seed, now: now, story: .eventful(until: end))
  }

  /// Writes the missing files of the workspace, and removes the data of an earlier demo.
  ///
  /// A refused workspace is not changed. The lock is acquired before anything is removed; the
  /// caller must release it.
  ///
  /// - Throws: `CommandError` when the workspace has a real project's data or name.
  func prepareWorkspace() async throws -> (opened: OpenWorkspace, lock: WorkspaceLock) {
    let workspace = Workspace(
      root: invocation.options.workspace, variables: invocation.environment)
    try refuseRealProject(in: workspace)
    try refuseRealData(in: workspace)
    try workspace.makeFolders()
    let lock = try await lockRequest.acquire(workspace, clock: invocation.clock)
    // The lock's last holder may have filled the database.
    try refuseRealData(in: workspace)
    let written = try WorkspaceTemplate.write(
      to: workspace, for: .here(of: workspace, project: nil))
    if written.contains(where: { $0.path == Self.reportFile && $0.wasWritten }) {
      try countAllPlatforms(in: workspace)
    }
    try addJobs(to: workspace)
    try removeDatabase(of: workspace)
    try removeExports(of: workspace)
    return (try invocation.openWorkspace(runsHooks: true), lock)
  }

  /// Records users' actions and texts, then runs every job of the workspace.
  ///
  /// - Precondition: the caller holds the workspace's lock.
  func run(_ opened: OpenWorkspace, _ sample: SampleApp) async throws -> [JobReport] {
    let store = try opened.store()
    let context = try invocation.context(opened, store: store)
    let jobs = try JobOrder.order(context.catalog.jobs.map(\.name), of: context.catalog.jobs)
    let scheduler = invocation.scheduler(
      context, opened, lock: lockRequest, RunPrinter(invocation, store: store))
    // The users' actions depend on the app's settings, and the report should show the reviews.
    let early = [SyncSettingsOptions.kind, SyncReviewsOptions.kind]
    let first = try await scheduler.run(
      JobSelection(jobs.filter { early.contains($0.kind) }), lock: nil)
    try submitRatings(of: sample, opened, store)
    try playSessions(opened, store)
    try logMoments(opened, store)
    let others = jobs.filter { !early.contains($0.kind) && $0.kind != ReportOptions.kind }
    let second = try await scheduler.run(JobSelection(others), lock: nil)
    try refuseMoments(opened, store)
    // The pages say that the schedules of a demo are examples.
    try store.write { try $0.setDemo(at: invocation.now) }
    let last = jobs.filter { $0.kind == ReportOptions.kind }
    return first + second + (try await scheduler.run(JobSelection(last), lock: nil))
  }

  var lockRequest: LockRequest {
    LockRequest(invocation.lockOwner, wait: .zero, isPatient: true)
  }

  /// Removes the log first: if it outlived its database, it would be replayed into the next one.
  private func removeDatabase(of workspace: Workspace) throws {
    for suffix in ["-wal", "-shm", ""] {
      try FileContents.remove(workspace.databasePath + suffix)
    }
  }

  /// Removes the days that an earlier demo wrote: its people would be counted beside the new ones.
  private func removeExports(of workspace: Workspace) throws {
    let folder = workspace.path("data/exports")
    guard FileManager.default.fileExists(atPath: folder) else { return }
    for name in try FileContents.names(in: folder) where name.hasSuffix(".ndjson") {
      guard CivilDay(iso8601: String(name.dropLast(7))) != nil else { continue }
      try FileContents.remove("\(folder)/\(name)")
    }
  }

  private func refuseRealProject(in workspace: Workspace) throws {
    guard FileManager.default.fileExists(atPath: workspace.configurationPath) else { return }
    let project = try workspace.config().firestore.project ?? WorkspaceOrigin.demo.project
    guard project == WorkspaceOrigin.demo.project else {
      throw inUse(workspace, project)
    }
  }

  /// Throws for a database with real data, even if nothing was fetched: its owner may have recorded
  /// data by hand.
  private func refuseRealData(in workspace: Workspace) throws {
    guard FileManager.default.fileExists(atPath: workspace.databasePath) else { return }
    let store = try workspace.openStore(
      at: invocation.now, note: { invocation.log.notice($0) })
    let stored = try WorkspaceOrigin.stored(in: store)
    // A project that never stored anything does not own the workspace.
    let isTaken = try stored == .demo || store.read { try $0.holdsFetchedData() }
    let origin = isTaken ? stored : nil
    let isUsed =
      try origin == nil && store.read { try $0.eventsCount() > 0 || !$0.profiles().isEmpty }
    try store.close()
    guard origin ?? .demo == .demo, !isUsed else {
      throw inUse(workspace, origin?.project)
    }
  }

  private func inUse(_ workspace: Workspace, _ project: String?) -> CommandError {
    CommandError(
      .configuration,
      "\(workspace.root) belongs to \(project.map { "the project '\($0)'" } ?? "you"), and a demo "
        + "would replace what it holds. Choose another folder with --into.")
  }

  /// Submits low ratings with feedback, each from a separate profile.
  private func submitRatings(
    of sample: SampleApp, _ opened: OpenWorkspace, _ store: Store
  ) throws {
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

  /// Brings profiles into every state that the limits report distinguishes.
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
  ) throws -> ProfileSession {
    var config = opened.config
    // Invented events must not go to Google Analytics.
    config.analytics = nil
    return ProfileSession(
      of: profile, in: opened.workspace, config, store: store,
      settings: try opened.settings(in: store))
  }
}

/// Moments with every outcome: delivered, parked until tomorrow, parked until an upgrade.
extension Demo {
  /// The users of the moments service, by profile; the last one's total is used up.
  private static let users = [
    "default": "demo-user", "demo-lite": "demo-subscriber", "demo-at-limit": "demo-full",
  ]

  private static let texts = [
    "Took the stairs, all seven floors", "Called grandma back", "Said no, kindly",
    "Went to bed before midnight",
  ]

  /// Gives the service the moments that the demo's users sent in earlier weeks.
  static func seedMoments(in server: EmulatorServer, now: Instant) {
    server.moments.setPremium(true, userId: "demo-subscriber")
    let quota = MomentAllowance.builtIn.freeTotal
    let moments = (0..<quota).map { number in
      Moment(
        clientId: UUID().uuidString.lowercased(), text: texts[number % texts.count],
        submittedAt: now - .seconds((number + 2) * 86_400), tz: "UTC", userId: "demo-full")
    }
    server.moments.seed(moments)
  }

  /// Queues moments of three profiles: one more than the daily limit, a few, and one beyond the
  /// total.
  func logMoments(_ opened: OpenWorkspace, _ store: Store) throws {
    let counts = [("default", Self.texts.count), ("demo-lite", 2), ("demo-at-limit", 1)]
    for (profile, count) in counts {
      let session = try session(profile, opened, store)
      try session.updateProfile { $0.userId = Self.users[profile] }
      for text in Self.texts.prefix(count) {
        _ = try session.addMoment(
          text, clientId: UUID().uuidString.lowercased(), now: now - .seconds(60))
      }
    }
  }

  /// Adds moments for users whose limits the service has reported by now, so that they see the
  /// paywall.
  private func refuseMoments(_ opened: OpenWorkspace, _ store: Store) throws {
    for profile in ["default", "demo-at-limit"] {
      _ = try session(profile, opened, store).addMoment(
        Self.texts[0], clientId: UUID().uuidString.lowercased(), now: now)
    }
  }
}

/// The demo's own jobs for reviews and accounts.
///
/// A new workspace has no reviews job without an app's number, and no job that needs a role beyond
/// Firestore's.
extension Demo {
  static let reportFile = "jobs/report.yml"

  /// Counts all platforms: the sample app runs on two, which a new workspace would count
  /// separately.
  fileprivate func countAllPlatforms(in workspace: Workspace) throws {
    let path = workspace.path(Self.reportFile)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let line = "\n# The sample app runs on iOS and Android.\nplatform: all\n"
    try AtomicFile.write(Array((text + line).utf8), to: path)
  }

  private static let jobFile = """
    # Copies the customer reviews of the App Store; docs/jobs.md explains every key.
    kind: sync-reviews
    description: Customer reviews of the App Store
    schedule: "10 5 * * *"
    app_id: \(SampleReviews.appId)
    countries: [\(SampleReviews.countries.joined(separator: ", "))]

    """

  private static let accountsFile = """
    # Reads the accounts of Firebase Authentication; docs/jobs/sync-auth.md explains every key.
    kind: sync-auth
    description: Accounts of Firebase Authentication, with their tiers
    schedule: "40 5 * * *"

    """

  /// Adds the jobs to the workspace; an existing file stays.
  func addJobs(to workspace: Workspace) throws {
    let files = ["app-store-reviews": Self.jobFile, "accounts": Self.accountsFile]
    for (name, text) in files {
      _ = try AtomicFile.create(Array(text.utf8), at: workspace.path("jobs/\(name).yml"))
    }
  }
}
