/// The columns that counts by day are drawn as: the days, or their weeks where there are many.
///
/// `docs/reports.md#columns-by-day`; the table beneath keeps the days.
struct DayColumns: Sendable {
  /// A quarter of a year; more columns would be thinner than two pixels on a narrow page, and blur.
  static let mostDays = 92

  let isWeekly: Bool
  /// The days of each column by their place, in order.
  ///
  /// A week begins on Monday; the first and the last may be cut short.
  let days: [Range<Int>]

  init(_ days: [CivilDay]) {
    isWeekly = days.count > DayColumns.mostDays
    let starts = days.indices.filter { [isWeekly] in
      !isWeekly || $0 == 0 || days[$0].weekday == 1
    }
    self.days = zip(starts, starts.dropFirst() + [days.count]).map { $0..<$1 }
  }

  /// What a drawing of them says of itself to those who do not see it.
  var words: String { isWeekly ? "Columns by week." : "Columns by day." }
}
