import Emulator
import Feeds
import Foundation
import Jobs
import Model
import Store
import Workspace

/// The demo's past days: the exports as they arrived, the settings before and after their changes,
/// and the report of each recent morning.
extension Demo {
  /// Runs the jobs as on the given number of mornings before today's, and returns their reports.
  ///
  /// - Precondition: the caller holds the workspace's lock.
  func playPast(
    of sample: SampleApp, from server: EmulatorServer, mornings: Int
  ) async throws -> [JobReport] {
    var reports: [JobReport] = []
    let opened = try invocation.openWorkspace(runsHooks: true)
    let today = LocalDay(of: now, in: opened.config.timeZone).start
    let database = "projects/\(WorkspaceOrigin.demo.project)/databases/(default)"
    var events = sample.events()[...]
    let arrivals = SampleArrivals(of: events)
    func serveAccounts(at: Instant) {
      server.accounts.wipe(project: WorkspaceOrigin.demo.project)
      server.accounts.seed(
        sample.accounts(at: at, arrivals), project: WorkspaceOrigin.demo.project)
    }
    for at in Self.accountTimes(before: mornings, today) {
      serveAccounts(at: at)
      reports += try await run(at: at) { $0 == SyncAuthOptions.kind }
    }
    if let changed = sample.story.limitChangedAt {
      for at in [changed - .seconds(86_400), changed] {
        try server.documents.seed([sample.settingsDocument(in: database, at: at)])
        reports += try await run(at: at) { $0 == SyncSettingsOptions.kind }
      }
    }
    for daysAgo in (0...mornings).reversed() {
      let midnight = Self.midnight(daysAgo, before: today, in: opened.config.timeZone)
      let day = events.prefix { $0.at < midnight }
      try write(day, of: opened)
      // A copy, which lets go of the events before.
      events = Array(events.dropFirst(day.count))[...]
      let morning = daysAgo > 0 ? midnight + .seconds(23_700) : now
      try server.documents.seed(
        sample.documents(in: database, at: morning)
          + sample.feedbackDocuments(in: database, until: morning))
      serveAccounts(at: morning)
      guard daysAgo > 0 else { continue }
      // Each of its backups takes longer than all other jobs.
      reports += try await run(at: morning) { daysAgo == 1 || $0 != MaintainOptions.kind }
      if daysAgo <= Self.watchedDays {
        reports += try await loadUsers(of: sample, from: server, after: morning, in: database)
      }
      guard daysAgo == mornings else { continue }
      // The runs begin here: otherwise, earlier days would appear to have been free of reads.
      let store = try opened.store()
      _ = try store.write { try $0.removeRuns(before: midnight) }
      try store.close()
    }
    return reports
  }

  /// The beginning of an earlier day, by its noon: clocks that changed since then move it.
  static func midnight(_ daysAgo: Int, before today: Instant, in zone: String) -> Instant {
    LocalDay(of: today - .seconds(daysAgo * 86_400 - 43_200), in: zone).start
  }

  /// Weeks before today in which accounts were read.
  private static let accountWeeks = 12

  /// Days before today on each of which they were read, as the course of payers has them.
  private static let accountDays = 28

  /// Once a week, then daily, so that subscribers have come and left; the last mornings read them,
  /// too.
  private static func accountTimes(before mornings: Int, _ today: Instant) -> [Instant] {
    (1...7 * accountWeeks).reversed()
      .filter { $0 > mornings && ($0 <= accountDays || $0.isMultiple(of: 7)) }
      .map { today - .seconds($0 * 86_400 - 23_700) }
  }

  /// The number of days before today on which users are loaded several times.
  private static let watchedDays = 3
  /// Minutes after the morning's run, to the end of the night: some copies are fresh, some stale.
  private static let watchedMinutes =
    [20, 35, 60, 75, 300, 325, 375, 390] + Array(stride(from: 480, to: 1_440, by: 120))

  /// When users are loaded on the day of a morning, long enough before `now` that its own run loads
  /// them again: the demo's profiles have been signed in meanwhile, which removes their own users.
  static func loadTimes(after morning: Instant, before now: Instant) -> [Instant] {
    let age = SettingKey.staleness.descriptor.builtIn ?? 0
    return watchedMinutes.map { morning + .seconds($0 * 60) }.filter { $0 + .seconds(age) < now }
  }

  /// Loads the users at several times of a day, as cron and people do.
  private func loadUsers(
    of sample: SampleApp, from server: EmulatorServer, after morning: Instant, in database: String
  ) async throws -> [JobReport] {
    var reports: [JobReport] = []
    for at in Self.loadTimes(after: morning, before: now) {
      try server.documents.seed(sample.documents(in: database, at: at))
      reports += try await run(at: at) { $0 == SyncUsersOptions.kind }
    }
    return reports
  }

  private func run(at: Instant, where isOfKind: (JobKindName) -> Bool) async throws -> [JobReport] {
    var options = invocation.options
    options.now = at
    // Messages about left-out data are the same every morning, so only today's run prints them.
    options.quiet = !options.verbose
    let past = Invocation(options, environment: invocation.environment)
    let opened = try past.openWorkspace(runsHooks: true)
    let store = try opened.store()
    let context = try past.context(opened, store: store)
    let jobs = try JobOrder.order(context.catalog.jobs.map(\.name), of: context.catalog.jobs)
      .filter { isOfKind($0.kind) }
    let scheduler = past.scheduler(
      context, opened, lock: lockRequest, RunPrinter(past, store: store))
    let reports = try await scheduler.run(JobSelection(jobs), lock: nil)
    try store.close()
    return reports
  }

  /// Writes a file for each day, in the form that the BigQuery export delivers.
  private func write(_ events: ArraySlice<Event>, of opened: OpenWorkspace) throws {
    let folder = opened.workspace.path("data/exports")
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw WorkspaceError.cannot("make the folder", folder)
    }
    var events = events
    while let first = events.first {
      let day = LocalDay(of: first.at, in: opened.config.timeZone)
      let lines = events.prefix { $0.at < day.end }
      events = events.dropFirst(lines.count)
      let bytes = lines.flatMap { "\(GA4Export.line(for: $0))\n".utf8 }
      try AtomicFile.write(bytes, to: "\(folder)/\(day.text).ndjson")
    }
  }
}
