/// The ticks of an axis from zero: few and round numbers.
struct AxisScale: Hashable, Sendable {
  /// From 0, evenly spaced; the last is at or above the largest value.
  let ticks: [Int]

  init(most: Double) {
    let step = AxisScale.step(for: most)
    let count = max(1, Int((most / Double(step)).rounded(.up)))
    ticks = (0...count).map { $0 * step }
  }

  var top: Double { Double(ticks.last ?? 1) }

  /// A tick in at most six characters: 250; 7,500; 12.5k; 0.25M; 2bn.
  func words(_ tick: Int) -> String {
    let units = [(1_000_000_000, "bn", 1), (1_000_000, "M", 1), (1_000, "k", 10)]
    for (unit, sign, least) in units where tick > 0 && top >= Double(least * unit) {
      let (whole, rest) = tick.quotientAndRemainder(dividingBy: unit)
      let hundredths = rest / (unit / 100)
      let fraction = SVGNumber.text(Double(hundredths) / 100).dropFirst()
      return "\(NumberWords.grouped(whole))\(fraction)\(sign)"
    }
    return NumberWords.grouped(tick)
  }

  /// The smallest of 1, 2, 5, 10, 20, 50 and so on that needs at most five steps.
  private static func step(for most: Double) -> Int {
    var power = 1
    while power < 1_000_000_000_000_000 {
      for step in [power, 2 * power, 5 * power] where Double(5 * step) >= most { return step }
      power *= 10
    }
    return power
  }
}

/// The labels of an axis that are written: a few, evenly spaced, beginning with the first.
struct AxisLabels: Sendable {
  /// A longer period has labels by month.
  private static let mostSingleDays = 62

  /// By column: the row whose label is written, and whether a narrow page hides it.
  private let places: [(row: Int?, isMinor: Bool)]

  init(count: Int, most: Int = 8) {
    let stride = max(1, (count + most - 1) / most)
    self.init((0..<count).map { $0 % stride == 0 ? $0 : nil })
  }

  /// The labels of columns by day or by week; of a long period, the first day of each month.
  init(_ columns: DayColumns, of days: [CivilDay]) {
    guard days.count > AxisLabels.mostSingleDays else {
      self.init(count: days.count)
      return
    }
    let count = columns.days.count
    // A label in the last twentieth would overlap the edge.
    self.init(
      columns.days.enumerated().map { index, rows in
        (2 * (count - index) - 1) * 10 >= count ? rows.first { days[$0].day == 1 } : nil
      })
  }

  private init(_ rows: [Int?]) {
    var count = 0
    places = rows.map { row in
      count += row == nil ? 0 : 1
      return (row, count % 2 == 0)
    }
  }

  func isWritten(_ index: Int) -> Bool { places[index].row != nil }

  /// The row whose label is written under a column; nil for none.
  func row(under index: Int) -> Int? { places[index].row }

  /// Whether a narrow page hides the label: every second one.
  func isMinor(_ index: Int) -> Bool { places[index].isMinor }
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
