/// Drawings of bars and squares, and the small ones in tables and figures.
extension HTMLPage {
  /// Draws a distribution over few classes: one bar a row, between its label and its numbers.
  func bars(_ chart: Chart, column: String, tones: [Chart.Tone]) {
    let (rowHeight, barHeight) = (30.0, 14.0)
    let values = chart.table.magnitudes(of: column)
    let most = max(values.max() ?? 0, 1)
    image(chart, "bars", height: rowHeight * Double(values.count) + 4) {
      for (row, value) in values.enumerated() {
        let tone = tones.indices.contains(row) ? tones[row] : .main
        let y = Double(row) * rowHeight + 6
        let baseline = y + barHeight - 2
        label(chart.labels[row], x: 0, y: baseline, dx: -12, class: "label \(tone.rawValue)")
        line(from: (0, y - 4), to: (0, y + barHeight + 4), class: "base")
        rectangle(x: 0, y: y, width: value / most, height: barHeight, class: tone.rawValue)
        label(numbers(of: row, chart), x: value / most, y: baseline, dx: 10, class: "mark end")
      }
    }
  }

  /// Every cell of the row but the first and those without a value.
  private func numbers(of row: Int, _ chart: Chart) -> String {
    chart.table.rows[row].cells.dropFirst().filter { $0 != .missing }.map(words.words)
      .joined(separator: " · ")
  }

  /// Draws a bar before a number in a table; hidden from screen readers, which read the number.
  func bar(share: Double) {
    out.element(
      "svg", .class("bar"), .plain("width", "100%"), .plain("height", 10), .hiddenFromReaders
    ) {
      out.element(
        "rect", .percent("width", min(max(share, 0), 1)), .plain("height", 10), .class("main"))
    }
  }

  /// Draws the 4 px bar of a wait, which shrinks from right to left.
  func countdown(share: Double) {
    countdown(parts: [("track", 0, 1), ("left", 0, min(max(share, 0), 1))], radius: 2)
  }

  /// Covers the elapsed part of a background with a gradient.
  func countdownRest(share: Double) {
    let share = min(max(share, 0), 1)
    countdown(parts: [("track", share, 1 - share)], radius: 0)
  }

  private func countdown(
    parts: [(name: String, start: Double, width: Double)], radius: Double
  ) {
    out.element(
      "svg", .class("countdown"), .plain("width", "100%"), .plain("height", 4), .hiddenFromReaders
    ) {
      for part in parts {
        out.element(
          "rect", .class(part.name), .percent("x", part.start), .percent("width", part.width),
          .plain("height", 4), .plain("rx", radius))
      }
    }
  }

  /// Draws a trend in a table as a row of small columns, one a day.
  ///
  /// Draws sums of neighbours when there are too many counts; what is unknown is hatched.
  func trend(_ counts: [Int?], words: String) {
    // More columns would be thinner than a line.
    let counts = counts.folded(to: 62).counts
    let most = Double(max(counts.compactMap(\.self).max() ?? 0, 1))
    let full = 24.0
    out.element(
      "svg", .class(counts.contains(nil) ? "drawing trend" : "trend"), .plain("height", full),
      .plain("role", "img"), .plain("aria-label", words)
    ) {
      out.element("title", text: words)
      for (position, count) in counts.enumerated() where count != 0 {
        let height = count.map { max(1, full * Double($0) / most) } ?? full
        out.element(
          "rect", .class(count == nil ? "uncovered" : "main"),
          .percent("x", Double(position) / Double(counts.count)), .plain("y", full - height),
          .percent("width", 0.72 / Double(counts.count)), .plain("height", height))
      }
    }
  }
}

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
    let height = Self.cellHeight * Double(columns.count) + 24
    page.image(chart, "heat", height: height) {
      for (index, column) in columns.enumerated() { row(index, column, values[index], most) }
      labels(y: height - 6)
    }
    key(most, hasGaps: values.joined().contains { $0 == nil })
  }

  private func row(
    _ index: Int, _ column: Table.ColumnHead, _ values: [Double?], _ most: Double
  ) {
    let y = Double(index) * Self.cellHeight
    page.label(column.title, x: 0, y: y + 17, dx: -8, class: "tick y")
    for (position, value) in values.enumerated() {
      let said = value.map { NumberWords.grouped(Int($0)) } ?? chart.absence
      page.rectangle(
        x: Double(position) / Double(values.count), y: y, width: 1 / Double(values.count),
        height: Self.cellHeight, class: value.map { "heat-\(shade($0, most))" } ?? "heat-none",
        hint: "\(column.title) \(chart.labels[position]): \(said)")
    }
  }

  private func shade(_ value: Double, _ most: Double) -> Int {
    guard most > 0, value > 0 else { return 0 }
    return max(1, Int((Double(Self.shades) * value / most).rounded(.up)))
  }

  private func labels(y: Double) {
    let count = chart.labels.count
    // Of the 24 hours every third is named.
    let stride = max(3, (count + 7) / 8)
    for (position, label) in chart.labels.enumerated() where position % stride == 0 {
      page.label(
        label, x: (Double(position) + 0.5) / Double(count), y: y,
        class: position / stride % 2 == 0 ? "tick x" : "tick x minor")
    }
  }

  private func key(_ most: Double, hasGaps: Bool) {
    let out = page.out
    out.element("p", .class("heat-key"), .hiddenFromReaders) {
      out.text("0 ")
      for shade in 0...Self.shades { out.element("span", .class("heat-\(shade)")) }
      out.text(" \(NumberWords.grouped(Int(most)))")
      guard hasGaps else { return }
      out.text("   ")
      out.element("span", .class("heat-none"))
      out.text(" \(chart.absence)")
    }
  }
}
