import GRDB

/// A transaction, valid inside the closure of `Store.write`.
///
/// The changes are extensions of this type, in `Changes/`.
package struct Writer: Readable {
  let database: Database

  package var reader: Reader { Reader(database: database) }

  /// Runs one statement with bound values and returns how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Int {
    try database.execute(sql: sql, arguments: arguments)
    return database.changesCount
  }
}
