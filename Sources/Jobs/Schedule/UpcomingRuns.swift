package import Foundation
package import Model

/// A future start according to a job's schedule; see `docs/running.md#what-will-run-when`.
package struct UpcomingRun: Hashable, Sendable {
  /// The effect of a clock change on a start.
  package enum ClockChange: String, Hashable, Sendable {
    /// Its time of day is skipped on that day: the start is at the end of the gap.
    case skipped
    /// Its time of day occurs twice on that day, and this is the first occurrence.
    case first
    /// Its time of day occurs twice on that day, and this is the second occurrence.
    case second
  }

  package var at: Instant
  package var local: ZonedTime
  package var job: String
  package var schedule: CronSchedule
  /// Nil on days without a clock change.
  package var clockChange: ClockChange?
}

/// The future starts of scheduled jobs.
package enum UpcomingRuns {
  package static let dayCounts = 1...366

  /// Returns the starts after an instant, up to and including the same time of day `days` days
  /// later.
  ///
  /// They are in order of time; starts at the same time are in the order of `jobs`, in which
  /// `run --due` runs them.
  package static func list(
    of jobs: [Job], after now: Instant, days: Int, in zone: TimeZone
  ) -> [UpcomingRun] {
    let clock = WallClock(timeZone: zone)
    let end = end(after: now, days: days, clock)
    let runs = jobs.enumerated().flatMap { position, job in
      (job.schedule?.dues(after: now, through: end, timeZone: zone) ?? []).map { due in
        (position: position, at: due, job: job)
      }
    }
    return runs.sorted { ($0.at, $0.position) < ($1.at, $1.position) }.compactMap { run in
      run.job.schedule.map {
        UpcomingRun(
          at: run.at, local: ZonedTime(run.at, in: zone), job: run.job.name, schedule: $0,
          clockChange: $0.clockChange(at: run.at, clock))
      }
    }
  }

  /// Returns the first start of each job after an instant, in order of time; none for a job that
  /// has no start in 400 days.
  package static func next(
    of jobs: [Job], after now: Instant, in zone: TimeZone
  ) -> [UpcomingRun] {
    let clock = WallClock(timeZone: zone)
    let end = now + .seconds(400 * 86_400)
    let runs = jobs.compactMap { job -> UpcomingRun? in
      guard let schedule = job.schedule,
        let due = schedule.firstDue(after: now, through: end, timeZone: zone)
      else { return nil }
      return UpcomingRun(
        at: due, local: ZonedTime(due, in: zone), job: job.name, schedule: schedule,
        clockChange: schedule.clockChange(at: due, clock))
    }
    return runs.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element)
  }

  /// Returns the same time of day: the last one if it occurs twice, the end of the gap if it is
  /// skipped.
  private static func end(after now: Instant, days: Int, _ clock: WallClock) -> Instant {
    let wall = clock.wallSeconds(at: now.unixSeconds) + Int64(days) * 86_400
    return Instant(
      unixSeconds: clock.unixSeconds(showing: wall).last ?? clock.endOfGap(skipping: wall))
  }
}

extension CronSchedule {
  /// Returns the effect of a clock change on a start of this schedule; nil for none.
  func clockChange(at due: Instant, _ clock: WallClock) -> UpcomingRun.ClockChange? {
    let wall = clock.wallSeconds(at: due.unixSeconds)
    let minutes = Int(wall.floored(by: 86_400).remainder / 60)
    guard hour.contains(minutes / 60), minute.contains(minutes % 60) else { return .skipped }
    let moments = clock.unixSeconds(showing: wall)
    guard moments.count > 1 else { return nil }
    return moments.first == due.unixSeconds ? .first : .second
  }
}
