import Reports

/// Writes a chart as a figure: title, key, drawing with text alternative, and table.
extension HTMLPage {
  func write(_ chart: Chart) {
    let table = chart.table
    out.element(
      "figure", .class(chart.hasRange ? "chart daily" : "chart"), .id("\(table.id)-chart")
    ) {
      if table.isTitled {
        out.element("h3", .id("\(table.id)-chart-title"), text: chart.title)
      }
      guard !table.rows.isEmpty else {
        out.element("p", .class("empty"), text: table.emptyText)
        return write(table.source)
      }
      if chart.isSentence {
        out.element("p", .class("unit"), text: chart.unit)
        out.element("p", .class("points"), text: chart.sentence(words))
      } else {
        key(chart)
        draw(chart)
        marks(chart)
      }
      numbers(chart)
      write(table.source)
    }
  }

  /// What the numbered lines of the drawing mark.
  private func marks(_ chart: Chart) {
    let marked = chart.markedDays
    guard !marked.isEmpty else { return }
    out.element("ol", .class("marks")) {
      for mark in marked {
        out.element("li", .plain("data-day", mark.day.iso8601)) {
          out.text("\(mark.day.short): ")
          out.element("bdi", text: mark.words)
        }
      }
    }
  }

  /// Writes the tones and the unit; columns by day also get both units, for the script that draws a
  /// range of days.
  private func key(_ chart: Chart) {
    out.element("p", .class("key")) {
      if chart.series.count > 1 {
        for one in chart.series {
          out.element("span", .class("swatch \(one.tone.rawValue)"), text: one.title)
        }
      }
      if chart.drawsExpected {
        out.element("span", .class("swatch usual"), text: Chart.expectedTitle)
      }
      if chart.drawsRanges {
        out.element("span", .class("swatch usual"), text: Chart.rangesTitle)
      }
      if let title = chart.previousTitle {
        out.element("span", .class("swatch previous"), text: title)
      }
      guard chart.isDaily, let weekUnit = chart.weekUnit else {
        return out.element("span", .class("unit"), text: chart.unit)
      }
      out.element(
        "span", .class("unit"), .plain("data-day", chart.unit), .plain("data-week", weekUnit),
        text: DayColumns(chart.days).isWeekly ? weekUnit : chart.unit)
    }
  }

  private func draw(_ chart: Chart) {
    switch chart.form {
    case .columns(let series): ColumnsDrawing(page: self, chart: chart, series: series).write()
    case .line(let series, let range):
      LineDrawing(page: self, chart: chart, series: series, range: range).write()
    case .bars(let column, let tones): bars(chart, column: column, tones: tones)
    case .heatMap: HeatMapDrawing(page: self, chart: chart).write()
    }
  }

  private func numbers(_ chart: Chart) {
    guard !chart.showsTable else { return body(of: chart.table, in: chart) }
    out.element("details") {
      out.element("summary", text: "The numbers")
      body(of: chart.table, in: chart)
    }
  }
}

/// What drawings are made of: widths in percent and heights in pixels, so that text never scales.
extension HTMLPage {
  /// An image with a title and a description for people who do not see it.
  func image(
    _ chart: Chart, _ kind: String, height: Double, alternative: String? = nil,
    content: () -> Void
  ) {
    let id = chart.table.id
    out.element(
      "svg", .class("drawing \(kind)"), .plain("width", "100%"), .plain("height", height),
      .plain("role", "img"), .plain("aria-labelledby", "\(id)-svg-title \(id)-svg-desc")
    ) {
      out.element("title", .id("\(id)-svg-title"), text: chart.title)
      let usual = chart.drawsExpected ? chart.expectedWords.map { " \($0)." } ?? "" : ""
      out.element("desc", .id("\(id)-svg-desc"), text: (alternative ?? chart.alternative) + usual)
      content()
    }
  }

  /// A rectangle, with an optional hint under the pointer.
  func rectangle(
    x: Double, y: Double, width: Double, height: Double, class names: String, hint: String? = nil
  ) {
    out.element(
      "rect", .class(names), .percent("x", x), .plain("y", y), .percent("width", width),
      .plain("height", height)
    ) {
      if let hint { out.element("title", text: hint) }
    }
  }

  func line(from start: (x: Double, y: Double), to end: (x: Double, y: Double), class name: String)
  {
    out.element(
      "line", .class(name), .percent("x1", start.x), .plain("y1", start.y), .percent("x2", end.x),
      .plain("y2", end.y))
  }

  /// Text at a share `x` of the width, moved by `dx` pixels.
  func label(_ text: String, x: Double, y: Double, dx: Double = 0, class names: String) {
    out.element(
      "text", .class(names), .percent("x", x), .plain("y", y), .plain("dx", dx), text: text)
  }

  /// Writes the patterns that drawings fill shapes with: a second sign beside the colour.
  func hatching() {
    out.element(
      "svg", .class("patterns"), .plain("width", 0), .plain("height", 0), .hiddenFromReaders
    ) {
      out.element("defs") {
        for name in ["blocked", "absent"] { pattern(name) }
      }
    }
  }

  private func pattern(_ name: String) {
    out.element(
      "pattern", .id("hatch-\(name)"), .plain("width", 5), .plain("height", 5),
      .plain("patternUnits", "userSpaceOnUse"), .plain("patternTransform", "rotate(45)")
    ) {
      for (part, width) in [("ground", 5.0), ("stripe", 1.5)] {
        out.element(
          "rect", .class("\(name)-\(part)"), .plain("width", width), .plain("height", 5))
      }
    }
  }
}

