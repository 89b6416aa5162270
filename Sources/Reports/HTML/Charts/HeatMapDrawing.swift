/// Draws squares in six shades: rows of the table run to the right, its columns downwards.
struct HeatMapDrawing {
  private static let cellHeight = 26.0
  /// The number of shades above 0.
  private static let shades = 5

  let page: HTMLPage
  let chart: Chart

  func write() {
    let columns = Array(chart.table.columns.dropFirst())
    let values = columns.map { chart.table.values(of: $0.id) }
    let most = values.joined().compactMap(\.self).max() ?? 0
    let drawing = Drawing(page: page)
    let height = HeatMapDrawing.cellHeight * Double(columns.count) + 24
    drawing.image(chart, "heat", height: height) {
      for (line, column) in columns.enumerated() {
        self.line(line, column, values[line], most, drawing)
      }
      labels(y: height - 6, drawing)
    }
    key(most, hasGaps: values.joined().contains { $0 == nil })
  }

  private func line(
    _ line: Int, _ column: Table.ColumnHead, _ values: [Double?], _ most: Double,
    _ drawing: Drawing
  ) {
    let y = Double(line) * HeatMapDrawing.cellHeight
    drawing.text(column.title, x: 0, y: y + 17, dx: -8, class: "tick y")
    for (position, value) in values.enumerated() {
      let said = value.map { NumberWords.grouped(Int($0)) } ?? chart.absence
      let words = "\(column.title) \(chart.labels[position]): \(said)"
      drawing.rectangle(
        x: Double(position) / Double(values.count), y: y, width: 1 / Double(values.count),
        height: HeatMapDrawing.cellHeight,
        class: value.map { "heat-\(shade($0, most))" } ?? "heat-none",
        hint: words)
    }
  }

  private func shade(_ value: Double, _ most: Double) -> Int {
    guard most > 0, value > 0 else { return 0 }
    return max(1, Int((Double(HeatMapDrawing.shades) * value / most).rounded(.up)))
  }

  private func labels(y: Double, _ drawing: Drawing) {
    let count = chart.labels.count
    // Of the 24 hours every third is named.
    let stride = max(3, (count + 7) / 8)
    for (position, label) in chart.labels.enumerated() where position % stride == 0 {
      drawing.text(
        label, x: (Double(position) + 0.5) / Double(count), y: y,
        class: position / stride % 2 == 0 ? "tick x" : "tick x minor")
    }
  }

  private func key(_ most: Double, hasGaps: Bool) {
    page.out.element("p", .class("heat-key"), .hiddenFromReaders) {
      page.out.text("0 ")
      for shade in 0...HeatMapDrawing.shades {
        page.out.element("span", .class("heat-\(shade)"))
      }
      page.out.text(" \(NumberWords.grouped(Int(most)))")
      guard hasGaps else { return }
      page.out.text("   ")
      page.out.element("span", .class("heat-none"))
      page.out.text(" \(chart.absence)")
    }
  }
}
