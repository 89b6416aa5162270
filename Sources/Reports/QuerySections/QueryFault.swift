package import Model

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
