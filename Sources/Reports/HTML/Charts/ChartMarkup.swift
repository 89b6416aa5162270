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
      if case .columns(let series) = chart.form, series.count > 1 {
        for one in series {
          out.element("span", .class("swatch \(one.tone.rawValue)"), text: one.title)
        }
      }
      if chart.drawsExpected {
        out.element("span", .class("swatch usual"), text: Chart.expectedTitle)
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
    func table() {
      body(
        of: chart.table, labelledBy: "\(chart.table.id)-chart-title",
        series: chart.hasRange ? chart.stackedSeries : [],
        uncovered: chart.hasRange ? chart.uncovered : [],
        expected: chart.hasRange && chart.drawsExpected ? chart.expected : [])
    }
    guard !chart.showsTable else { return table() }
    out.element("details") {
      out.element("summary", text: "The numbers")
      table()
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
