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
      return fault("with its checks: \(problem.description)")
    }
    let place = QueryPlace(byte: offset - before, in: sql)
    var fault = fault(problem.description)
    fault.line += place.line - 1
    fault.position = place.column
    return fault
  }
}
