import Model
import Reports

/// What a drawing shows of its chart, beside the numbers of the table.
extension Chart {
  /// Whether the drawing shows what was expected of its days: not in columns of a week.
  var drawsExpected: Bool {
    isTimeline && !isSentence && !expected.isEmpty && !(isDaily && DayColumns(days).isWeekly)
  }

  /// The title of what the period before had; nil when it is not drawn.
  var previousTitle: String? {
    guard isDaily, !isSentence else { return nil }
    return table.columns.first { $0.id == previous }?.title
  }

  /// Whether the drawing shows the ranges of its shares.
  var drawsRanges: Bool {
    guard case .line(let series, _) = form, !isSentence else { return false }
    return table.cells(of: series.column).contains { if case .rate = $0 { true } else { false } }
  }

  /// What the pale area around shares says: docs/people.md#intervals.
  static let rangesTitle = "Range in 95 of 100 samples"
  /// What the pale area of a drawing says: `Usual, from six weeks`.
  static let expectedTitle = "Usual, from six weeks"

  /// `180 to 230`, or `4.10 to 4.42` of means.
  func span(of range: ClosedRange<Double>) -> String {
    [range.lowerBound, range.upperBound]
      .map { NumberWords.decimal($0, places: isDaily ? 0 : 2) }.joined(separator: " to ")
  }

  /// What was expected of the newest day, in words; nil when that is not known.
  var expectedWords: String? {
    guard isTimeline, let last = expected.last else { return nil }
    let days = NumberWords.counted(last.comparedDays, "same weekday")
    return "Usual on \(last.day.short), from \(days): \(span(of: last.range))"
  }

  /// Whether a range of its days can be chosen.
  var hasRange: Bool { isDaily && !isCompact && !isSentence }
}

/// The columns of counts by day: the days, or the weeks when there are many days.
///
/// The table below the chart keeps the days: `docs/reports.md#columns-by-day`.
struct DayColumns: Sendable {
  /// A quarter of a year; more columns would blur, under two pixels wide on a narrow page.
  static let mostDays = 92

  let isWeekly: Bool
  /// The indices of the days in each column.
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

  /// What a drawing says for people who do not see it.
  var words: String { isWeekly ? "Columns by week." : "Columns by day." }
}

extension Figure {
  /// The trend of three or more days of which two are known, if any of its numbers is not 0.
  var drawnTrend: [Int?]? {
    trend.flatMap { trend in
      let known = trend.compactMap(\.self)
      return trend.count > 2 && known.count > 1 && known.contains { $0 != 0 } ? trend : nil
    }
  }
}

extension Array where Element == Int? {
  /// Sums of equally many neighbours, at most `most` sums; only the first may have fewer.
  ///
  /// A sum with an unknown one is nil. `of` is the number of neighbours in a sum: 1
  /// when nothing is folded.
  func folded(to most: Int) -> (counts: [Int?], of: Int) {
    guard most > 0, count > most else { return (self, 1) }
    let size = (count + most - 1) / most
    let first = count % size
    let starts = Swift.stride(from: first, to: count, by: size)
    let sums = starts.map { Self.sum(self[$0..<($0 + size)]) }
    return ((first > 0 ? [Self.sum(self[..<first])] : []) + sums, size)
  }

  private static func sum(_ counts: ArraySlice<Int?>) -> Int? {
    let known = counts.compactMap(\.self)
    return known.count == counts.count ? known.reduce(0, +) : nil
  }
}
