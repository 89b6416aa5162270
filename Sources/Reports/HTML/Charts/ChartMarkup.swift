/// A chart as a figure: title, key, drawing with its text alternative, and the numbers as a table.
struct ChartMarkup {
  let page: Page

  func write(_ chart: Chart) {
    let table = chart.table
    page.out.element(
      "figure", .class(chart.isDaily ? "chart daily" : "chart"), .id("\(table.id)-chart")
    ) {
      page.out.element("h3", .id("\(table.id)-chart-title"), text: chart.title)
      guard !table.rows.isEmpty else {
        return page.out.element("p", .class("empty"), text: table.emptyText)
      }
      key(chart)
      draw(chart)
      numbers(chart)
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

  /// Of columns by day the unit that they are drawn in, and both for the script that draws some days.
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
    let series = chart.isDaily ? chart.stackedSeries : []
    guard !chart.showsTable else {
      return TableMarkup(page: page, series: series).writeBody(chart.table, labelledBy: heading)
    }
    page.out.element("details") {
      page.out.element("summary", text: "The numbers")
      TableMarkup(page: page, series: series).writeBody(chart.table, labelledBy: heading)
    }
  }
}
