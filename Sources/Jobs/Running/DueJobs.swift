import Foundation
import Model
import Store

/// Which jobs cron would have started by now; see `docs/jobs.md#schedule`.
package enum DueJobs {
  /// The jobs whose schedule has come since their last run began, by name.
  ///
  /// A job that never ran is due once its schedule has come at all.
  package static func names(_ context: JobContext) throws -> [String] {
    guard let zone = TimeZone(identifier: context.config.timeZone) else {
      preconditionFailure("the configuration's time zone was checked when it was read")
    }
    let lastRuns = try context.store.read { try $0.lastRuns() }
    return context.jobs.filter { job in
      guard let due = job.schedule?.lastDue(at: context.now, timeZone: zone) else { return false }
      guard let last = lastRuns[job.name] else { return true }
      return last.startedAt < due
    }.map(\.name)
  }
}
