import Reports

/// Draws a level over time: one point a row, joined by lines, with gaps for missing values.
struct LineDrawing {
  /// Up to this many points have their value beside them.
  private static let mostLabelled = 8
  private static let fewestSlots = 4

  private let page: HTMLPage
  private let chart: Chart
  private let tone: Chart.Tone
  private let cells: [Cell]
  private let values: [Double?]
  private let plot: Plot

  init(page: HTMLPage, chart: Chart, series: Chart.Series, range: ClosedRange<Double>) {
    self.page = page
    self.chart = chart
    tone = series.tone
    cells = chart.table.cells(of: series.column)
    values = cells.map(\.level)
    plot = Plot(
      page: page, top: 14, height: 150, slotCount: max(values.count, Self.fewestSlots),
      ticks: Self.ticks(range))
  }

  func write() {
    page.image(chart, "line", height: plot.bottom + 28) {
      for (row, cell) in cells.enumerated() { range(row, cell) }
      expected()
      plot.grid()
      for row in chart.uncovered.sorted() { plot.hatch(row, chart.labels[row]) }
      plot.marks(chart.markedDays.map { ($0.number, plot.middle($0.row)) })
      for row in values.indices.dropFirst() { join(row) }
      for (row, value) in values.enumerated() { point(row, value) }
      plot.axis(
        AxisLabels(count: values.count), chart.labels, below: 20, hidesSome: values.count > 4)
    }
  }

  /// The widest range that has a tick at each whole number, such as that of stars.
  private static let mostWholeNumbers = 10.0

  /// Round numbers at and above all values of a range from 0; of a short range that begins
  /// elsewhere each whole number, of a longer one round steps from its beginning.
  private static func ticks(_ range: ClosedRange<Double>) -> [(value: Double, words: String)] {
    guard range.lowerBound != 0 else {
      return AxisScale(most: range.upperBound).marks
    }
    let (lower, upper) = (range.lowerBound.rounded(.down), range.upperBound.rounded(.up))
    let length = upper - lower
    guard length > mostWholeNumbers else {
      return (Int(lower)...Int(upper)).map { (Double($0), "\($0)") }
    }
    return AxisScale(most: length).ticks.map { tick in
      (lower + Double(tick), NumberWords.grouped(Int(lower) + tick))
    }
  }

  /// The pale area of what chance alone can do to a share.
  private func range(_ row: Int, _ cell: Cell) {
    guard case .rate(let ratio) = cell, let interval = ratio.interval else { return }
    plot.band(
      row, from: plot.y(interval.upper), to: plot.y(interval.lower),
      "\(chart.labels[row]): \(page.words.words(cell))")
  }

  /// What was usual of each day.
  private func expected() {
    guard chart.drawsExpected else { return }
    for usual in chart.expected {
      guard let row = chart.days.firstIndex(of: usual.day) else { continue }
      plot.band(
        row, from: plot.y(usual.range.upperBound), to: plot.y(usual.range.lowerBound),
        "\(chart.labels[row]): usual \(chart.span(of: usual.range))")
    }
  }

  private func join(_ row: Int) {
    guard let before = values[row - 1], let value = values[row] else { return }
    page.line(
      from: (plot.middle(row - 1), plot.y(before)), to: (plot.middle(row), plot.y(value)),
      class: "stroke \(tone.rawValue)")
  }

  private func point(_ row: Int, _ value: Double?) {
    guard let value else { return }
    page.out.element(
      "circle", .class("dot \(tone.rawValue)"), .percent("cx", plot.middle(row)),
      .plain("cy", plot.y(value)), .plain("r", 4))
    guard values.count <= Self.mostLabelled else { return }
    page.label(words(cells[row]), x: plot.middle(row), y: plot.y(value) - 10, class: "mark")
  }

  private func words(_ cell: Cell) -> String {
    switch cell {
    case .ratio(let ratio), .rate(let ratio): NumberWords.percent(ratio.percent)
    case .mean(let mean): mean.value.map { NumberWords.decimal($0, places: 2) } ?? ""
    default: page.words.words(cell)
    }
  }
}
