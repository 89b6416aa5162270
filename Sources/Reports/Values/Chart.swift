/// A picture of a table: the table holds the numbers, the form says how they are drawn.
///
/// Every chart can therefore be read as its table, and cannot show a number that the table lacks.
/// docs/decisions/010-report-design.md says which form is used when.
package struct Chart: Sendable {
  /// How a series is coloured, the same meaning everywhere.
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

  package enum Form: Sendable {
    /// One column a row, the series stacked.
    case columns([Series])
    /// One point a row, joined: a level over time, on the given range.
    case line(Series, range: ClosedRange<Double>)
    /// One bar a row, the whole being the given number or the largest value.
    case bars(column: String, tones: [Tone])
    /// Each row a stage, drawn as a part of the first.
    case funnel(column: String)
    /// Each row a row of squares; every column but the first is drawn.
    case heatMap
  }

  package var form: Form
  /// The column whose cells name the rows on the axis, often shortly.
  package var labels: [String]
  /// What one unit on the axis is, for example "taps a day".
  package var unit: String
  /// The same of a week, where counts of days are drawn by the week; nil for other charts.
  package var weekUnit: String?
  /// What the picture shows, in a sentence, for those who do not see it.
  package var alternative: String
  package var table: Table
  /// Whether the numbers deserve a table beside the picture, or wait folded beneath it.
  package var showsTable: Bool

  package init(
    form: Form, labels: [String], unit: String, weekUnit: String? = nil, alternative: String,
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

  /// Whether it draws counts of single days, so that a part of its days is a picture too.
  var isDaily: Bool {
    guard case .columns = form, !table.rows.isEmpty else { return false }
    return days.count == table.rows.count && !table.rows.contains(where: \.isTotal)
  }

  /// The days that rows begin with.
  var days: [CivilDay] {
    table.rows.compactMap { row in
      guard case .day(let day) = row.cells.first else { return nil }
      return day
    }
  }

  /// The series that columns are drawn of; empty for other forms.
  var stackedSeries: [Series] {
    guard case .columns(let series) = form else { return [] }
    return series
  }
}
