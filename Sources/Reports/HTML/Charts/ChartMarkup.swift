/// Writes a chart as a figure: title, key, drawing with text alternative, and table.
struct ChartMarkup {
  let page: HTMLPage

  func write(_ chart: Chart) {
    let table = chart.table
    page.out.element(
      "figure", .class(chart.hasRange ? "chart daily" : "chart"), .id("\(table.id)-chart")
    ) {
      page.out.element("h3", .id("\(table.id)-chart-title"), text: chart.title)
      guard !table.rows.isEmpty else {
        return page.out.element("p", .class("empty"), text: table.emptyText)
      }
      guard !chart.isSentence else {
        page.out.element("p", .class("unit"), text: chart.unit)
        page.out.element("p", .class("points"), text: chart.sentence(page.words))
        return numbers(chart)
      }
      key(chart)
      draw(chart)
      marks(chart)
      numbers(chart)
    }
  }

  /// What the numbered lines of the drawing mark.
  private func marks(_ chart: Chart) {
    let marked = chart.markedDays
    guard !marked.isEmpty else { return }
    page.out.element("ol", .class("marks")) {
      for mark in marked {
        page.out.element("li", .plain("data-day", mark.day.iso8601)) {
          page.out.text("\(mark.day.short): ")
          page.out.element("bdi", text: mark.words)
        }
      }
    }
  }

  private func key(_ chart: Chart) {
    page.out.element("p", .class("key")) {
      if case .columns(let series) = chart.form, series.count > 1 {
        for one in series {
          page.out.element("span", .class("swatch \(one.tone.rawValue)")) {
            page.out.text(one.title)
          }
        }
      }
      unit(chart)
    }
  }

  /// Writes the unit; columns by day also get both units, for the script that draws a range of
  /// days.
  private func unit(_ chart: Chart) {
    guard chart.isDaily, let weekUnit = chart.weekUnit else {
      return page.out.element("span", .class("unit"), text: chart.unit)
    }
    page.out.element(
      "span", .class("unit"), .plain("data-day", chart.unit), .plain("data-week", weekUnit),
      text: DayColumns(chart.days).isWeekly ? weekUnit : chart.unit)
  }

  private func draw(_ chart: Chart) {
    switch chart.form {
    case .columns(let series): ColumnsDrawing(page: page, chart: chart, series: series).write()
    case .line(let series, let range):
      LineDrawing(page: page, chart: chart, series: series, range: range).write()
    case .bars(let column, let tones):
      BarsDrawing(page: page, chart: chart, column: column, tones: tones).write()
    case .funnel(let column): FunnelDrawing(page: page, chart: chart, column: column).write()
    case .heatMap: HeatMapDrawing(page: page, chart: chart).write()
    }
  }

  private func numbers(_ chart: Chart) {
    let heading = "\(chart.table.id)-chart-title"
    let series = chart.hasRange ? chart.stackedSeries : []
    let uncovered = chart.hasRange ? chart.uncovered : []
    guard !chart.showsTable else {
      return TableMarkup(page: page, series: series, uncovered: uncovered).writeBody(
        chart.table, labelledBy: heading)
    }
    page.out.element("details") {
      page.out.element("summary", text: "The numbers")
      TableMarkup(page: page, series: series, uncovered: uncovered).writeBody(
        chart.table, labelledBy: heading)
    }
  }
}

/// Writes an inline SVG: widths in percent and heights in pixels, so that text never scales.
struct Drawing {
  let page: HTMLPage

  /// An image with a title and a description for people who do not see it.
  func image(
    _ chart: Chart, _ kind: String, height: Double, alternative: String? = nil,
    content: () -> Void
  ) {
    let id = chart.table.id
    page.out.element(
      "svg", .class("drawing \(kind)"), .plain("width", "100%"), .plain("height", height),
      .plain("role", "img"), .plain("aria-labelledby", "\(id)-svg-title \(id)-svg-desc")
    ) {
      page.out.element("title", .id("\(id)-svg-title"), text: chart.title)
      page.out.element("desc", .id("\(id)-svg-desc"), text: alternative ?? chart.alternative)
      content()
    }
  }

  /// A rectangle, with an optional hint under the pointer.
  func rectangle(
    x: Double, y: Double, width: Double, height: Double, class names: String, hint: String? = nil
  ) {
    page.out.element(
      "rect", .class(names), .percent("x", x), .plain("y", y), .percent("width", width),
      .plain("height", height)
    ) {
      if let hint { page.out.element("title", text: hint) }
    }
  }

  func line(from start: (x: Double, y: Double), to end: (x: Double, y: Double), class name: String)
  {
    page.out.element(
      "line", .class(name), .percent("x1", start.x), .plain("y1", start.y), .percent("x2", end.x),
      .plain("y2", end.y))
  }

  /// Text at a share `x` of the width, moved by `dx` pixels.
  func text(_ text: String, x: Double, y: Double, dx: Double = 0, class names: String) {
    page.out.element(
      "text", .class(names), .percent("x", x), .plain("y", y), .plain("dx", dx), text: text)
  }
}
