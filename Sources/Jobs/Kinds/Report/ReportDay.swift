import Foundation
import Model

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
