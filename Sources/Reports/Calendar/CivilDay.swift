/// A day of the calendar, wherever its midnight falls.
package struct CivilDay: Hashable, Comparable, Sendable {
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
  package var day: Int
  /// 1 for Monday to 7 for Sunday.
  package var weekday: Int

  package init(year: Int, month: Int, day: Int, weekday: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.weekday = weekday
  }

  package static func < (left: CivilDay, right: CivilDay) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  /// `2026-03-02`.
  package var iso8601: String {
    "\(year)-\(CivilDay.twoDigits(month))-\(CivilDay.twoDigits(day))"
  }

  /// `Mon 2 Mar 2026`.
  package var long: String { "\(weekdayName) \(day) \(monthName) \(year)" }

  /// `2 Mar 2026`.
  package var plain: String { "\(day) \(monthName) \(year)" }

  /// `2 Mar`.
  package var short: String { "\(day) \(monthName)" }

  package var isWeekend: Bool { weekday >= 6 }

  package var weekdayName: String { CivilDay.weekdayNames[weekday - 1] }

  package var monthName: String { CivilDay.monthNames[month - 1] }

  package static let weekdayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  package static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
