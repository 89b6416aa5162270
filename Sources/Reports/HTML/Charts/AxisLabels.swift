/// Which labels of a long axis are written: at most so many, evenly, the first always; of many days
/// the first of each month.
struct AxisLabels: Sendable {
  /// Beyond this many days a person thinks in months.
  private static let mostSingleDays = 62

  /// By column, the row whose label is written, and whether it gives way on a narrow page.
  private let places: [(row: Int?, isMinor: Bool)]

  init(count: Int, most: Int = 8) {
    let stride = max(1, (count + most - 1) / most)
    self.init((0..<count).map { $0 % stride == 0 ? $0 : nil })
  }

  /// The labels of columns by day or by week.
  init(_ columns: DayColumns, of days: [CivilDay]) {
    guard days.count > AxisLabels.mostSingleDays else {
      self.init(count: days.count)
      return
    }
    let count = columns.days.count
    // A label in the last twentieth would reach over the edge.
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

  /// The row whose label stands under a column; nil for none.
  func row(under index: Int) -> Int? { places[index].row }

  /// Every second written label gives way on a narrow page.
  func isMinor(_ index: Int) -> Bool { places[index].isMinor }
}