/// Writes the ticks of an axis.
extension AxisScale {
  /// Each tick with its words.
  var marks: [(value: Double, words: String)] { ticks.map { (Double($0), words($0)) } }

  /// A tick in at most six characters: 250; 7,500; 12.5k; 0.25M; 2bn.
  func words(_ tick: Int) -> String {
    let units = [(1_000_000_000, "bn", 1), (1_000_000, "M", 1), (1_000, "k", 10)]
    for (unit, sign, least) in units where tick > 0 && top >= Double(least * unit) {
      let (whole, rest) = tick.quotientAndRemainder(dividingBy: unit)
      let hundredths = rest / (unit / 100)
      let fraction = SVGNumber.text(Double(hundredths) / 100).dropFirst()
      return "\(NumberWords.grouped(whole))\(fraction)\(sign)"
    }
    return NumberWords.grouped(tick)
  }
}

/// The labels of an axis that are written: a few, evenly spaced, beginning with the first.
struct AxisLabels: Sendable {
  /// A longer period has labels by month.
  private static let mostSingleDays = 62

  /// By column: the row whose label is written, and whether a narrow page hides it.
  private let places: [(row: Int?, isMinor: Bool)]

  init(count: Int, most: Int = 8) {
    let stride = max(1, (count + most - 1) / most)
    self.init((0..<count).map { $0 % stride == 0 ? $0 : nil })
  }

  /// The labels of columns by day or by week; of a long period, the first day of each month.
  init(_ columns: DayColumns, of days: [CivilDay]) {
    guard days.count > AxisLabels.mostSingleDays else {
      self.init(count: days.count)
      return
    }
    let count = columns.days.count
    // A label in the last twentieth would overlap the edge.
    self.init(
      columns.days.enumerated().map { index, rows in
        (2 * (count - index) - 1) * 10 >= count ? rows.first { days[$0].day == 1 } : nil
      })
  }

  private init(_ rows: [Int?]) {
    var count = 0
    places = rows.map { row in
      count += row == nil ? 0 : 1
      return (row, count % 2 == 0)
    }
  }

  var indices: Range<Int> { places.indices }

  /// The row whose label is written under a column; nil for none.
  func row(under index: Int) -> Int? { places[index].row }

  /// Whether a narrow page hides the label: every second one.
  func isMinor(_ index: Int) -> Bool { places[index].isMinor }
}

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
  ///
  /// With a gradient behind it, it covers only the part that has elapsed.
  func countdown(share: Double, onGradient: Bool = false) {
    let share = min(max(share, 0), 1)
    let parts =
      onGradient ? [("track", share, 1 - share)] : [("track", 0.0, 1.0), ("left", 0, share)]
    out.element(
      "svg", .class("countdown"), .plain("width", "100%"), .plain("height", 4), .hiddenFromReaders
    ) {
      for (name, start, width) in parts {
        out.element(
          "rect", .class(name), .percent("x", start), .percent("width", width),
          .plain("height", 4), .plain("rx", onGradient ? 0 : 2))
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
///
/// Each shade above 0 has a fifth of the numbers above 0, so that one peak does not make all others
/// pale.
struct HeatMapDrawing {
  private static let cellHeight = 26.0
  /// The number of shades above 0.
  private static let shades = 5

  let page: HTMLPage
  let chart: Chart

  func write() {
    let columns = Array(chart.table.columns.dropFirst())
    let values = columns.map { chart.table.values(of: $0.id) }
    let ordered = values.joined().compactMap(\.self).filter { $0 > 0 }.sorted()
    let height = Self.cellHeight * Double(columns.count) + 24
    page.image(chart, "heat", height: height) {
      for (index, column) in columns.enumerated() { row(index, column, values[index], ordered) }
      labels(y: height - 6)
    }
    key(ordered.last ?? 0, hasGaps: values.joined().contains { $0 == nil })
  }

  private func row(
    _ index: Int, _ column: Table.ColumnHead, _ values: [Double?], _ ordered: [Double]
  ) {
    let y = Double(index) * Self.cellHeight
    page.label(column.title, x: 0, y: y + 17, dx: -8, class: "tick y")
    for (position, value) in values.enumerated() {
      let said = value.map { NumberWords.grouped(Int($0)) } ?? chart.absence
      page.rectangle(
        x: Double(position) / Double(values.count), y: y, width: 1 / Double(values.count),
        height: Self.cellHeight, class: value.map { "heat-\(shade($0, ordered))" } ?? "heat-none",
        hint: "\(column.title) \(chart.labels[position]): \(said)")
    }
  }

  /// By the middle of the places that the value has in the order: equal numbers are one shade.
  private func shade(_ value: Double, _ ordered: [Double]) -> Int {
    guard value > 0, let first = ordered.firstIndex(of: value),
      let last = ordered.lastIndex(of: value)
    else { return 0 }
    guard value < ordered[ordered.count - 1] else { return Self.shades }
    return 1 + (first + last) * Self.shades / (2 * ordered.count)
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
      out.text(" \(NumberWords.grouped(Int(most))), each shade a fifth of the numbers above 0")
      guard hasGaps else { return }
      out.text("   ")
      out.element("span", .class("heat-none"))
      out.text(" \(chart.absence)")
    }
  }
}
