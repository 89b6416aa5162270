package import Model

/// What a query becomes on its page: a table, or a chart with its table.
struct QueryTable {
  let block: Block
  /// What stands on the index; nil without a tile.
  let tile: Figure?
  let findings: [Finding]
  /// What the index says; nil without such a sentence.
  let said: String?

  /// `section` is where its findings lead.
  ///
  /// - Throws: `QueryFault` for what the query did not give as its header says, and what a cover
  ///   throws.
  init(
    _ query: SectionQuery, _ result: SQLResult, in section: String, _ context: QueryContext
  ) throws {
    let reading = try QueryRows(query, result, context)
    let rows = try reading.rows()
    // In an unknown period, a count of 0 means unknown.
    findings =
      query.basis == .events && context.report.knowsNothing
      ? [] : QueryFindings(query: query, rows: rows, words: context.words).found(in: section)
    let table = try Self.table(reading, rows)
    block =
      try query.chart.map { .chart(try $0.chart(of: table, rows, query, context)) }
      ?? .table(table.leavingOutEmpty(query.columns))
    tile = Self.tile(of: query, table)
    said =
      try result.rows.isEmpty || context.report.isAnonymous && query.isOwn
      ? nil
      : reading.value(of: SectionQuery.saidColumn, in: 0).flatMap { value in
        try value.isNull ? nil : reading.reading(0) { try value.text() }
      }
  }

  private static func table(_ reading: QueryRows, _ rows: [QueryRows.Row]) throws -> Table {
    let (query, context) = (reading.query, reading.context)
    return Table(
      id: query.id, title: query.title, columns: query.columns.map(\.head),
      rows: rows.map { Table.Row(cells: $0.cells, isTotal: $0.isTotal) },
      shownLimit: query.shown ?? .max, totalCount: try reading.totalCount(),
      emptyText: query.basis == .events ? context.report.emptyText(query.empty) : query.empty,
      isFolded: query.isFolded, source: context.source(of: query))
  }

  /// The cell of the total, or of the first row when there is none; nil without rows.
  private static func tile(of query: SectionQuery, _ table: Table) -> Figure? {
    guard let place = query.columns.firstIndex(where: { $0.id == query.tile }),
      let row = table.rows.first(where: \.isTotal) ?? table.rows.first
    else { return nil }
    let column = query.columns[place]
    return Figure(
      id: "\(query.id)-\(column.id)".replacing("_", with: "-"), label: query.title,
      value: row.cells[place], note: column.title.lowercased(),
      definition: "What the query \(query.name) gives, which stands below its table.",
      source: table.source)
  }
}

