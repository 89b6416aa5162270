package import Foundation
package import Model

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
  case dates(from: ReportDay, to: ReportDay)

  package static let dayCounts = 1...366
  package static let byDefault = ReportPeriod.days(7)

  /// The periods that a word names.
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
      let parts = text.split(separator: "..", omittingEmptySubsequences: false)
      guard parts.count == 2, let first = ReportDay(parts[0]), let last = ReportDay(parts[1]),
        Self.dayCounts.contains(first.count(to: last))
      else { return nil }
      self = .dates(from: first, to: last)
    }
  }

  /// From the first instant to the one after the last; nil when none of it has come yet.
  ///
  /// A period that today belongs to ends now, which belongs to it as well.
  package func span(at now: Instant, in zone: TimeZone) -> Range<Instant>? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
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

/// A day as files and the command line write it: `2026-11-01`.
package struct ReportDay: Hashable, Comparable, Sendable {
  package let text: String
  /// The day's midnight in UTC, by which days are counted and compared.
  private let midnight: Instant

  /// Nil for anything but a day of the Gregorian calendar in this form.
  package init?(_ text: some StringProtocol) {
    let text = String(text)
    guard text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil,
      let midnight = Instant(iso8601: "\(text)T00:00:00Z")
    else { return nil }
    self.text = text
    self.midnight = midnight
  }

  package static func < (left: ReportDay, right: ReportDay) -> Bool {
    left.midnight < right.midnight
  }

  /// Days from this one to the other, both counted.
  func count(to last: ReportDay) -> Int {
    Int((last.midnight - midnight).components.seconds / 86_400) + 1
  }

  /// The first instant of the day in a zone, or of the day so many after it.
  func start(in calendar: Calendar, after days: Int = 0) -> Date {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    let noon = DateComponents(year: parts[0], month: parts[1], day: parts[2] + days, hour: 12)
    return calendar.startOfDay(for: calendar.date(from: noon) ?? midnight.date)
  }
}
