import Foundation
package import Model
import Reports
import Store

/// Looks for what is wrong with a workspace beside its runs: docs/incidents.md#kinds.
struct WorkspaceIncidents {
  private let context: JobContext
  private let ledger: IncidentLedger

  init(_ context: JobContext) {
    self.context = context
    ledger = IncidentLedger(context.store)
  }

  /// Before the jobs of a command: what happened since a scheduler last started one, and that
  /// `firetally.yml` could be read; `end` returns what there is to tell of it.
  ///
  /// - Throws: `StoreError`; one that only others keep from writing lets the next start note it.
  func begin() throws {
    do {
      if context.options.isScheduled {
        try ledger.tick(
          unrecorded: UnrecordedRuns.note(of: context.workspace), at: context.now
        ) { reader, start, end in
          guard start < end else { return nil }
          return try missedStarts(reader).first(
            of: context.catalog.jobs, after: start, through: end)
        }
      }
      _ = try ledger.apply(IncidentSurvey(kinds: [.configuration]), at: context.now)
    } catch StoreError.busy {}
  }

  /// After the jobs of a command: jobs that nothing starts or that are gone, and runs dated in the
  /// future.
  func end() throws -> [IncidentNotice] {
    let now = context.clock.now
    let jobs = context.catalog.jobs.map(\.name) + context.catalog.broken.map(\.name)
    var survey = IncidentSurvey(kinds: [.clock], jobs: Set(jobs))
    let (starts, future) = try context.store.read {
      (try missedStarts($0), try $0.futureRuns(at: now))
    }
    if let future {
      survey.troubles.append(
        (JobTrouble(.clock, cause: "clock", "\(future.sentence) \(FutureRuns.advice)"), []))
    } else if context.options.isScheduled {
      // A run of a job that is dated in the future may be the one that is missing.
      survey.troubles += try late(starts)
      survey.lastStarts = starts.runs.mapValues(\.startedAt)
      survey.unscheduled = Set(context.catalog.jobs.filter { $0.schedule == nil }.map(\.name))
    }
    return try ledger.apply(survey, at: now)
  }

  /// A job is late when it has run before, and missed its last start while the machine ran.
  private func late(_ starts: MissedStarts) throws -> [(trouble: JobTrouble, jobs: [String])] {
    try context.catalog.jobs.compactMap { job in
      // What was due while this command ran may have waited for it.
      guard let last = starts.runs[job.name]?.startedAt,
        let due = try starts.last(of: job, by: context.now)
      else { return nil }
      let sentence =
        "It was due at \(due.iso8601) and was not started; it last ran at "
        + "\(last.iso8601). \(LateJobs.advice)"
      return (JobTrouble(.late, cause: job.name, sentence), [job.name])
    }
  }

  private func missedStarts(_ reader: some Readable) throws -> MissedStarts {
    guard let zone = TimeZone(identifier: context.config.timeZone) else {
      preconditionFailure("the time zone was checked when the configuration was read")
    }
    return try MissedStarts(reader, of: context.workspace, in: zone, at: context.clock.now)
  }
}

/// A `firetally.yml` that is wrong, which keeps every job from running.
package enum ConfigurationIncident {
  /// Records it, and whether it is to be told now; it is taken as told.
  ///
  /// Where it cannot be recorded, it is told once a day as long as the note of such runs can be left.
  package static func isNews(
    _ error: JobsError, in workspace: Workspace, at now: Instant
  ) -> Bool {
    do {
      let ledger = IncidentLedger(try workspace.openStore(at: now, note: { _ in }))
      let trouble = JobTrouble(
        .configuration, cause: WorkspaceConfig.fileName, String(describing: error))
      let survey = IncidentSurvey(troubles: [(trouble, [])], kinds: [.configuration])
      let notices = try ledger.apply(survey, at: now)
        .filter { $0.incident.kind == .configuration }.compactMap { try ledger.claim($0, at: now) }
      try ledger.remember(notices, at: now)
      return !notices.isEmpty
    } catch let problem where UnrecordedRuns.areCaused(by: problem) {
      let before = UnrecordedRuns.note(of: workspace)
      let isNews = UnrecordedRuns.isNews(before, after: nil, at: now)
      UnrecordedRuns.leaveNote(
        in: workspace, at: now, toldAt: isNews ? now : before?.toldAt ?? now)
      return isNews
    } catch {
      return true
    }
  }
}
