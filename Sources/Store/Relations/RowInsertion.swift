import GRDB

/// Adds rows to a table, each value under the name of its column.
///
/// The statement is prepared for the columns of the first row, which every row must have.
final class RowInsertion {
  /// Values by their columns, in the order in which they are written.
  struct Row: ExpressibleByDictionaryLiteral {
    /// Without labels: with them, each row would be cast cell by cell.
    fileprivate var cells: [(StaticString, (any Bindable)?)]

    init(dictionaryLiteral cells: (StaticString, (any Bindable)?)...) { self.cells = cells }

    /// The same row with one more column.
    func with(_ column: StaticString, _ value: (any Bindable)?) -> Row {
      var row = self
      row.cells.append((column, value))
      return row
    }
  }

  private let database: Database
  private let table: String
  private var prepared: (statement: RawStatement, columnCount: Int)?

  /// `table` is SQL, such as `temp.person`.
  init(_ database: Database, into table: String) {
    self.database = database
    self.table = table
  }

  func add(_ row: Row) throws {
    let (statement, columnCount) = try prepared ?? prepare(row)
    precondition(row.cells.count == columnCount, "every row of \(table) has the same columns")
    for place in row.cells.indices {
      let index = Int32(place + 1)
      try row.cells[place].1?.bind(to: statement, at: index) ?? statement.bindNull(at: index)
    }
    try statement.run()
  }

  private func prepare(_ row: Row) throws -> (RawStatement, Int) {
    let columns = row.cells.map { "\($0.0)".quoted }.joined(separator: ", ")
    let values = row.cells.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let statement = try RawStatement(
      database, sql: "INSERT INTO \(table) (\(columns)) VALUES (\(values))")
    prepared = (statement, row.cells.count)
    return (statement, row.cells.count)
  }
}

extension String {
  /// Nil for a text without bytes, which becomes NULL.
  var nonempty: String? { isEmpty ? nil : self }
}
