package import Foundation
package import Model
import Store

/// The days, hours and weekdays of a report's time zone.
package struct ReportCalendar: Sendable {
  /// An instant in the time of the zone.
  package struct LocalTime: Hashable, Sendable {
    package var day: CivilDay
    package var hour: Int
    package var minute: Int
  }

  /// The zone in use: `GMT` when this machine does not know the requested zone.
  package let zone: TimeZone
  /// Whether the requested zone is in use.
  package let knowsZone: Bool

  package init(timeZone name: String) {
    zone = TimeZone(knownOrUTC: name)
    knowsZone = TimeZone(identifier: name) != nil
  }

  package func localTime(_ instant: Instant) -> LocalTime {
    let wall = WallTime(instant, in: zone)
    return LocalTime(
      day: CivilDay(wall.day), hour: Int(wall.second / 3_600), minute: Int(wall.second / 60 % 60))
  }

  package func day(of instant: Instant) -> CivilDay { localTime(instant).day }

  /// The days that the span from `start` to `end` (exclusive) touches, oldest first.
  package func days(from start: Instant, to end: Instant) -> [CivilDay] {
    LocalDay.days(
      touching: start..<max(start, end), in: zone.identifier, limit: Self.mostDays
    ).map { day(of: $0.start) }
  }

  /// Ten years of days: a bound for a period that was set to centuries by mistake.
  private static let mostDays = 3_660
}

/// A day of the calendar, without a time zone.
package struct CivilDay: Hashable, Comparable, Sendable {
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
  package var day: Int

  /// Days from this one to another; below 0 for an earlier one.
  package func distance(to other: CivilDay) -> Int { other.number - number }

  /// Days since 1 March of the year 0 in the Gregorian calendar.
  private var number: Int {
    let years = month > 2 ? year : year - 1
    let months = month > 2 ? month - 3 : month + 9
    return 365 * years + years / 4 - years / 100 + years / 400 + (153 * months + 2) / 5 + day - 1
  }

  /// 1 for Monday to 7 for Sunday.
  package var weekday: Int { (number + 2) % 7 + 1 }

  package static func < (left: CivilDay, right: CivilDay) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// `2026-03-02`.
  package var iso8601: String {
    let zeros = String(repeating: "0", count: max(0, 4 - "\(year)".utf8.count))
    return "\(zeros)\(year)-\(CivilDay.twoDigits(month))-\(CivilDay.twoDigits(day))"
  }

  /// `Mon 2 Mar 2026`.
  package var long: String { "\(weekdayName) \(day) \(monthName) \(year)" }

  /// `2 Mar 2026`.
  package var plain: String { "\(day) \(monthName) \(year)" }

  /// `2 Mar`.
  package var short: String { "\(day) \(monthName)" }

  package var weekdayName: String { CivilDay.weekdayNames[weekday - 1] }

  package var monthName: String { CivilDay.monthNames[month - 1] }

  /// `Sunday`.
  var weekdayTitle: String { CivilDay.weekdayTitles[weekday - 1] }

  private static let weekdayTitles = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  package static let weekdayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  package static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}

extension CivilDay {
  package init(_ date: GregorianDate) {
    self.init(year: Int(date.year), month: Int(date.month), day: Int(date.day))
  }

  /// Nil for anything but a day of the Gregorian calendar as `2026-03-02`.
  package init?(iso8601 text: String) {
    guard let match = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/),
      let year = Int64(match.output.1), let month = Int64(match.output.2),
      let day = Int64(match.output.3), year > 0,
      let date = GregorianDate(year: year, month: month, day: day)
    else { return nil }
    self.init(date)
  }

  /// The first instant of the day in a zone, or of the day `days` later.
  package func start(in calendar: Calendar, after days: Int = 0) -> Date {
    if self < Self.firstOfCalendars { return gregorianStart(in: calendar, after: days) }
    let noon = DateComponents(year: year, month: month, day: day + days, hour: 12)
    guard let date = calendar.date(from: noon) else { preconditionFailure("a day has a noon") }
    return calendar.startOfDay(for: date)
  }

  /// Foundation's calendars have the Julian days before this one.
  private static let firstOfCalendars = CivilDay(year: 1582, month: 10, day: 15)

  /// `start(in:after:)` for a day before any zone changed its clocks.
  private func gregorianStart(in calendar: Calendar, after days: Int) -> Date {
    let date = GregorianDate(year: Int64(year), month: Int64(month), day: Int64(day))
    let utc = ((date?.daysSince1970 ?? 0) + Int64(days)) * 86_400
    let offset = calendar.timeZone.secondsFromGMT(for: Instant(unixSeconds: utc).date)
    return Instant(unixSeconds: utc - Int64(offset)).date
  }
}

