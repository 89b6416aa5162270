/// Draws stacked columns: one a row, or, for counts by day, one a day or a week.
struct ColumnsDrawing {
  private static let plotHeight = 190.0
  private static let compactHeight = 84.0
  /// The numbers of marks stand above the columns.
  private static let topMargin = 16.0
  /// Fewer columns leave room at the right instead of growing wide.
  private static let fewestSlots = 7

  private let page: HTMLPage
  private let chart: Chart
  private let series: [Chart.Series]
  /// The rows of each column.
  private let columns: [Range<Int>]
  private let labels: AxisLabels
  private let alternative: String
  private let plotHeight: Double

  init(page: HTMLPage, chart: Chart, series: [Chart.Series]) {
    self.page = page
    self.chart = chart
    self.series = series
    plotHeight = chart.isCompact ? ColumnsDrawing.compactHeight : ColumnsDrawing.plotHeight
    guard chart.isDaily else {
      columns = chart.table.rows.indices.map { $0..<($0 + 1) }
      labels = AxisLabels(count: columns.count)
      alternative = chart.alternative
      return
    }
    let byDay = DayColumns(chart.days)
    columns = byDay.days
    labels = AxisLabels(byDay, of: chart.days)
    alternative = "\(chart.alternative) \(byDay.words)"
  }

  func write() {
    let values = series.map { one in
      let values = chart.table.magnitudes(of: one.column)
      return columns.map { values[$0].reduce(0, +) }
    }
    let sums = columns.indices.map { column in values.reduce(0) { $0 + $1[column] } }
    let scale = AxisScale(most: sums.max() ?? 0)
    let drawing = Drawing(page: page)
    let height = ColumnsDrawing.topMargin + plotHeight + 26
    drawing.image(chart, "columns", height: height, alternative: alternative) {
      grid(scale, drawing)
      marks(drawing)
      absences(drawing)
      for index in columns.indices { column(index, values, scale, drawing) }
      axis(drawing)
    }
  }

  private func marks(_ drawing: Drawing) {
    let marks = chart.markedDays.compactMap { mark in
      columns.firstIndex { $0.contains(mark.row) }.map { (mark.number, (Double($0) + 0.5) * slot) }
    }
    MarkDrawing(drawing: drawing).write(
      marks, from: ColumnsDrawing.topMargin, to: ColumnsDrawing.topMargin + plotHeight)
  }

  /// Hatches the columns of which nothing is known, or not all.
  private func absences(_ drawing: Drawing) {
    let values = series.map { chart.table.values(of: $0.column) }
    for (index, rows) in columns.enumerated()
    where !chart.uncovered.isDisjoint(with: rows)
      || rows.allSatisfy({ row in values.allSatisfy { $0[row] == nil } })
    {
      drawing.rectangle(
        x: (Double(index) + 0.14) * slot, y: ColumnsDrawing.topMargin, width: 0.72 * slot,
        height: plotHeight, class: "uncovered", hint: "\(words(of: rows)): data is missing")
    }
  }

  private func y(_ value: Double, _ scale: AxisScale) -> Double {
    ColumnsDrawing.topMargin + plotHeight * (1 - value / scale.top)
  }

  private var slot: Double { 1 / Double(max(columns.count, ColumnsDrawing.fewestSlots)) }

  private func grid(_ scale: AxisScale, _ drawing: Drawing) {
    for tick in scale.ticks {
      let y = y(Double(tick), scale)
      drawing.line(from: (0, y), to: (1, y), class: tick == 0 ? "base" : "grid")
      drawing.text(scale.words(tick), x: 0, y: y + 4, dx: -8, class: "tick y")
    }
  }

  private func column(
    _ index: Int, _ values: [[Double]], _ scale: AxisScale, _ drawing: Drawing
  ) {
    var base = 0.0
    for (one, values) in zip(series, values) where values[index] > 0 {
      let top = y(base + values[index], scale)
      drawing.rectangle(
        x: (Double(index) + 0.14) * slot, y: top, width: 0.72 * slot,
        height: y(base, scale) - top, class: one.tone.rawValue,
        hint: hint(index, one, values[index]))
      base += values[index]
    }
  }

  private func hint(_ index: Int, _ series: Chart.Series, _ value: Double) -> String {
    "\(words(of: columns[index])): \(series.title.lowercased()) \(NumberWords.grouped(Int(value)))"
  }

  /// The label of the row, or of the first and the last row.
  private func words(of rows: Range<Int>) -> String {
    let first = chart.labels[rows.lowerBound]
    return rows.count == 1 ? first : "\(first) – \(chart.labels[rows.upperBound - 1])"
  }

  private func axis(_ drawing: Drawing) {
    let y = ColumnsDrawing.topMargin + plotHeight + 18
    for index in columns.indices {
      guard let row = labels.row(under: index) else { continue }
      drawing.text(
        chart.labels[row], x: (Double(index) + 0.5) * slot, y: y,
        class: labels.isMinor(index) ? "tick x minor" : "tick x")
    }
  }
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
