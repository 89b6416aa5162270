import Model

/// A picture of a table: the table has the numbers, the form decides how they are drawn.
///
/// A chart can therefore show no number that its table lacks. docs/decisions/010-report-design.md
/// says when to use which form.
package struct Chart: Sendable {
  /// The colour of a series; a tone has the same meaning in every chart.
  package enum Tone: String, CaseIterable, Sendable {
    case main, blocked, quiet, good, middling, poor
  }

  package struct Series: Hashable, Sendable {
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

  /// Something that may explain a change in the counts: a vertical line in a drawing by day.
  package struct Mark: Hashable, Sendable {
    package enum Kind: String, Sendable {
      case setting, release, outage
    }

    package var day: CivilDay
    package var kind: Kind
    /// For example "refresh limit 2 → 5".
    package var words: String
  }

  /// What eight of ten days have that are like the same weekdays of six weeks before.
  package struct ExpectedDay: Hashable, Sendable {
    package var day: CivilDay
    package var range: ClosedRange<Double>
    /// The number of same weekdays that it comes from.
    package var comparedDays: Int
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
  package var showsTable = false
  /// Oldest first; only for charts by day.
  package var marks: [Mark] = []
  /// What was to be expected of its days, oldest first, where it is known; only for columns by day
  /// and a line of means.
  package var expected: [ExpectedDay] = []
  /// The column of what the period before had, as a dash across each column; nil for none.
  ///
  /// Only for columns by day.
  package var previous: String?
  /// Whether the drawing is low and has no choice of days, for the index.
  package var isCompact = false
  /// Rows whose data is missing or not whole; a drawing over time hatches them.
  package var uncovered: Set<Int> = []
  /// What a heat map says of a cell without a number.
  package var absence = "not in the period"

  package var title: String { table.title }

  /// Whether it draws counts by day, so that a range of its days can be drawn alone.
  package var isDaily: Bool {
    guard case .columns = form, !table.rows.isEmpty else { return false }
    return days.count == table.rows.count && !table.rows.contains(where: \.isTotal)
  }

  /// Whether its rows are days or weeks in their order, so that marks have a place.
  package var isTimeline: Bool {
    if isDaily { return true }
    guard case .line = form, !table.rows.isEmpty else { return false }
    return days.count == table.rows.count
  }

  /// The row in which a day lies; nil for a day before the first one or after the last.
  ///
  /// A row lasts until the next one begins, the last as long as the one before it.
  private func row(of day: CivilDay) -> Int? {
    let days = days
    guard let row = days.lastIndex(where: { $0 <= day }) else { return nil }
    if row < days.count - 1 { return row }
    let length = days.count < 2 ? 1 : days[row - 1].distance(to: days[row])
    return days[row].distance(to: day) < length ? row : nil
  }

  /// Whether a day lies in one of its rows.
  func holds(_ day: CivilDay) -> Bool { row(of: day) != nil }

  /// Whether it has so few points that words say them better: docs/reports/form.md#charts.
  package var isSentence: Bool { (1...2).contains(points.count) }

  /// The rows with a value in any of the columns.
  private var points: [Int] {
    let values = series.map { table.values(of: $0.column) }
    return labels.indices.filter { row in
      values.contains { $0.indices.contains(row) && $0[row] != nil }
    }
  }

  /// Its points in words, such as `27 Feb: performed 903, blocked 287.` and so on.
  package func sentence(_ words: CellWords) -> String {
    let rows = table.rows.filter { !$0.isTotal }
    return points.map { row in
      let values = series.compactMap { one in
        table.columns.firstIndex { $0.id == one.column }.map {
          "\(one.title.lowercased()) \(words.words(rows[row].cells[$0]))"
        }
      }
      return "\(labels[row]): \(values.joined(separator: ", "))."
    }.joined(separator: " ")
  }

  /// The marks of one day.
  package struct MarkedDay {
    /// The number in the drawing, from 1.
    package var number: Int
    /// The row that the day lies in.
    package var row: Int
    package var day: CivilDay
    package var words: String
  }

  /// The marks of each day that the chart shows, oldest first.
  package var markedDays: [MarkedDay] {
    guard isTimeline, !isSentence else { return [] }
    let byDay = Dictionary(grouping: marks, by: \.day)
    let shown = byDay.keys.sorted().compactMap { day in row(of: day).map { (row: $0, day: day) } }
    return shown.enumerated().map { index, place in
      let words = (byDay[place.day] ?? []).map(\.words).joined(separator: "; ")
      return MarkedDay(number: index + 1, row: place.row, day: place.day, words: words)
    }
  }

  /// The day of each row that begins with one.
  package var days: [CivilDay] {
    table.rows.compactMap { row in
      guard case .day(let day) = row.cells.first else { return nil }
      return day
    }
  }

  /// The series of a chart over time; empty for other forms.
  package var series: [Series] {
    switch form {
    case .columns(let series): series
    case .line(let series, _): [series]
    case .bars, .heatMap: []
    }
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
  /// One square a cell; leaves out the first column.
  case heatMap
}

/// The ticks of an axis from zero: few and round numbers.
package struct AxisScale: Hashable, Sendable {
  /// From 0, evenly spaced; the last is at or above the largest value.
  package let ticks: [Int]

  package init(most: Double) {
    let step = AxisScale.step(for: most)
    let count = max(1, Int((most / Double(step)).rounded(.up)))
    ticks = (0...count).map { $0 * step }
  }

  package var top: Double { Double(ticks.last ?? 1) }

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

/// One number with its own place on the page.
package struct Figure: Hashable, Sendable {
  /// Kebab-case, unique in its row of figures.
  package var id: String
  package var label: String
  package var value: Cell
  /// The value as a part of a whole, which `note` names; nil when it is not a part.
  package var share: Ratio?
  /// What the value counts, or the whole of its share; nil when the label says it.
  package var note: String?
  /// The change since the period before; nil when there is nothing to compare.
  package var change: PeriodChange?
  /// What the change is about when not the value, or why there is no change; nil otherwise.
  package var changeNote: String?
  /// What the same weekdays of six weeks before let expect, in the place of a change.
  ///
  /// Nil when too little is known.
  package var expected: Expected?
  /// The value on each day of the period, oldest first, nil for an unknown day; nil for a value
  /// without days.
  package var trend: [Int?]?
  /// Whether its change is counted from events, whose days may be unknown.
  package var isOfEvents = false
  /// The id of the section that explains the number; nil when none does.
  package var section: String?
  /// The report of that section, for a figure on another page; nil on its own page.
  package var report: Report.Name?
  /// How the number is counted, in a sentence or two; nil where the label says it.
  package var definition: String?
  /// How the number came about; nil for one that no query gave.
  package var source: QuerySource?

  /// What is usual of a value.
  package struct Expected: Hashable, Sendable {
    /// Which side a value lies on that is an anomaly; others are usual, also beside the range.
    package enum Verdict: String, Sendable {
      case below, usual, above
    }

    /// Eight of ten such values lie in it; both ends belong to it.
    package let range: ClosedRange<Double>
    /// Decimals that it is written with.
    package let places: Int
    /// The number of same weekdays that it comes from.
    package let days: Int
    package let verdict: Verdict

    /// The ends, rounded as they are shown.
    package var low: Double { rounded(range.lowerBound) }
    package var high: Double { rounded(range.upperBound) }

    private func rounded(_ value: Double) -> Double {
      let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
      return (value * scale).rounded() / scale
    }

    /// `180 to 230`.
    var span: String {
      "\(NumberWords.decimal(low, places: places)) to \(NumberWords.decimal(high, places: places))"
    }

    /// `as usual (180 to 230)`, `below the usual 180 to 230`; a value outside of the range that is
    /// no alarm is `not far from the usual 180 to 230`.
    package func words(of value: Double) -> String {
      guard verdict == .usual else { return words }
      return (low...high).contains(value)
        ? "as usual (\(span))" : "not far from the usual \(span)"
    }

    /// `usual 180 to 230`, `below the usual 180 to 230`.
    package var words: String {
      verdict == .usual ? "usual \(span)" : "\(verdict.rawValue) the usual \(span)"
    }
  }

  /// A change, or the reason for having none.
  package struct Change: Hashable, Sendable {
    package var change: PeriodChange?
    package var note: String?
    package var isOfEvents = false
  }

  /// The same figure with a change.
  package func compared(_ change: Change) -> Figure {
    var figure = self
    figure.change = change.change
    figure.changeNote = change.note
    figure.isOfEvents = change.isOfEvents
    return figure
  }
}
