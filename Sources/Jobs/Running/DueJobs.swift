import Foundation
import Model
import Store

/// Which jobs cron would have started by now; see `docs/jobs.md#schedule`.
package enum DueJobs {
  /// The jobs whose schedule has come since their last run began, by name.
  ///
  /// A job that never ran is due once its schedule has come at all. A run that a limit or a need
  /// refused has not begun.
  package static func names(_ context: JobContext) throws -> [String] {
    guard let zone = TimeZone(identifier: context.config.timeZone) else {
      preconditionFailure("the configuration's time zone was checked when it was read")
    }
    let lastRuns = try context.store.read { try $0.lastBegunRuns() }
    return context.jobs.filter { job in
      guard let due = job.schedule?.lastDue(at: context.now, timeZone: zone) else { return false }
      return isDue(since: due, lastStartedAt: lastRuns[job.name]?.startedAt)
    }.map(\.name)
  }

  /// Whether a schedule that came at `due` has not been met; nil means the job never ran.
  ///
  /// A run that began at that very instant has met it.
  static func isDue(since due: Instant, lastStartedAt: Instant?) -> Bool {
    guard let lastStartedAt else { return true }
    return lastStartedAt < due
  }
}
