/// Stacked columns, one a row: counts over days or hours.
struct ColumnsDrawing {
  private static let plotHeight = 190.0
  private static let topMargin = 8.0
  /// Fewer columns than this leave room at the right, rather than grow fat.
  private static let fewestSlots = 7

  let page: Page
  let chart: Chart
  let series: [Chart.Series]

  func write() {
    let values = series.map { chart.table.magnitudes(of: $0.column) }
    let count = values.first?.count ?? 0
    let sums = (0..<count).map { row in values.reduce(0) { $0 + $1[row] } }
    let scale = AxisScale(most: sums.max() ?? 0)
    let drawing = Drawing(page: page)
    let height = ColumnsDrawing.topMargin + ColumnsDrawing.plotHeight + 26
    drawing.image(chart, "columns", height: height) {
      grid(scale, drawing)
      for row in 0..<count { column(row, of: count, values, scale, drawing) }
      labels(count, drawing)
    }
  }

  private func y(_ value: Double, _ scale: AxisScale) -> Double {
    ColumnsDrawing.topMargin + ColumnsDrawing.plotHeight * (1 - value / scale.top)
  }

  private func slot(_ count: Int) -> Double { 1 / Double(max(count, ColumnsDrawing.fewestSlots)) }

  private func grid(_ scale: AxisScale, _ drawing: Drawing) {
    for tick in scale.ticks {
      let y = y(Double(tick), scale)
      drawing.line(from: (0, y), to: (1, y), class: tick == 0 ? "base" : "grid")
      drawing.text(scale.words(tick), x: 0, y: y + 4, dx: -8, class: "tick y")
    }
  }

  private func column(
    _ row: Int, of count: Int, _ values: [[Double]], _ scale: AxisScale, _ drawing: Drawing
  ) {
    let slot = slot(count)
    var base = 0.0
    for (one, values) in zip(series, values) where values[row] > 0 {
      let top = y(base + values[row], scale)
      drawing.rectangle(
        x: (Double(row) + 0.14) * slot, y: top, width: 0.72 * slot, height: y(base, scale) - top,
        class: one.tone.rawValue, hint: hint(row, one, values[row]))
      base += values[row]
    }
  }

  private func hint(_ row: Int, _ series: Chart.Series, _ value: Double) -> String {
    "\(chart.labels[row]): \(series.title.lowercased()) \(NumberWords.grouped(Int(value)))"
  }

  private func labels(_ count: Int, _ drawing: Drawing) {
    let labels = AxisLabels(chart)
    let y = ColumnsDrawing.topMargin + ColumnsDrawing.plotHeight + 18
    for row in 0..<count where labels.isWritten(row) {
      drawing.text(
        chart.labels[row], x: (Double(row) + 0.5) * slot(count), y: y,
        class: labels.isMinor(row) ? "tick x minor" : "tick x")
    }
  }
}
