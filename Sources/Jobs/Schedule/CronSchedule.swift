package import Foundation
package import Model

/// A schedule in the five-field syntax of crontab(5).
///
/// For the syntax and changes of clocks see `docs/running.md#schedule`.
package struct CronSchedule: Hashable, Sendable {
  /// The five fields as written, or those that a nickname such as `@daily` stands for.
  package let fields: String
  let minute: CronField
  let hour: CronField
  let day: CronField
  let month: CronField
  let weekday: CronField

  package static let nicknames = [
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
  ]

  package init(parsing text: String) throws(CronSyntaxError) {
    let fields = try Self.expanded(text)
    let parts = fields.split { $0 == " " || $0 == "\t" }
    guard parts.count == 5 else {
      throw CronSyntaxError(
        description: "bad schedule: '\(text)' must have five fields "
          + "(minute, hour, day of month, month, day of week), not \(parts.count)")
    }
    minute = try CronField(parts[0], at: CronField.minute)
    hour = try CronField(parts[1], at: CronField.hour)
    day = try CronField(parts[2], at: CronField.day)
    month = try CronField(parts[3], at: CronField.month)
    weekday = try CronField(parts[4], at: CronField.weekday)
    self.fields = parts.joined(separator: " ")
    guard canBeDue else {
      throw CronSyntaxError(
        description: "bad schedule: '\(text)' is never due, none of its months is that long")
    }
  }

  /// Whether both schedules start at the same times, regardless of their notation.
  package func isSame(as other: CronSchedule) -> Bool {
    func values(_ schedule: CronSchedule) -> [[Int]] {
      [schedule.minute, schedule.hour, schedule.day, schedule.month, schedule.weekday].map(\.values)
    }
    return values(self) == values(other) && isEitherDayEnough == other.isEitherDayEnough
  }

  private static func expanded(_ text: String) throws(CronSyntaxError) -> String {
    let word = text.lowercased().filter { $0 != " " }
    guard word.hasPrefix("@") else { return text }
    guard let fields = nicknames[word] else {
      throw CronSyntaxError(
        description: "bad schedule: '\(text)' is not one of "
          + nicknames.keys.sorted().joined(separator: ", "))
    }
    return fields
  }

  private var canBeDue: Bool {
    let longest = [0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    let daysAlone = !isEitherDayEnough && !day.isStarred
    return !daysAlone
      || month.values.contains { month in (day.values.first ?? 1) <= longest[month] }
  }

  /// Whether day of month or day of week suffices; with a `*` in one of them both must hold.
  var isEitherDayEnough: Bool { !day.isStarred && !weekday.isStarred }

  func includes(month: Int, day: Int, weekday: Int) -> Bool {
    guard self.month.contains(month) else { return false }
    let isDay = self.day.contains(day)
    let isWeekday = self.weekday.contains(weekday)
    return isEitherDayEnough ? isDay || isWeekday : isDay && isWeekday
  }

  /// Whether the schedule names fixed times of the day, which clock changes must not skip or
  /// repeat.
  ///
  /// With `*` it follows the clock.
  var isAtFixedTime: Bool { !minute.isStarred && !hour.isStarred }
}

extension CronSchedule: CustomStringConvertible {
  package var description: String { fields }
}

/// The reason why a text is not a valid cron schedule.
package struct CronSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
}

extension CronSchedule {
  /// The number of days that a search covers: every schedule that can be due is due within 40
  /// years.
  private static let searchedDays: Int64 = 40 * 366

  /// Returns the last due time up to and including an instant; nil when there was none in 40 years.
  package func lastDue(at instant: Instant, timeZone: TimeZone) -> Instant? {
    let clock = WallClock(timeZone: timeZone)
    let today = Self.dayNumber(of: instant, clock)
    for day in ((today - Self.searchedDays)...(today + 1)).reversed() {
      if let due = dues(on: day, clock).last(where: { $0 <= instant }) { return due }
    }
    return nil
  }

  /// Returns the due times after `start`, up to and including `end`, in ascending order.
  package func dues(after start: Instant, through end: Instant, timeZone: TimeZone) -> [Instant] {
    guard start < end else { return [] }
    let clock = WallClock(timeZone: timeZone)
    let days = (Self.dayNumber(of: start, clock) - 1)...(Self.dayNumber(of: end, clock) + 1)
    // The end of a gap can also be a due time of the day before.
    let found = Set(days.flatMap { dues(on: $0, clock) })
    return found.filter { start < $0 && $0 <= end }.sorted()
  }

