/// One bar a row beside its label, its words at its end: a distribution over few classes.
struct BarsDrawing {
  private static let rowHeight = 30.0
  private static let barHeight = 14.0

  let page: Page
  let chart: Chart
  let column: String
  let tones: [Chart.Tone]

  func write() {
    let values = chart.table.magnitudes(of: column)
    let most = max(values.max() ?? 0, 1)
    let drawing = Drawing(page: page)
    drawing.image(chart, "bars", height: BarsDrawing.rowHeight * Double(values.count) + 4) {
      for (row, value) in values.enumerated() { bar(row, value, share: value / most, drawing) }
    }
  }

  private func bar(_ row: Int, _ value: Double, share: Double, _ drawing: Drawing) {
    let tone = tones.indices.contains(row) ? tones[row] : .main
    let y = Double(row) * BarsDrawing.rowHeight + 6
    let baseline = y + BarsDrawing.barHeight - 2
    drawing.text(chart.labels[row], x: 0, y: baseline, dx: -12, class: "label \(tone.rawValue)")
    drawing.line(
      from: (0, y - 4), to: (0, y + BarsDrawing.barHeight + 4), class: "base")
    drawing.rectangle(
      x: 0, y: y, width: share, height: BarsDrawing.barHeight, class: tone.rawValue)
    drawing.text(words(row), x: share, y: baseline, dx: 10, class: "mark end")
  }

  /// The row's numbers: everything but its label.
  private func words(_ row: Int) -> String {
    chart.table.rows[row].cells.dropFirst().map(page.words.words).joined(separator: " · ")
  }
}
