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

  /// Before the jobs of a command: what happened since a scheduler last started one, and that
  /// `firetally.yml` could be read.
  func begin() throws -> [IncidentNotice] {
    let ofPast =
      try context.options.isScheduled
      ? ledger.tick(
        interval: shortestInterval, unrecorded: UnrecordedRuns.note(of: context.workspace),
        at: context.now) : []
    let ofConfiguration = try ledger.settle([], of: [.configuration], at: context.now)
    return ofPast + ofConfiguration.filter { $0.incident.kind == .configuration }
  }

  /// After the jobs of a command: jobs that nothing starts, and runs dated in the future.
  func end() throws -> [IncidentNotice] {
    var troubles: [(trouble: JobTrouble, jobs: [String])] = []
    if let future = try context.store.read({ try $0.futureRuns(at: context.now) }) {
      troubles.append(
        (JobTrouble(.clock, cause: "clock", "\(future.sentence) \(FutureRuns.advice)"), []))
    }
    var kinds: Set<JobIncident.Kind> = [.clock]
    // A run of a job that is dated in the future may be the one that is missing.
    if context.options.isScheduled, troubles.isEmpty {
      kinds.insert(.late)
      troubles += try late()
    }
    return try ledger.settle(troubles, of: kinds, at: context.now)
  }

  /// A job is late when it has run before, and no run began since it was due while the machine ran.
  private func late() throws -> [(trouble: JobTrouble, jobs: [String])] {
    let (runs, awakeSince) = try context.store.read { reader in
      (try reader.lastRuns(at: context.now), try reader.endOfLastGap(at: context.now))
    }
    return context.catalog.jobs.compactMap { job in
      guard let due = job.schedule?.lastDue(at: context.now - Self.grace, timeZone: zone),
        let last = runs[job.name]?.startedAt, last < due, awakeSince.map({ due > $0 }) ?? true
      else { return nil }
      let sentence =
        "\(job.name) was due at \(due.iso8601) and was not started; it last ran at "
        + "\(last.iso8601). \(LateJobs.advice)"
      return (JobTrouble(.late, cause: job.name, sentence), [job.name])
    }
  }

  private var shortestInterval: Duration? {
    context.catalog.jobs.compactMap { job -> Duration? in
      guard let due = job.schedule?.lastDue(at: context.now, timeZone: zone),
        let before = job.schedule?.lastDue(at: due - .microseconds(1), timeZone: zone)
      else { return nil }
      return due - before
    }.min()
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
    _ = try ledger.tick(interval: nil, unrecorded: nil, at: now)
    let trouble = JobTrouble(
      .configuration, cause: WorkspaceConfig.fileName, String(describing: error))
    let notices = try ledger.settle([(trouble, [])], of: [.configuration], at: now)
      .filter { $0.incident.kind == .configuration }
    try ledger.remember(notices, at: now)
    return !notices.isEmpty
  }
}
