package import Model

/// Which of the runs without an end are going on, and were not killed: `docs/jobs.md#outcomes`.
package enum RunningJobs {
  /// How long a report without a `timeout` is taken for running; `docs/jobs.md#outcomes`.
  static let longestReport = Duration.seconds(600)

  /// A report needs no lock, so only time tells; of all others the lock tells, too.
  package static func isRunning(_ run: Run, of job: Job, at now: Instant, isLocked: Bool) -> Bool {
    guard run.endedAt == nil else { return false }
    let isReport = job.kind.name == .report
    let limit = job.timeout ?? (isReport ? longestReport : nil)
    if let limit, now - run.startedAt > limit { return false }
    return isReport || isLocked
  }
}

extension RunsFacts {
  /// Tells runs that are going on from those that were killed.
  ///
  /// They are counted when they have ended.
  mutating func setAside(running jobs: [Jobs.Job], at now: Instant, isLocked: Bool) {
    for job in jobs {
      guard let run = lastRuns[job.name],
        RunningJobs.isRunning(run, of: job, at: now, isLocked: isLocked)
      else { continue }
      running.insert(job.name)
      runs.removeAll { $0.id == run.id }
    }
  }
}
