import GRDB

extension Writer {
  /// Runs one statement with bound values and returns how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Int {
    try database.execute(sql: sql, arguments: arguments)
    return database.changesCount
  }
}

extension Reader {
  /// The single number that `sql` selects; 0 for NULL or no row.
  func count(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Int {
    try Int.fetchOne(database, sql: sql, arguments: arguments) ?? 0
  }
}
