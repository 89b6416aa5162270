package import Foundation
package import Model
package import Store
package import Workspace

/// Due starts that did not happen: docs/incidents.md#kinds.
package struct MissedStarts {
  let workspace: Workspace
  /// The time zone of the schedules.
  let zone: TimeZone
  let now: Instant
  /// The last run of each job, by name.
  package let runs: [String: Run]
  /// The end of the last gap, in which nothing ran; nil without one.
  let awakeSince: Instant?
  /// Whether nothing is expected to start jobs, as in a demo.
  let isDemo: Bool

  package init(_ reader: some Readable, of workspace: Workspace, in zone: TimeZone, at now: Instant)
    throws
  {
    (self.workspace, self.zone, self.now) = (workspace, zone, now)
    runs = try reader.lastRuns(at: now)
    awakeSince = try reader.endOfLastGap(at: now)
    isDemo = try reader.isDemo()
  }

  /// Returns the last start of a job that was due by an instant and was missed; nil when none was.
  package func last(of job: Job, by instant: Instant) throws -> Instant? {
    guard !isDemo, let due = job.schedule?.lastDue(at: instant - job.grace, timeZone: zone) else {
      return nil
    }
    let since = [awakeSince, try workspace.changeOfFile(of: job, at: now)].compactMap(\.self).max()
    let isMissed = StartRule.isMissed(
      due: due, lastStartedAt: runs[job.name]?.startedAt, expectedSince: since)
    return isMissed ? due : nil
  }

  /// Returns the first start that is due in a time span, of the jobs that were in step; nil without
  /// one.
  ///
  /// A job was in step at `inStep` if it had made its last due start and already had its schedule.
  /// An earlier gap is no excuse: a job that has not started since may have no scheduler.
  ///
  /// - Throws: what reading a job's file throws.
  func first(
    of jobs: [Job], inStepAt inStep: Instant, after start: Instant, through end: Instant
  ) throws -> Instant? {
    guard start < end, !isDemo else { return nil }
    return try jobs.compactMap { job in
      guard let schedule = job.schedule, let run = runs[job.name],
        try workspace.changeOfFile(of: job, at: now).map({ $0 <= inStep }) ?? true
      else { return nil }
      let due = schedule.lastDue(at: inStep - job.grace, timeZone: zone)
      guard due.map({ !StartRule.isMissed(due: $0, lastStartedAt: run.startedAt) }) ?? true else {
        return nil
      }
      return schedule.firstDue(after: start, through: end, timeZone: zone)
    }.min()
  }
}

extension Workspace {
  /// Returns when a job's file was last changed, and with it perhaps the schedule; nil when
  /// unknown.
  fileprivate func changeOfFile(of job: Job, at now: Instant) throws -> Instant? {
    var status = stat()
    guard stat(path(try jobPath(of: job.name)), &status) == 0 else {
      return nil
    }
    let changedAt = Instant(unixSeconds: Int64(status.st_mtim.tv_sec))
    return changedAt.counts(at: now) ? changedAt : nil
  }
}

extension RunsData {
  /// Counts the starts of a period that were due and made, before its running runs are set aside.
  ///
  /// Those of a job end by its grace before the period does, and begin with the ledger and with the
  /// schedule at the earliest: the job's file may have had another one before it was last changed.
  ///
  /// - Throws: what reading a job's file throws.
  mutating func countStarts(
    of all: [Jobs.Job], in workspace: Workspace, _ zone: TimeZone, during period: Range<Instant>,
    at now: Instant
  ) throws {
    guard let beginsAt else { return }
    let runs = Dictionary(grouping: runs, by: \.job)
    for index in jobs.indices {
      guard let job = all.first(where: { $0.name == jobs[index].name }), let schedule = job.schedule
      else { continue }
      let changedAt = try workspace.changeOfFile(of: job, at: now)
      let since = max(period.lowerBound, beginsAt, changedAt ?? beginsAt)
      let dues = schedule.dues(
        after: since, through: period.upperBound - job.grace, timeZone: zone)
      guard !dues.isEmpty else { continue }
      let started = (runs[job.name] ?? []).map(\.startedAt).sorted()
      jobs[index].starts = StartRule.made(dues: dues, startedAt: started)
    }
  }
}