  /// Returns the first due time after `start`, up to and including `end`; nil when there is none.
  package func firstDue(after start: Instant, through end: Instant, timeZone: TimeZone) -> Instant?
  {
    guard start < end else { return nil }
    let clock = WallClock(timeZone: timeZone)
    let days = (Self.dayNumber(of: start, clock) - 1)...(Self.dayNumber(of: end, clock) + 1)
    return days.lazy.compactMap { day in
      dues(on: day, clock).first { start < $0 && $0 <= end }
    }.first
  }

  /// Returns the interval for the end of a sentence: `every 10 minutes`, or the fields themselves.
  ///
  /// It assumes a clock that never changes, so that every day has 24 hours.
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

  /// Returns the local day, in days since 1970-01-01.
  private static func dayNumber(of instant: Instant, _ clock: WallClock) -> Int64 {
    clock.wallSeconds(at: instant.unixSeconds).floored(by: 86_400).quotient
  }

  /// Returns the due times on one local day, in ascending order.
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

  /// A calendar for local times that are counted as if they were UTC.
  private static let calendar = Calendar(in: .gmt)

  /// Returns the same times as values of `OnCalendar=`, in the syntax of systemd.time(7).
  ///
  /// There are two values when either day field suffices, else one. The time zone is an IANA name
  /// such as "Europe/Berlin". systemd skips the repeated hour in autumn, so a schedule that starts
  /// in every hour of every day is written in UTC.
  package func calendarEvents(in timeZone: String) -> [String] {
    if let minutes = everyHourMinutes(in: timeZone) {
      return ["*-*-* *:\(Self.list(minutes, in: CronField.minute.range)):00 UTC"]
    }
    let everyDay = "*"
    let days = Self.list(day.values, in: CronField.day.range)
    let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let weekdays =
      weekday.values.count == names.count
      ? "" : weekday.values.map { names[$0] }.joined(separator: ",")
    let dates: [(weekdays: String, day: String)] =
      isEitherDayEnough
      ? [(weekdays: "", day: days), (weekdays: weekdays, day: everyDay)]
      : [(weekdays: weekdays, day: days)]
    let months = Self.list(month.values, in: CronField.month.range)
    let time =
      Self.list(hour.values, in: CronField.hour.range) + ":"
      + Self.list(minute.values, in: CronField.minute.range) + ":00"
    return dates.map { date in
      [date.weekdays, "*-\(months)-\(date.day)", time, timeZone]
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  /// Returns the minutes in UTC if the schedule starts in every hour of every day; nil for other
  /// schedules, or when the minutes differ in summer.
  private func everyHourMinutes(in timeZone: String) -> [Int]? {
    let fields = [
      (hour, CronField.hour), (day, CronField.day), (month, CronField.month),
    ]
    guard fields.allSatisfy({ $0.values.count == $1.range.count }), weekday.values.count == 7,
      let zone = TimeZone(identifier: timeZone)
    else { return nil }
    // One day in each month of the next 20 years, from a fixed date in 2026.
    let offsets = Set(
      (0..<240).map { month in
        let date = Date(timeIntervalSince1970: 1_795_824_000 + Double(month) * 30.4 * 86_400)
        return zone.secondsFromGMT(for: date) / 60
      })
    let minutes = Set(
      offsets.map { offset in
        minute.values.map { (($0 - offset) % 60 + 60) % 60 }.sorted()
      })
    return minutes.count == 1 ? minutes.first : nil
  }

  /// Returns the shortest of "*", "first/step" up to the end of the range, and "first,second".
  ///
  /// A step that does not divide the range becomes a list: systemd 252 continues such a step beyond
  /// the end, and so skips the first value of the next hour, day or month.
  private static func list(_ values: [Int], in range: ClosedRange<Int>) -> String {
    let texts = values.map { $0 < 10 ? "0\($0)" : "\($0)" }
    guard values.count > 2 else { return texts.joined(separator: ",") }
    let step = values[1] - values[0]
    let isEven = zip(values, values.dropFirst()).allSatisfy { $1 - $0 == step }
    guard isEven, step * values.count == range.count else {
      return texts.joined(separator: ",")
    }
    return step == 1 && values[0] == range.lowerBound ? "*" : "\(texts[0])/\(step)"
  }
}