extension Table {
  /// Drops optional columns that are empty in every row; without rows all stay.
  fileprivate func leavingOutEmpty(_ queried: [QueryColumn]) -> Table {
    let kept = queried.indices.filter { place in
      !queried[place].isOptional || rows.isEmpty || rows.contains { $0.cells[place] != .missing }
    }
    return part(columns: kept)
  }
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
    for column in series.map(\.column) + [previous].compactMap(\.self) {
      if let row = table.values(of: column).firstIndex(where: { ($0 ?? 0) < 0 }) {
        throw query.fault("is below 0, which no chart draws", row: row + 1, column: column)
      }
    }
    let label = table.columns.firstIndex { $0.id == labels } ?? 0
    let unknown = Set(context.report.unknownDays.map(context.calendar.day(of:)))
    return Chart(
      form: drawing(of: table, label),
      labels: drawn.map { Self.label($0.cells[label], context.words) },
      unit: unit, weekUnit: weekUnit,
      alternative: alternative ?? sentence(of: table, drawn, label, context.words), table: table,
      showsTable: showsTable, previous: previous,
      uncovered: Set(
        rows.filter { !$0.isTotal }.enumerated().filter { _, row in
          guard case .day(let day) = row.cells[label] else { return row.isGap }
          return row.isGap || query.basis == .events && unknown.contains(day)
        }.map(\.offset)))
  }

  private func drawing(of table: Table, _ label: Int) -> ChartForm {
    switch form {
    case .columns: return .columns(series)
    case .line:
      let most = table.cells(of: series[0].column).compactMap(\.level).max() ?? 0
      let upper = upper ?? Double(AxisScale(most: most).ticks.last ?? 1)
      return .line(series[0], range: lower...max(upper, lower + 1))
    case .bars:
      return .bars(
        column: series[0].column,
        tones: table.rows.map { row in
          // Stars have their own, as good as they are.
          guard case .stars(let stars) = row.cells[label] else { return series[0].tone }
          return stars > 3 ? .good : stars == 3 ? .middling : .poor
        })
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
    where series.contains(where: { $0.column == column.id }) {
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

/// The rows of a result, read by the columns of its query.
struct QueryRows {
  /// A row that was read.
  struct Row {
    /// One a column of the query.
    var cells: [Cell]
    var isTotal: Bool
    var isGap: Bool
    /// Which checks are true of it, in their order.
    var fails: [Bool]
  }

  let query: SectionQuery
  let result: SQLResult
  let context: QueryContext
  /// The places of the result's columns by their names.
  private let places: [String: Int]
  /// The places of each column's parts.
  private let parts: [[Int]]

  /// - Throws: `QueryFault` when the result lacks a column, or has it twice.
  init(_ query: SectionQuery, _ result: SQLResult, _ context: QueryContext) throws(QueryFault) {
    self.query = query
    self.result = result
    self.context = context
    if let fault = query.fault(inColumns: result.columns) { throw fault }
    let places = Dictionary(
      result.columns.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { $1 })
    self.places = places
    parts = query.columns.map { $0.parts.compactMap { places[$0] } }
  }

  /// - Throws: `QueryFault` for the first value of another kind, and what a cover throws.
  func rows() throws -> [Row] {
    try result.rows.indices.map(row)
  }

  private func row(_ index: Int) throws -> Row {
    let isTotal = try reading(index) { try isSet(SectionQuery.isTotalColumn, in: index) }
    let cells = try zip(query.columns, parts).map { column, places in
      let values = places.map {
        QueryValue(column: result.columns[$0], value: value($0, in: index))
      }
      return try reading(index) {
        try column.unit.cell(of: values, basis: query.basis, in: context, isTotal: isTotal)
      }
    }
    return Row(
      cells: cells, isTotal: isTotal,
      isGap: try reading(index) { try isSet(SectionQuery.isGapColumn, in: index) },
      fails: query.checks.indices.map { check in
        places[SectionQuery.checkColumn(check)].map { value($0, in: index).isTrue } ?? false
      })
  }

  private func value(_ place: Int, in row: Int) -> SQLValue {
    result.rows[row].indices.contains(place) ? result.rows[row][place] : .null
  }

  /// The value of a column that may be missing, under its name.
  func value(of column: String, in row: Int) -> QueryValue? {
    places[column].map { QueryValue(column: column, value: value($0, in: row)) }
  }

  private func isSet(_ column: String, in row: Int) throws -> Bool {
    guard let value = value(of: column, in: row), !value.isNull else { return false }
    return try value.count(from: 0, to: 1) == 1
  }

  /// Turns a wrong value into a fault that names its row.
  ///
  /// The value itself may name a person, so an anonymous report does not repeat it.
  func reading<Value>(_ row: Int, _ read: () throws -> Value) throws -> Value {
    do {
      return try read()
    } catch let wrong as WrongValue {
      let found = context.report.isAnonymous ? "what it is" : wrong.value.described
      throw query.fault(
        "must be \(wrong.wanted), not \(found)", row: row + 1, column: wrong.column)
    }
  }

  /// The number of rows in the workspace when the result says that it holds fewer.
  func totalCount() throws -> Int? {
    guard !result.rows.isEmpty, let value = value(of: SectionQuery.totalCountColumn, in: 0),
      !value.isNull
    else { return nil }
    return try reading(0) { max(try value.count(from: 0), result.rows.count) }
  }
}

extension SectionQuery {
  /// Why a result with these columns cannot be read; nil when it can.
  package func fault(inColumns names: [String]) -> QueryFault? {
    for name in columns.flatMap(\.parts) {
      switch names.count(where: { $0 == name }) {
      case 1: continue
      case 0:
        let hint = ClosestName.hint(for: name, among: names)
        return fault("the query gives no such column; the header needs it.\(hint)", column: name)
      default: return fault("the query gives this column twice; name it once", column: name)
      }
    }
    return nil
  }
}

extension SQLValue {
  /// Whether SQLite takes it for true; a text is not.
  fileprivate var isTrue: Bool {
    switch self {
    case .integer(let integer): integer != 0
    case .real(let real): real != 0
    case .null, .text, .blob: false
    }
  }
}

/// A parameter that queries are bound to, such as `:start`.
package struct BoundParameter: Hashable, Sendable {
  /// Without the colon.
  package var name: String
  package var value: SQLValue

  package init(_ name: String, _ value: SQLValue) {
    self.name = name
    self.value = value
  }
}

/// What stands for people in an anonymous report: docs/reports.md#anonymous.
package struct QueryCover {
  /// The pseudonym of a user's id.
  let user: (String) -> String
  /// A text in which users' ids and addresses are replaced.
  let text: (String) throws -> String
}

/// What the cells of a report's queries are made with.
package struct QueryContext {
  let report: ReportContext
  let parameters: [BoundParameter]
  /// Nil shows people as they are; an anonymous report without a cover leaves them out.
  let cover: QueryCover?
  let calendar: ReportCalendar
  let words: CellWords
  let comparison: ComparisonWords

  package init(
    _ report: ReportContext, parameters: [BoundParameter] = [], cover: QueryCover? = nil
  ) {
    self.report = report
    self.parameters = parameters
    self.cover = cover
    calendar = ReportCalendar(timeZone: report.timeZone)
    words = CellWords(time: TimeWords(context: report))
    comparison = ComparisonWords(report)
  }

  func source(of query: SectionQuery) -> QuerySource {
    QuerySource(
      name: query.name, sql: query.isOwn && report.isAnonymous ? nil : query.sql,
      parameters: parameters, definitions: query.definitions)
  }

  /// Nothing but the place is said of a fault in an anonymous report: its words may name a person.
  func words(of fault: QueryFault) -> String {
    report.isAnonymous ? "\(fault.placeWords): failed." : fault.description
  }
}
