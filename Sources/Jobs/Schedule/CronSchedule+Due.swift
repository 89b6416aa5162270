package import Foundation
package import Model

extension CronSchedule {
  /// Days that a search looks at: every rule that can be due at all is so once in 40 years.
  private static let searchedDays: Int64 = 40 * 366

  /// The last due time up to and including an instant; nil when there was none in 40 years.
  package func lastDue(at instant: Instant, timeZone: TimeZone) -> Instant? {
    let clock = WallClock(timeZone: timeZone)
    let today = Self.dayNumber(of: instant, clock)
    for day in ((today - Self.searchedDays)...(today + 1)).reversed() {
      if let due = dues(on: day, clock).last(where: { $0 <= instant }) { return due }
    }
    return nil
  }

  /// The due times after an instant, up to and including another; ascending.
  package func dues(after start: Instant, through end: Instant, timeZone: TimeZone) -> [Instant] {
    guard start < end else { return [] }
    let clock = WallClock(timeZone: timeZone)
    let days = (Self.dayNumber(of: start, clock) - 1)...(Self.dayNumber(of: end, clock) + 1)
    // The end of a gap can be due on the day before it, too.
    let found = Set(days.flatMap { dues(on: $0, clock) })
    return found.filter { start < $0 && $0 <= end }.sorted()
  }

  /// How often it is due, as the end of a sentence: `every 10 minutes`, or the fields themselves.
  ///
  /// Counted on a clock that never changes, so that a day has 24 hours.
  package func cadence(at now: Instant) -> String {
    let clock = WallClock(timeZone: .gmt)
    let today = Self.dayNumber(of: now, clock)
    var dues: [Instant] = []
    var gaps: Set<Int64> = []
    for day in today...(today + Self.searchedDays) where dues.count < 64 && gaps.count < 2 {
      dues += self.dues(on: day, clock)
      gaps = Set(zip(dues, dues.dropFirst()).map { ($1 - $0).components.seconds })
    }
    guard let gap = gaps.first, gaps.count == 1 else { return "by the schedule \(fields)" }
    for (unit, length) in [("day", Int64(86_400)), ("hour", 3_600), ("minute", 60)]
    where gap % length == 0 {
      return gap == length ? "every \(unit)" : "every \(gap / length) \(unit)s"
    }
    return "by the schedule \(fields)"
  }

  /// Days on the wall since 1970-01-01.
  private static func dayNumber(of instant: Instant, _ clock: WallClock) -> Int64 {
    let wall = clock.wallSeconds(at: instant.unixSeconds)
    return (wall - (wall % 86_400 + 86_400) % 86_400) / 86_400
  }

  /// When the schedule is due on one day on the wall; ascending.
  private func dues(on day: Int64, _ clock: WallClock) -> [Instant] {
    let midnight = day * 86_400
    let date = Date(timeIntervalSince1970: Double(midnight))
    let parts = Self.calendar.dateComponents([.month, .day, .weekday], from: date)
    guard let month = parts.month, let dayOfMonth = parts.day, let weekday = parts.weekday,
      includes(month: month, day: dayOfMonth, weekday: weekday - 1)
    else { return [] }
    let seconds = hour.values.flatMap { hour in
      minute.values.flatMap { minute in
        moments(showing: midnight + Int64(hour * 3_600 + minute * 60), clock)
      }
    }
    return Set(seconds).sorted().map(Instant.init(unixSeconds:))
  }

  private func moments(showing wall: Int64, _ clock: WallClock) -> [Int64] {
    let moments = clock.unixSeconds(showing: wall)
    guard isAtFixedTime else { return moments }
    return [moments.first ?? clock.endOfGap(skipping: wall)]
  }

  /// Days and weekdays of wall time counted as if it were UTC.
  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()
}
