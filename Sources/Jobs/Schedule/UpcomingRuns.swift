package import Foundation
package import Model

/// One start that a job's schedule asks for; see `docs/running.md#what-will-run-when`.
package struct UpcomingRun: Hashable, Sendable {
  /// What the change of clocks makes of a start.
  package enum ClockChange: String, Hashable, Sendable {
    /// Its time of day is skipped on that day: it comes when the gap ends.
    case skipped
    /// Its time of day comes twice on that day, and this is the first.
    case first
    /// Its time of day comes twice on that day, and this is the second.
    case second
  }

  package var at: Instant
  package var local: ZonedTime
  package var job: String
  package var schedule: CronSchedule
  /// Nil on every day without a change of clocks.
  package var clockChange: ClockChange?
}

/// What the schedules of jobs ask for.
package enum UpcomingRuns {
  package static let dayCounts = 1...366

  /// The starts after an instant, up to and including the same time of day so many days later.
  ///
  /// In their order; of one instant, in the order of `jobs`, in which `run --due` runs them.
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

  /// The first start of each job after an instant, in their order; none of a job that has none in
  /// 400 days.
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

  /// The same time of day, of two the last, or the end of the gap that it lies in.
  private static func end(after now: Instant, days: Int, _ clock: WallClock) -> Instant {
    let wall = clock.wallSeconds(at: now.unixSeconds) + Int64(days) * 86_400
    return Instant(
      unixSeconds: clock.unixSeconds(showing: wall).last ?? clock.endOfGap(skipping: wall))
  }
}

extension CronSchedule {
  /// What the change of clocks makes of a start of this schedule; nil when nothing.
  func clockChange(at due: Instant, _ clock: WallClock) -> UpcomingRun.ClockChange? {
    let wall = clock.wallSeconds(at: due.unixSeconds)
    let minutes = Int((wall % 86_400 + 86_400) % 86_400 / 60)
    guard hour.contains(minutes / 60), minute.contains(minutes % 60) else { return .skipped }
    let moments = clock.unixSeconds(showing: wall)
    guard moments.count > 1 else { return nil }
    return moments.first == due.unixSeconds ? .first : .second
  }
}
