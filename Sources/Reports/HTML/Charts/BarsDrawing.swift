/// Draws a distribution over few classes: one bar a row, between its label and its numbers.
struct BarsDrawing {
  private static let rowHeight = 30.0
  private static let barHeight = 14.0

  let page: HTMLPage
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

  /// The numbers of the row: every cell but the first.
  private func words(_ row: Int) -> String {
    chart.table.rows[row].cells.dropFirst().map(page.words.words).joined(separator: " · ")
  }
}

/// Draws stages as bars, each a part of the first, with its share of the stage before.
struct FunnelDrawing {
  private static let stageHeight = 58.0
  private static let barHeight = 22.0

  let page: HTMLPage
  let chart: Chart
  let column: String

  func write() {
    let values = chart.table.magnitudes(of: column)
    let first = max(values.first ?? 0, values.max() ?? 0, 1)
    let drawing = Drawing(page: page)
    drawing.image(chart, "funnel", height: FunnelDrawing.stageHeight * Double(values.count)) {
      for (row, value) in values.enumerated() { stage(row, share: value / first, drawing) }
    }
  }

  private func stage(_ row: Int, share: Double, _ drawing: Drawing) {
    let y = Double(row) * FunnelDrawing.stageHeight
    drawing.text(chart.labels[row], x: 0, y: y + 14, class: "label start")
    drawing.text(words(row), x: 1, y: y + 14, class: "mark far")
    drawing.rectangle(
      x: 0, y: y + 22, width: 1, height: FunnelDrawing.barHeight, class: "track")
    drawing.rectangle(
      x: 0, y: y + 22, width: share, height: FunnelDrawing.barHeight, class: "main")
  }

  private func words(_ row: Int) -> String {
    chart.table.rows[row].cells.dropFirst().filter { $0 != .missing }
      .map(page.words.words).joined(separator: " · ")
  }
}
