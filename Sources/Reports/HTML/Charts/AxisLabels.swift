/// Which labels of a long axis are written: at most so many, evenly, the first always; of many days
/// the first of each month.
struct AxisLabels: Sendable {
  /// Beyond this many days a person thinks in months.
  private static let mostSingleDays = 62

  /// By index, whether a label is written, and whether it gives way on a narrow page.
  private let places: [(isWritten: Bool, isMinor: Bool)]

  init(count: Int, most: Int = 8) {
    let stride = max(1, (count + most - 1) / most)
    self.init((0..<count).map { $0 % stride == 0 })
  }

  /// The labels of a chart's rows.
  init(_ chart: Chart) {
    let days = chart.isDaily ? chart.days : []
    guard days.count > AxisLabels.mostSingleDays else {
      self.init(count: chart.labels.count)
      return
    }
    // A label in the last twentieth would reach over the edge.
    self.init(
      days.enumerated().map { index, day in
        day.day == 1 && (days.count - index) * 20 >= days.count
      })
  }

  private init(_ written: [Bool]) {
    var count = 0
    places = written.map { isWritten in
      count += isWritten ? 1 : 0
      return (isWritten, count % 2 == 0)
    }
  }

  func isWritten(_ index: Int) -> Bool { places[index].isWritten }

  /// Every second written label gives way on a narrow page.
  func isMinor(_ index: Int) -> Bool { places[index].isMinor }
}
