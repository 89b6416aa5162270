import Foundation
package import Model
package import Store
package import Workspace

/// The jobs as pages and `firetally status` judge them: `docs/reports.md#freshness`.
package enum JobsData {
  /// Returns every job with its schedule and its last runs, each after the jobs it needs.
  ///
  /// Starts are counted until `now`, in the time zone of `config`. The runs of a period are left
  /// out.
  package static func data(
    _ reader: some Readable, _ catalog: JobCatalog, config: WorkspaceConfig, now: Instant,
    isLocked: Bool
  ) throws -> RunsData {
    var listed = try jobs(catalog, config: config, now: now)
    if try reader.isDemo() {
      for index in listed.indices { listed[index].forgetStarts() }
    }
    var data = try reader.runsData(jobs: listed, now: now)
    data.setAside(running: catalog.jobs, at: now, isLocked: isLocked)
    return data
  }

  package static func jobs(
    _ catalog: JobCatalog, config: WorkspaceConfig, now: Instant
  ) throws(WorkspaceError) -> [RunsData.JobSummary] {
    let zone = TimeZone(checked: config.timeZone)
    let broken = catalog.broken.map { job in
      RunsData.JobSummary(
        name: job.name, kind: JobKindName(job.kindWord), schedule: nil, lastDueAt: nil,
        problem: job.error.description)
    }
    let ordered = try JobOrder.order(catalog.jobs.map(\.name), of: catalog.jobs)
    return broken
      + ordered.map { job in
        let dueAt = job.schedule?.lastDue(at: now - job.grace, timeZone: zone)
        return RunsData.JobSummary(
          name: job.name, kind: job.kind, schedule: job.schedule?.fields, lastDueAt: dueAt,
          dueBeforeAt: dueAt.flatMap {
            job.schedule?.lastDue(at: $0 - .microseconds(1), timeZone: zone)
          },
          nextDueAt: job.schedule?.firstDue(
            after: now, through: now + .seconds(400 * 86_400), timeZone: zone),
          expected: job.schedule?.cadence(at: now),
          needs: JobOrder.needed(by: job.name, in: catalog.jobs))
      }
  }
}

extension Job {
  /// How late a start may be by default: cron's own delay and the longest wait for the lock;
  /// docs/reports.md#freshness.
  package static let usualGrace = Duration.seconds(900)

  /// How late a start may be before it counts as missed, in `status`, `doctor` and incidents.
  var grace: Duration { lateAfter ?? Self.usualGrace }
}

/// Separates running runs from killed ones among those without an end; `docs/running.md#outcomes`.
package enum RunningJobs {
  /// How long a report without a `timeout` counts as running; `docs/running.md#outcomes`.
  static let longestReport = Duration.seconds(600)

  /// Returns whether a run without an end is still running.
  ///
  /// A report needs no lock, so only its age counts; other jobs run only while the lock is held.
  package static func isRunning(_ run: Run, of job: Job, at now: Instant, isLocked: Bool) -> Bool {
    guard run.endedAt == nil, run.startedAt.counts(at: now) else { return false }
    let isReport = job.isReadOnly
    let limit = job.timeout ?? (isReport ? longestReport : nil)
    if let limit, now - run.startedAt > limit + Timeout.grace { return false }
    return isReport || isLocked
  }
}

extension RunsData.JobSummary {
  /// Removes the start times: a demo's schedules are examples, so nothing is late.
  fileprivate mutating func forgetStarts() {
    (lastDueAt, dueBeforeAt, nextDueAt) = (nil, nil, nil)
  }
}

extension RunsData {
  /// Separates running runs from killed ones.
  ///
  /// Running ones are counted once they have ended.
  mutating func setAside(running jobs: [Jobs.Job], at now: Instant, isLocked: Bool) {
    for job in jobs {
      // A later run that the lock refused does not end the run that holds the lock.
      guard let run = lastJudgedRuns[job.name],
        RunningJobs.isRunning(run, of: job, at: now, isLocked: isLocked)
      else { continue }
      running.insert(job.name)
      runs.removeAll { $0.id == run.id }
    }
  }
}