extension ReportCalendar {
  /// The hours of the week that the span from `start` to `end` (exclusive) touches: by weekday (0
  /// for Monday), then hour.
  ///
  /// Quarters of an hour that begin within one of the `gaps` do not count.
  package func hoursOfWeek(
    from start: Instant, to end: Instant, without gaps: [Range<Instant>] = []
  ) -> [[Bool]] {
    var touched = Array(repeating: Array(repeating: false, count: 24), count: 7)
    var left = 7 * 24
    var at = start
    // Zones differ by quarters of an hour, and clocks change by less than an hour in some.
    while at < end, left > 0 {
      let local = localTime(at)
      if !gaps.contains(where: { $0.contains(at) }), !touched[local.day.weekday - 1][local.hour] {
        touched[local.day.weekday - 1][local.hour] = true
        left -= 1
      }
      at = at + .seconds(900)
    }
    return touched
  }

  /// An hour of the clock that a day has twice, because clocks are put back within or after it.
  struct RepeatedHour: Hashable {
    var day: CivilDay
    var hour: Int
  }

  /// Those that the span from `start` to `end` (exclusive) touches the second time, oldest first.
  func repeatedHours(from start: Instant, to end: Instant) -> [RepeatedHour] {
    var found: [RepeatedHour] = []
    var at = start
    while found.count < ReportCalendar.mostDays,
      let change = zone.nextDaylightSavingTimeTransition(after: at.date).map(Instant.init),
      change < end, at < change
    {
      let back =
        zone.secondsFromGMT(for: (change - .seconds(1)).date)
        - zone.secondsFromGMT(for: change.date)
      for passed in stride(from: 0, to: max(back, 0), by: 900) {
        let local = localTime(change + .seconds(passed))
        let hour = RepeatedHour(day: local.day, hour: local.hour)
        if change + .seconds(passed) < end, found.last != hour { found.append(hour) }
      }
      at = change
    }
    return found
  }
}

extension ReportCalendar.LocalTime {
  /// `07:30`.
  var clock: String { "\(CivilDay.twoDigits(hour)):\(CivilDay.twoDigits(minute))" }
}

/// Instants and periods in words, in the report's time zone.
package struct TimeWords: Sendable {
  package let calendar: ReportCalendar
  package let now: Instant

  package init(context: ReportContext) {
    calendar = ReportCalendar(timeZone: context.timeZone)
    now = context.now
  }

  package init(timeZone: String, now: Instant) {
    calendar = ReportCalendar(timeZone: timeZone)
    self.now = now
  }

  /// `05:33` of today, `Sun 1 Mar, 05:33` of another day.
  package func clock(_ instant: Instant) -> String {
    let local = calendar.localTime(instant)
    guard local.day != calendar.day(of: now) else { return local.clock }
    return "\(local.day.weekdayName) \(local.day.short), \(local.clock)"
  }

  /// `2 Mar 2026, 07:30`.
  package func dateAndTime(_ instant: Instant) -> String {
    let local = calendar.localTime(instant)
    return "\(local.day.plain), \(local.clock)"
  }

  /// `3 hours ago`; `in 5 min` for an instant in the future.
  package func distance(to instant: Instant) -> String {
    let seconds = (now - instant).fractionalSeconds
    if seconds < 0 { return "in \(NumberWords.roughly(seconds: -seconds))" }
    return seconds < 60 ? "just now" : "\(NumberWords.roughly(seconds: seconds)) ago"
  }

  /// `3 hours ago` for what has happened: a clock that is slightly ahead makes `just now` of it,
  /// and so does a run that takes a while under `--now`.
  package func ago(_ instant: Instant) -> String {
    distance(to: instant.counts(at: now) ? min(instant, now) : instant)
  }

  /// `Newest event: 3 hours ago`, or `Newest event: never`.
  package func freshness(of data: Report.DataTime) -> String {
    "\(data.label): \(data.at.map(distance) ?? "never")"
  }

  /// `16 Feb – 1 Mar 2026 (14 days)` for whole days; both times for any other period.
  package func period(from start: Instant, to end: Instant) -> String {
    let first = calendar.localTime(start)
    let after = calendar.localTime(end)
    let days = calendar.days(from: start, to: end)
    guard first.hour + first.minute + after.hour + after.minute == 0, let last = days.last else {
      return "\(dateAndTime(start)) – \(dateAndTime(end))"
    }
    let count = NumberWords.counted(days.count, "day")
    if first.day == last { return "\(first.day.plain) (1 day)" }
    let from = first.day.year == last.year ? first.day.short : first.day.plain
    return "\(from) – \(last.plain) (\(count))"
  }
}

