import Foundation
package import Model
import Reports
import Store

/// Looks for what is wrong with a workspace beside its runs: docs/incidents.md#kinds.
struct WorkspaceIncidents {
  /// How late a start may be: cron's own delay, and the longest wait for the lock.
  static let grace = RecentRunsCheck.grace

  private let context: JobContext
  private let ledger: IncidentLedger

  init(_ context: JobContext) {
    self.context = context
    ledger = IncidentLedger(context.store)
  }

  /// Before the jobs of a command: that `firetally.yml` could be read, and what happened since a
  /// scheduler last started one; `end` returns what there is to tell of it.
  ///
  /// - Throws: `StoreError`; one that only others keep from writing lets the next start note it.
  func begin() throws {
    do {
      _ = try ledger.settle(IncidentLedger.Survey(kinds: [.configuration]), at: context.now)
      guard context.options.isScheduled else { return }
      try ledger.tick(
        unrecorded: UnrecordedRuns.note(of: context.workspace), at: context.now
      ) { start, end in
        context.catalog.jobs.compactMap {
          $0.schedule?.dues(after: start, through: end, timeZone: zone).first
        }.min()
      }
    } catch StoreError.busy {}
  }

  /// After the jobs of a command: jobs that nothing starts or that are gone, and runs dated in the
  /// future.
  func end() throws -> [IncidentNotice] {
    let now = context.clock.now
    let jobs = context.catalog.jobs.map(\.name) + context.catalog.broken.map(\.name)
    var survey = IncidentLedger.Survey(kinds: [.clock], jobs: Set(jobs))
    if let future = try context.store.read({ try $0.futureRuns(at: now) }) {
      survey.troubles.append(
        (JobTrouble(.clock, cause: "clock", "\(future.sentence) \(FutureRuns.advice)"), []))
    }
    // A run of a job that is dated in the future may be the one that is missing.
    if context.options.isScheduled, survey.troubles.isEmpty {
      survey.kinds.insert(.late)
      survey.troubles += try late()
    }
    return try ledger.settle(survey, at: now)
  }

  /// A job is late when it has run before, and no run began since it was due while the machine ran.
  private func late() throws -> [(trouble: JobTrouble, jobs: [String])] {
    let now = context.clock.now
    let (runs, awakeSince) = try context.store.read { reader in
      (try reader.lastRuns(at: now), try reader.endOfLastGap(at: now))
    }
    return try context.catalog.jobs.compactMap { job in
      // What was due while this command ran may have waited for it.
      guard let due = job.schedule?.lastDue(at: context.now - Self.grace, timeZone: zone),
        let last = runs[job.name]?.startedAt, last < due,
        try [awakeSince, changeOfFile(of: job.name)].allSatisfy({ $0.map { due > $0 } ?? true })
      else { return nil }
      let sentence =
        "\(job.name) was due at \(due.iso8601) and was not started; it last ran at "
        + "\(last.iso8601). \(LateJobs.advice)"
      return (JobTrouble(.late, cause: job.name, sentence), [job.name])
    }
  }

  /// When the file of a job was last written, before which its schedule may have been another; nil
  /// when that is unknown.
  private func changeOfFile(of job: String) throws -> Instant? {
    var status = stat()
    let path = context.workspace.path(try context.workspace.jobPath(of: job))
    guard stat(path, &status) == 0 else { return nil }
    let changedAt = Instant(unixSeconds: Int64(status.st_mtim.tv_sec))
    return changedAt.counts(at: context.now) ? changedAt : nil
  }

  private var zone: TimeZone {
    guard let zone = TimeZone(identifier: context.config.timeZone) else {
      preconditionFailure("the time zone was checked when the configuration was read")
    }
    return zone
  }
}

/// A `firetally.yml` that is wrong, which keeps every job from running.
package enum ConfigurationIncident {
  /// Records it, and whether it is to be told now; it is taken as told.
  ///
  /// - Returns: whether it is; true also where it cannot be recorded.
  package static func isNews(
    _ error: JobsError, in workspace: Workspace, at now: Instant
  ) throws -> Bool {
    let store: Store
    do {
      store = try workspace.openStore(at: now, note: { _ in })
    } catch {
      return true
    }
    let ledger = IncidentLedger(store)
    // Jobs are started, though none can run.
    try ledger.tick(unrecorded: UnrecordedRuns.note(of: workspace), at: now) { _, _ in nil }
    let trouble = JobTrouble(
      .configuration, cause: WorkspaceConfig.fileName, String(describing: error))
    let survey = IncidentLedger.Survey(troubles: [(trouble, [])], kinds: [.configuration])
    let notices = try ledger.settle(survey, at: now)
      .filter { $0.incident.kind == .configuration }.compactMap { try ledger.claim($0, at: now) }
    try ledger.remember(notices, at: now)
    return !notices.isEmpty
  }
}
