import GRDB

@testable import Store

extension Reader {
  /// The single text that `sql` selects; nil for NULL or no row.
  func text(_ sql: String) throws -> String? {
    try String.fetchOne(database, sql: sql)
  }

  /// How SQLite would answer `sql`, step by step.
  func plan(_ sql: String, _ arguments: StatementArguments) throws -> [String] {
    try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments)
      .map { $0["detail"] }
  }
}
