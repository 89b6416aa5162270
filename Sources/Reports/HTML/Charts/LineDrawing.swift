/// Draws a level over time: one point a row, joined by lines, with gaps for missing values.
struct LineDrawing {
  private static let plotHeight = 150.0
  private static let topMargin = 14.0
  /// Up to this many points have their value beside them.
  private static let mostLabelled = 8
  private static let fewestSlots = 4

  let page: HTMLPage
  let chart: Chart
  let series: Chart.Series
  let range: ClosedRange<Double>

  func write() {
    let values = chart.table.values(of: series.column)
    let drawing = Drawing(page: page)
    drawing.image(chart, "line", height: LineDrawing.topMargin + LineDrawing.plotHeight + 28) {
      grid(drawing)
      absences(values.count, drawing)
      marks(values.count, drawing)
      for row in values.indices.dropFirst() { join(row, values, drawing) }
      for (row, value) in values.enumerated() { point(row, value, of: values.count, drawing) }
      labels(values.count, drawing)
    }
  }

  private func y(_ value: Double) -> Double {
    let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
    return LineDrawing.topMargin + LineDrawing.plotHeight * (1 - share)
  }

  private func x(_ row: Int, _ count: Int) -> Double {
    (Double(row) + 0.5) / Double(max(count, LineDrawing.fewestSlots))
  }

  private func grid(_ drawing: Drawing) {
    let (first, last) = (Int(range.lowerBound), Int(range.upperBound))
    for tick in stride(from: first, through: last, by: max(1, (last - first + 4) / 5)) {
      let y = y(Double(tick))
      drawing.line(
        from: (0, y), to: (1, y), class: Double(tick) == range.lowerBound ? "base" : "grid")
      drawing.text("\(tick)", x: 0, y: y + 4, dx: -8, class: "tick y")
    }
  }

  /// Hatches the rows of which nothing is known, or not all.
  private func absences(_ count: Int, _ drawing: Drawing) {
    let slot = 1 / Double(max(count, LineDrawing.fewestSlots))
    for row in chart.uncovered.sorted() {
      drawing.rectangle(
        x: (Double(row) + 0.14) * slot, y: LineDrawing.topMargin, width: 0.72 * slot,
        height: LineDrawing.plotHeight, class: "uncovered",
        hint: "\(chart.labels[row]): data is missing")
    }
  }

  private func marks(_ count: Int, _ drawing: Drawing) {
    MarkDrawing(drawing: drawing).write(
      chart.markedDays.map { ($0.number, x($0.row, count)) },
      from: LineDrawing.topMargin, to: LineDrawing.topMargin + LineDrawing.plotHeight)
  }

  private func join(_ row: Int, _ values: [Double?], _ drawing: Drawing) {
    guard let before = values[row - 1], let value = values[row] else { return }
    drawing.line(
      from: (x(row - 1, values.count), y(before)), to: (x(row, values.count), y(value)),
      class: "stroke \(series.tone.rawValue)")
  }

  private func point(_ row: Int, _ value: Double?, of count: Int, _ drawing: Drawing) {
    guard let value else { return }
    page.out.element(
      "circle", .class("dot \(series.tone.rawValue)"), .percent("cx", x(row, count)),
      .plain("cy", y(value)), .plain("r", 4))
    guard count <= LineDrawing.mostLabelled else { return }
    drawing.text(
      NumberWords.decimal(value, places: 2), x: x(row, count), y: y(value) - 10, class: "mark")
  }

  private func labels(_ count: Int, _ drawing: Drawing) {
    let labels = AxisLabels(count: count)
    for row in 0..<count where labels.isWritten(row) {
      drawing.text(
        chart.labels[row], x: x(row, count),
        y: LineDrawing.topMargin + LineDrawing.plotHeight + 20,
        class: labels.isMinor(row) && count > 4 ? "tick x minor" : "tick x")
    }
  }
}
