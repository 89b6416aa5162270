import Model

/// What a query becomes on its page: a table, a chart with its table, or figures.
struct QueryTable {
  let blocks: [Block]
  /// Of a query of figures; empty otherwise.
  let figures: [Figure]
  /// What stands on the index; nil without a tile.
  let tile: Figure?
  let findings: [Finding]

  /// `section` is where its findings lead.
  ///
  /// - Throws: `QueryFault` for what the query did not give as its header says, and what a cover
  ///   throws.
  init(
    _ query: SectionQuery, _ result: SQLResult, in section: String, _ context: QueryContext
  ) throws {
    let reading = try QueryRows(query, result, context)
    let rows = try reading.rows()
    // Of a period of which nothing is known, a count of 0 is none.
    findings =
      query.basis == .events && context.report.knowsNothing
      ? [] : QueryFindings(query, rows, context.words).found(in: section)
    guard !query.isFigures else {
      let figures = try Self.figures(reading, rows)
      self.figures = figures
      blocks = [.figures(figures)]
      tile = query.tile.flatMap { id in figures.first { $0.id == QueryColumn.kebab(id) } }
      return
    }
    figures = []
    let table = try Self.table(reading, rows)
    blocks = [
      try query.chart.map { .chart(try $0.chart(of: table, rows, query, context)) }
        ?? .table(table)
    ]
    tile = Self.tile(of: query, table)
  }

  private static func table(_ reading: QueryRows, _ rows: [QueryRows.Row]) throws -> Table {
    let (query, context) = (reading.query, reading.context)
    var table = Table(
      id: query.id, title: query.title, columns: query.columns.map(\.head),
      rows: rows.map { Table.Row($0.cells, isTotal: $0.isTotal) },
      shownLimit: query.shown ?? .max, totalCount: try reading.totalCount(),
      emptyText: query.basis == .events ? context.report.emptyText(query.empty) : query.empty,
      isFolded: query.isFolded)
    table.source = context.source(of: query)
    return table
  }

  /// The cell of the total, or of the first row when there is none; nil without rows.
  private static func tile(of query: SectionQuery, _ table: Table) -> Figure? {
    guard let place = query.columns.firstIndex(where: { $0.id == query.tile }),
      let row = table.rows.first(where: \.isTotal) ?? table.rows.first
    else { return nil }
    let column = query.columns[place]
    var figure = Figure(
      id: QueryColumn.kebab("\(query.id)-\(column.id)"), label: query.title,
      value: row.cells[place], note: column.note ?? column.title.lowercased())
    figure.source = table.source
    return figure
  }

  /// One a column; missing when there is no row.
  private static func figures(_ reading: QueryRows, _ rows: [QueryRows.Row]) throws -> [Figure] {
    let query = reading.query
    guard rows.count <= 1 else {
      throw query.fault("gives \(rows.count) rows; figures are one row", row: 2)
    }
    let isUnknown = query.basis == .events && reading.context.report.knowsNothing
    return try query.columns.enumerated().map { place, column in
      var figure = Figure(
        id: QueryColumn.kebab(column.id), label: column.title,
        value: isUnknown ? .missing : rows.first?.cells[place] ?? .missing, note: column.note,
        section: column.section)
      figure.source = reading.context.source(of: query)
      guard !rows.isEmpty else { return figure }
      return try reading.reading(0) { try reading.completed(figure, column) }
    }
  }
}

extension QueryRows {
  /// The figure with its share, its trend and its change, as far as the result has them.
  fileprivate func completed(_ figure: Figure, _ column: QueryColumn) throws -> Figure {
    var figure = figure
    func values(_ endings: [String]) -> [QueryValue]? {
      let values = endings.compactMap { value(of: column.id + $0, in: 0) }
      return values.count == endings.count && !values.contains(where: \.isNull) ? values : nil
    }
    if column.hasShare, let parts = values(["_part", "_whole"]) {
      figure.share = try QueryUnit.ratio(parts[0], parts[1], mayExceed: true)
    }
    if let trend = values(["_trend"]),
      case .trend(let counts) = try QueryUnit.trend.cell(
        of: trend, basis: query.basis, in: context)
    {
      figure.trend = counts
    }
    guard column.unit != .change, let sides = values(["_now", "_previous"]) else { return figure }
    return figure.compared(
      context.change(
        from: try sides[1].count(), to: try sides[0].count(), of: query.basis))
  }
}

