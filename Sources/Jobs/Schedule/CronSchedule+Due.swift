package import Foundation
package import Model

extension CronSchedule {
  /// Days that a search looks at: every rule that can be due at all is so once in 40 years.
  private static let searchedDays: Int64 = 40 * 366

  /// The first due time after an instant; nil when there is none in 40 years.
  package func nextDue(after instant: Instant, timeZone: TimeZone) -> Instant? {
    let clock = WallClock(timeZone: timeZone)
    let today = Self.dayNumber(of: instant, clock)
    for day in (today - 1)...(today + Self.searchedDays) {
      if let due = dues(on: day, clock).first(where: { $0 > instant }) { return due }
    }
    return nil
  }

  /// The last due time up to and including an instant; nil when there was none in 40 years.
  package func lastDue(at instant: Instant, timeZone: TimeZone) -> Instant? {
    let clock = WallClock(timeZone: timeZone)
    let today = Self.dayNumber(of: instant, clock)
    for day in ((today - Self.searchedDays)...(today + 1)).reversed() {
      if let due = dues(on: day, clock).last(where: { $0 <= instant }) { return due }
    }
    return nil
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
