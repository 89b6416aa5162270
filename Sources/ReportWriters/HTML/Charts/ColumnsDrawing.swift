import Reports

/// Draws stacked columns: one a row, or, for counts by day, one a day or a week.
struct ColumnsDrawing {
  /// Fewer columns leave room at the right instead of growing wide.
  private static let fewestSlots = 7

  private let page: HTMLPage
  private let chart: Chart
  private let series: [Chart.Series]
  /// The rows of each column.
  private let columns: [Range<Int>]
  private let labels: AxisLabels
  private let alternative: String

  init(page: HTMLPage, chart: Chart, series: [Chart.Series]) {
    self.page = page
    self.chart = chart
    self.series = series
    if chart.isDaily {
      let byDay = DayColumns(chart.days)
      columns = byDay.days
      labels = AxisLabels(byDay, of: chart.days)
      alternative = "\(chart.alternative) \(byDay.words)"
    } else {
      columns = chart.table.rows.indices.map { $0..<($0 + 1) }
      labels = AxisLabels(count: columns.count)
      alternative = chart.alternative
    }
  }

  func write() {
    let values = series.map { one in
      let values = chart.table.magnitudes(of: one.column)
      return columns.map { values[$0].reduce(0, +) }
    }
    let sums = columns.indices.map { column in values.reduce(0) { $0 + $1[column] } }
    let expected = expected()
    let previous = previous()
    let most = max(
      sums.max() ?? 0, expected.map { $0.range.upperBound }.max() ?? 0,
      previous.map(\.value).max() ?? 0)
    let plot = Plot(
      page: page, top: 16, height: chart.isCompact ? 84 : 190,
      slotCount: max(columns.count, Self.fewestSlots), ticks: AxisScale(most: most).marks)
    page.image(chart, "columns", height: plot.bottom + 26, alternative: alternative) {
      for (index, range) in expected {
        plot.band(
          index, from: plot.y(range.upperBound), to: plot.y(range.lowerBound),
          "\(words(of: columns[index])): usual \(chart.span(of: range))")
      }
      plot.grid()
      plot.marks(
        chart.markedDays.compactMap { mark in
          columns.firstIndex { $0.contains(mark.row) }.map { (mark.number, plot.middle($0)) }
        })
      absences(plot)
      for index in columns.indices { column(index, values, plot) }
      for (index, value) in previous {
        plot.column(
          index, y: plot.y(value) - 1, height: 2, class: "previous",
          hint: "\(words(of: columns[index])): \(chart.previousTitle?.lowercased() ?? "") "
            + NumberWords.grouped(Int(value)))
      }
      plot.axis(labels, chart.labels, below: 18)
    }
  }

  /// What was expected of each column; nothing when columns are weeks.
  private func expected() -> [(index: Int, range: ClosedRange<Double>)] {
    guard chart.drawsExpected else { return [] }
    let ranges = Dictionary(chart.expected.map { ($0.day, $0.range) }) { first, _ in first }
    return columns.indices.compactMap { index in
      ranges[chart.days[columns[index].lowerBound]].map { (index, $0) }
    }
  }

  /// What the period before had at each column, where all of it is known.
  private func previous() -> [(index: Int, value: Double)] {
    guard chart.previousTitle != nil, let column = chart.previous else { return [] }
    let values = chart.table.values(of: column)
    return columns.enumerated().compactMap { index, rows in
      let known = values[rows].compactMap(\.self)
      return known.count == rows.count ? (index, known.reduce(0, +)) : nil
    }
  }

  private func absences(_ plot: Plot) {
    let values = series.map { chart.table.values(of: $0.column) }
    for (index, rows) in columns.enumerated()
    where !chart.uncovered.isDisjoint(with: rows)
      || rows.allSatisfy({ row in values.allSatisfy { $0[row] == nil } })
    {
      plot.hatch(index, words(of: rows))
    }
  }

  private func column(_ index: Int, _ values: [[Double]], _ plot: Plot) {
    var base = 0.0
    for (one, values) in zip(series, values) where values[index] > 0 {
      let top = plot.y(base + values[index])
      plot.column(
        index, y: top, height: plot.y(base) - top, class: one.tone.rawValue,
        hint: "\(words(of: columns[index])): \(one.title.lowercased()) "
          + NumberWords.grouped(Int(values[index])))
      base += values[index]
    }
  }

  /// The label of the row, or of the first and the last row.
  private func words(of rows: Range<Int>) -> String {
    let first = chart.labels[rows.lowerBound]
    return rows.count == 1 ? first : "\(first) – \(chart.labels[rows.upperBound - 1])"
  }
}
