/// A picture of a table: the table has the numbers, the form decides how they are drawn.
///
/// A chart can therefore show no number that its table lacks. docs/decisions/010-report-design.md
/// says when to use which form.
package struct Chart: Sendable {
  /// The colour of a series; a tone has the same meaning in every chart.
  package enum Tone: String, Sendable {
    case main, blocked, quiet, good, middling, poor
  }

  package struct Series: Sendable {
    /// The column of the table.
    package var column: String
    package var title: String
    package var tone: Tone

    package init(_ column: String, _ title: String, _ tone: Tone) {
      self.column = column
      self.title = title
      self.tone = tone
    }
  }

  package var form: ChartForm
  /// The name of each row on the axis.
  package var labels: [String]
  /// The unit of the axis, for example "taps a day".
  package var unit: String
  /// The unit when counts by day are drawn by week; nil for other charts.
  package var weekUnit: String?
  /// A sentence about the picture, for people who do not see it.
  package var alternative: String
  package var table: Table
  /// Whether the table is shown below the picture; it is folded away otherwise.
  package var showsTable: Bool
  /// Rows of which the data is missing or not whole; a drawing of columns hatches them.
  package var uncovered: Set<Int> = []

  package init(
    form: ChartForm, labels: [String], unit: String, weekUnit: String? = nil, alternative: String,
    table: Table, showsTable: Bool = false
  ) {
    self.form = form
    self.labels = labels
    self.unit = unit
    self.weekUnit = weekUnit
    self.alternative = alternative
    self.table = table
    self.showsTable = showsTable
  }

  package var title: String { table.title }

  /// Whether it draws counts by day, so that a range of its days can be drawn alone.
  var isDaily: Bool {
    guard case .columns = form, !table.rows.isEmpty else { return false }
    return days.count == table.rows.count && !table.rows.contains(where: \.isTotal)
  }

  /// The day of each row that begins with one.
  var days: [CivilDay] {
    table.rows.compactMap { row in
      guard case .day(let day) = row.cells.first else { return nil }
      return day
    }
  }

  /// The series of a chart of columns; empty for other forms.
  var stackedSeries: [Series] {
    guard case .columns(let series) = form else { return [] }
    return series
  }
}

/// How the rows of a table are drawn.
package enum ChartForm: Sendable {
  /// One column a row, with its series stacked.
  case columns([Chart.Series])
  /// One point a row, joined by a line: a level over time on a fixed range.
  case line(Chart.Series, range: ClosedRange<Double>)
  /// One bar a row, as a part of the largest value.
  case bars(column: String, tones: [Chart.Tone])
  /// One stage a row, as a part of the first stage.
  case funnel(column: String)
  /// One square a cell; leaves out the first column.
  case heatMap
}

extension Array where Element == Int {
  /// Sums of equally many neighbours, at most `most` sums; only the first may have fewer.
  ///
  /// `of` is the number of neighbours in a sum: 1 when nothing is folded.
  func folded(to most: Int) -> (counts: [Int], of: Int) {
    guard most > 0, count > most else { return (self, 1) }
    let size = (count + most - 1) / most
    let first = count % size
    let starts = Swift.stride(from: first, to: count, by: size)
    let sums = starts.map { self[$0..<($0 + size)].reduce(0, +) }
    return ((first > 0 ? [self[..<first].reduce(0, +)] : []) + sums, size)
  }
}