extension QueryColumn {
  /// The id of a figure: `new_people` is `new-people`.
  static func kebab(_ id: String) -> String { id.replacing("_", with: "-") }
}

extension QueryChart {
  /// The picture of a table that has its numbers.
  ///
  /// - Throws: `QueryFault` when there is more than a picture can show, or a number below 0.
  fileprivate func chart(
    of table: Table, _ rows: [QueryRows.Row], _ query: SectionQuery, _ context: QueryContext
  ) throws(QueryFault) -> Chart {
    let drawn = table.rows.filter { !$0.isTotal }
    guard drawn.count <= Self.mostRows else {
      throw query.fault(
        "gives \(drawn.count) rows; a chart draws at most \(Self.mostRows)", row: Self.mostRows + 1)
    }
    for column in drawnColumns(of: table) {
      if let row = table.values(of: column).firstIndex(where: { ($0 ?? 0) < 0 }) {
        throw query.fault("is below 0, which no chart draws", row: row + 1, column: column)
      }
    }
    let label = table.columns.firstIndex { $0.id == labels } ?? 0
    var chart = Chart(
      form: drawing(of: table), labels: drawn.map { Self.label($0.cells[label], context.words) },
      unit: unit, weekUnit: weekUnit,
      alternative: alternative ?? sentence(of: table, drawn, label, context.words), table: table,
      showsTable: showsTable)
    let unknown = Set(context.report.unknownDays.map(context.calendar.day(of:)))
    chart.uncovered = Set(
      rows.filter { !$0.isTotal }.enumerated().filter { _, row in
        guard case .day(let day) = row.cells[label] else { return row.isGap }
        return row.isGap || query.basis == .events && unknown.contains(day)
      }.map(\.offset))
    if form == .heatMap, !chart.uncovered.isEmpty {
      chart.absence = "not in the period, or not known"
    }
    return chart
  }

  /// A heat map draws every column but the first.
  private func drawnColumns(of table: Table) -> [String] {
    form == .heatMap ? table.columns.dropFirst().map(\.id) : series.map(\.column)
  }

  private func drawing(of table: Table) -> ChartForm {
    let series = series.map { Chart.Series($0.column, $0.title, $0.tone) }
    switch form {
    case .columns: return .columns(series)
    case .line:
      let most = table.magnitudes(of: series[0].column).max() ?? 0
      let upper = upper ?? Double(AxisScale(most: most).ticks.last ?? 1)
      return .line(series[0], range: lower...max(upper, lower + 1))
    case .bars:
      return .bars(
        column: series[0].column, tones: table.rows.map { _ in series[0].tone })
    case .funnel: return .funnel(column: series[0].column)
    case .heatMap: return .heatMap
    }
  }

  private static func label(_ cell: Cell, _ words: CellWords) -> String {
    if case .day(let day) = cell { return day.short }
    return VisibleText.clipped(words.words(cell), to: 40)
  }

  /// The largest number and where it is; of a line its ends.
  private func sentence(
    of table: Table, _ rows: [Table.Row], _ label: Int, _ words: CellWords
  ) -> String {
    if form == .line, let index = table.columns.firstIndex(where: { $0.id == series[0].column }) {
      let cells = rows.map { $0.cells[index] }.filter { $0.magnitude != nil }
      guard let first = cells.first, let last = cells.last else { return "Nothing to draw." }
      return "\(series[0].title): from \(words.words(first)) to \(words.words(last))."
    }
    var best: (magnitude: Double, words: String)?
    for (index, column) in table.columns.enumerated()
    where drawnColumns(of: table).contains(column.id) {
      for row in rows {
        guard let magnitude = row.cells[index].magnitude, magnitude > best?.magnitude ?? 0 else {
          continue
        }
        let place = VisibleText.clipped(words.words(row.cells[label]), to: 40)
        best = (magnitude, "\(column.title), \(place): \(words.words(row.cells[index]))")
      }
    }
    return best.map { "The largest is \($0.words)." } ?? "Nothing to draw."
  }
}
