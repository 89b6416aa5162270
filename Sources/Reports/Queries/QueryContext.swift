package import Model

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

  package init(user: @escaping (String) -> String, text: @escaping (String) throws -> String) {
    self.user = user
    self.text = text
  }
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

/// Why a query gives no block: what is wrong, and where.
package struct QueryFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// As messages name it, such as `reports/price-test.sql`.
  package var file: String
  /// From 1.
  package var line: Int
  /// The character of the line, from 1; nil when no place in it is known.
  package var position: Int?
  /// From 1; nil when no row is meant.
  package var row: Int?
  /// Of the result; nil when no column is meant.
  package var column: String?
  package var message: String

  package init(
    file: String, line: Int = 1, position: Int? = nil, row: Int? = nil, column: String? = nil,
    _ message: String
  ) {
    self.file = file
    self.line = line
    self.position = position
    self.row = row
    self.column = column
    self.message = message
  }

  /// `reports/price-test.sql:9: row 3, column 'taps'`.
  var placeWords: String {
    let cell = [row.map { "row \($0)" }, column.map { "column '\($0)'" }].compactMap(\.self)
    let place = "\(file):\(line)" + (position.map { ":\($0)" } ?? "")
    return place + (cell.isEmpty ? "" : ": \(cell.joined(separator: ", "))")
  }

  package var description: String { "\(placeWords): \(message)" }
}

extension SectionQuery {
  /// What is wrong with the query as a whole, or with one of its columns.
  package func fault(_ message: String, row: Int? = nil, column: String? = nil) -> QueryFault {
    QueryFault(file: file, line: line, row: row, column: column, message)
  }

  /// What is wrong with a key of the header, or with the lack of it.
  func fault(ofKey key: String, _ message: String) -> QueryFault {
    QueryFault(file: file, line: keyLines[key] ?? 1, "\(key): \(message)")
  }

  /// What is wrong with `checkedSQL`, at its place in the file, or in one of its checks.
  package func fault(_ problem: QueryProblem) -> QueryFault {
    guard let offset = problem.offset else { return fault(problem.description) }
    let before = checks.isEmpty ? 0 : checkedSQL.utf8.count - statement.utf8.count - 2
    guard (before...before + statement.utf8.count).contains(offset) else {
      guard let index = check(at: offset) else {
        return fault("with its checks: \(problem.description)")
      }
      return QueryFault(
        file: file, line: checks[index].line, "checks[\(index)].when: \(problem.description)")
    }
    let place = QueryPlace(byte: offset - before, in: sql)
    var fault = fault(problem.description)
    fault.line += place.line - 1
    fault.position = place.column
    return fault
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
    var rows: [Row] = []
    rows.reserveCapacity(result.rows.count)
    for index in result.rows.indices { rows.append(try row(index)) }
    return rows
  }

  private func row(_ index: Int) throws -> Row {
    let isTotal = try reading(index) { try isSet(SectionQuery.isTotalColumn, in: index) }
    var cells: [Cell] = []
    for (column, places) in zip(query.columns, parts) {
      let values = places.map {
        QueryValue(column: result.columns[$0], value: value($0, in: index))
      }
      cells.append(
        try reading(index) {
          try column.unit.cell(of: values, basis: query.basis, in: context, isTotal: isTotal)
        })
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
