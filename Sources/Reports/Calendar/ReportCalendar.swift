package import Foundation
package import Model

/// The days, hours and weekdays of a report's time zone.
package struct ReportCalendar: Sendable {
  /// An instant as a clock on the wall shows it.
  package struct LocalTime: Hashable, Sendable {
    package var day: CivilDay
    package var hour: Int
    package var minute: Int
  }

  /// The zone in use; `GMT` stands in for a name that this machine does not know.
  package let zone: TimeZone
  /// Whether the zone that was asked for is the one in use.
  package let knowsZone: Bool
  private let calendar: Calendar

  package init(timeZone name: String) {
    let known = TimeZone(identifier: name)
    zone = known ?? .gmt
    knowsZone = known != nil
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    self.calendar = calendar
  }

  package func localTime(_ instant: Instant) -> LocalTime {
    let parts = calendar.dateComponents(
      [.year, .month, .day, .weekday, .hour, .minute], from: instant.date)
    return LocalTime(
      day: CivilDay(
        year: parts.year ?? 1970, month: parts.month ?? 1, day: parts.day ?? 1,
        weekday: ((parts.weekday ?? 5) + 5) % 7 + 1),
      hour: parts.hour ?? 0, minute: parts.minute ?? 0)
  }

  package func day(of instant: Instant) -> CivilDay { localTime(instant).day }

  /// The days that the span touches, oldest first; none when it is empty.
  ///
  /// The start is inside the span, the end is not.
  package func days(from start: Instant, to end: Instant) -> [CivilDay] {
    guard start < end else { return [] }
    let last = day(of: end - .microseconds(1))
    var days: [CivilDay] = []
    var midnight = calendar.startOfDay(for: start.date)
    while days.count < ReportCalendar.mostDays {
      let day = day(of: Instant(midnight))
      guard day <= last, let next = calendar.date(byAdding: .day, value: 1, to: midnight) else {
        break
      }
      days.append(day)
      midnight = calendar.startOfDay(for: next)
    }
    return days
  }

  /// A bound against a period set by mistake to centuries: ten years of days.
  private static let mostDays = 3_660

  /// The Monday of the day's week.
  package func monday(of instant: Instant) -> CivilDay {
    let back = 1 - day(of: instant).weekday
    let date = calendar.date(byAdding: .day, value: back, to: instant.date) ?? instant.date
    return day(of: Instant(date))
  }
}