/// Which days a report covers; see `docs/jobs/report.md`.
package enum ReportPeriod: Hashable, Sendable {
  /// So many days up to now, the first of them from midnight.
  case days(Int)
  case yesterday
  /// The seven days before this week's Monday.
  case lastWeek
  /// The calendar month before this one.
  case lastMonth
  /// Both days included.
  case dates(from: CivilDay, to: CivilDay)

  package static let dayCounts = 1...366
  package static let byDefault = ReportPeriod.days(7)

  package static let names = ["yesterday", "last-week", "last-month"]

  /// What `init(_:)` takes, after "must be".
  package static let wanted =
    "yesterday, last-week, last-month, or two days such as 2026-11-01..2026-11-14, the first not "
    + "after the second, at most \(dayCounts.upperBound) days"

  /// Nil for anything but `wanted`.
  package init?(_ text: String) {
    switch text {
    case "yesterday": self = .yesterday
    case "last-week": self = .lastWeek
    case "last-month": self = .lastMonth
    default:
      let days = text.split(separator: "..", omittingEmptySubsequences: false)
        .map { CivilDay(iso8601: String($0)) }
      guard days.count == 2, let first = days[0], let last = days[1],
        Self.dayCounts.contains(first.distance(to: last) + 1)
      else { return nil }
      self = .dates(from: first, to: last)
    }
  }

  /// From the first instant to the one after the last; nil when none of it has come yet.
  ///
  /// A period that today belongs to ends now, which belongs to it as well.
  package func span(at now: Instant, in zone: TimeZone) -> Range<Instant>? {
    let calendar = Calendar(in: zone)
    let (start, end) = bounds(today: calendar.startOfDay(for: now.date), calendar)
    let last = min(Instant(end), now + .microseconds(1))
    return Instant(start) < last ? Instant(start)..<last : nil
  }

  private func bounds(today: Date, _ calendar: Calendar) -> (start: Date, end: Date) {
    func day(_ offset: Int, from date: Date) -> Date {
      calendar.startOfDay(for: calendar.date(byAdding: .day, value: offset, to: date) ?? date)
    }
    switch self {
    case .days(let count): return (day(1 - count, from: today), day(1, from: today))
    case .yesterday: return (day(-1, from: today), today)
    case .lastWeek:
      let weekday = calendar.component(.weekday, from: today)
      let monday = day(-((weekday + 5) % 7), from: today)
      return (day(-7, from: monday), monday)
    case .lastMonth:
      let first = day(1 - calendar.component(.day, from: today), from: today)
      let lastOfMonth = day(-1, from: first)
      return (day(1 - calendar.component(.day, from: lastOfMonth), from: lastOfMonth), first)
    case .dates(let first, let last):
      return (first.start(in: calendar), last.start(in: calendar, after: 1))
    }
  }
}

/// What is counted of a period, in all and by day, and on both sides of its comparison.
struct PeriodTally<Counts> {
  let context: ReportContext
  let calendar: ReportCalendar
  let comparison: ComparisonWords
  let days: [CivilDay]
  /// The days without a known event.
  let unknown: Set<CivilDay>
  /// Today while its export has not come.
  let awaitedToday: CivilDay?
  private(set) var current: Counts
  /// The two sides of the comparison.
  private(set) var compared: Counts
  private(set) var previous: Counts
  private(set) var byDay: [CivilDay: Counts] = [:]
  private let none: Counts
  /// The instant that was counted last, with its day.
  private var last: (at: Instant, day: CivilDay)?

  init(from none: Counts, _ context: ReportContext) {
    self.context = context
    calendar = ReportCalendar(timeZone: context.timeZone)
    comparison = ComparisonWords(context)
    days = calendar.days(from: context.start, to: context.end)
    unknown = Set(context.unknownDays.map(calendar.day(of:)))
    awaitedToday = context.awaitedToday.map(calendar.day(of:))
    (self.none, current, compared, previous) = (none, none, none, none)
  }

  /// Counts something that happened at an instant, on the sides that this lies on.
  mutating func add(
    at instant: Instant, on sides: ReportRelations.Sides? = nil, _ count: (inout Counts) -> Void
  ) {
    let sides = sides ?? ReportRelations.sides(of: instant, context)
    if sides.inWhole { count(&compared) }
    if sides.inBefore { count(&previous) }
    guard sides.inPeriod else { return }
    count(&current)
    let day = last.flatMap { $0.at == instant ? $0.day : nil } ?? calendar.day(of: instant)
    last = (instant, day)
    let none = none
    count(&byDay[day, default: none])
  }

  /// The days whose counts say nothing: the unknown ones, and today before its export.
  var uncounted: Set<CivilDay> { unknown.union([awaitedToday].compactMap(\.self)) }

  /// One of the numbers for each day of the period, with nil for some days.
  func byDay(_ number: KeyPath<Counts, Int>, without unknown: Set<CivilDay> = []) -> [Int?] {
    days.map { unknown.contains($0) ? nil : byDay[$0]?[keyPath: number] ?? 0 }
  }

  /// A number of the period with its change, without any where nothing is known.
  func figure(
    _ id: String, _ label: String, _ number: KeyPath<Counts, Int>, isUnknown: Bool,
    trend: [Int?]?, section: String, change: (_ previous: Int, _ compared: Int) -> Figure.Change
  ) -> Figure {
    Figure(
      id: id, label: label, value: isUnknown ? .missing : .count(current[keyPath: number]),
      trend: trend, section: section
    ).compared(change(previous[keyPath: number], compared[keyPath: number]))
  }
}
