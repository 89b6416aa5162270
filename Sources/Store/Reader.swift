import GRDB

/// What answers questions: a snapshot, or a transaction that sees its own changes.
///
/// The questions are extensions of this protocol, in `Queries/`.
package protocol Readable {
  var reader: Reader { get }
}

/// A snapshot of the database, valid inside the closure of `Store.read`.
package struct Reader: Readable {
  let database: Database

  package var reader: Reader { self }

  /// The single number that `sql` selects; 0 for NULL or no row.
  func count(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Int {
    try Int.fetchOne(database, sql: sql, arguments: arguments) ?? 0
  }
}
