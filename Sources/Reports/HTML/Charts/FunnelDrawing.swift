/// Stages as bars, each a part of the first, with what came over from the stage before.
struct FunnelDrawing {
  private static let stageHeight = 58.0
  private static let barHeight = 22.0

  let page: Page
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
