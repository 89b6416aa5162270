package import Foundation
package import Model
package import Store
package import Workspace

/// Starts that were due and that nothing made: docs/incidents.md#kinds.
package struct MissedStarts {
  let workspace: Workspace
  /// Whose clock the schedules mean.
  let zone: TimeZone
  let now: Instant
  /// The last run of each job, by name.
  package let runs: [String: Run]
  /// When the last time ended in which nothing ran; nil without any.
  let awakeSince: Instant?
  /// Whether nothing is expected to start jobs.
  let isDemo: Bool

  package init(_ reader: some Readable, of workspace: Workspace, in zone: TimeZone, at now: Instant)
    throws
  {
    (self.workspace, self.zone, self.now) = (workspace, zone, now)
    runs = try reader.lastRuns(at: now)
    awakeSince = try reader.endOfLastGap(at: now)
    isDemo = try reader.isDemo()
  }

  /// The last start of a job that should have been made by an instant, when it was not.
  package func last(of job: Job, by instant: Instant) throws -> Instant? {
    guard !isDemo, let due = job.schedule?.lastDue(at: instant - job.grace, timeZone: zone) else {
      return nil
    }
    let since = [awakeSince, try changeOfFile(of: job)].compactMap(\.self).max()
    let isMissed = StartRule.isMissed(
      due: due, lastStartedAt: runs[job.name]?.startedAt, expectedSince: since)
    return isMissed ? due : nil
  }

  /// The first start that is due in a time, of the jobs that were in step; nil without one.
  ///
  /// By `inStep` a job was in step when it had made its last start, and had its schedule. A gap
  /// before is no excuse: what nothing has started since may be what nothing starts.
  ///
  /// - Throws: what reading a job's file throws.
  func first(
    of jobs: [Job], inStepAt inStep: Instant, after start: Instant, through end: Instant
  ) throws -> Instant? {
    guard start < end, !isDemo else { return nil }
    return try jobs.compactMap { job in
      guard let schedule = job.schedule, let run = runs[job.name],
        try changeOfFile(of: job).map({ $0 <= inStep }) ?? true
      else { return nil }
      let due = schedule.lastDue(at: inStep - job.grace, timeZone: zone)
      guard due.map({ !StartRule.isMissed(due: $0, lastStartedAt: run.startedAt) }) ?? true else {
        return nil
      }
      return schedule.firstDue(after: start, through: end, timeZone: zone)
    }.min()
  }

  /// When the file of a job was last written, before which its schedule may have been another; nil
  /// when that is unknown.
  private func changeOfFile(of job: Job) throws -> Instant? {
    var status = stat()
    guard stat(workspace.path(try workspace.jobPath(of: job.name)), &status) == 0 else {
      return nil
    }
    let changedAt = Instant(unixSeconds: Int64(status.st_mtim.tv_sec))
    return changedAt.counts(at: now) ? changedAt : nil
  }
}
