import GRDB
import GRDBSQLite
import Glibc

/// An error of SQLite that the system explains better, such as too many open files at the log.
struct SystemFailure: Error {
  /// The number of `errno`.
  let code: Int32

  /// Runs `body`, which uses the connection; throws `SystemFailure` instead of an error of SQLite
  /// whose reason the system told.
  ///
  /// A reader's other errors are `Store`'s, which then reads without the log's companion.
  static func telling<T>(on connection: DatabaseQueue, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw connection.inDatabase { failure(error, on: $0) } ?? error
    }
  }

  /// The same inside of the connection.
  static func telling<T>(on database: Database, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw failure(error, on: database) ?? error
    }
  }

  /// Nil when the number is of another call, or says less than SQLite.
  private static func failure(_ error: DatabaseError, on database: Database) -> (any Error)? {
    guard [.SQLITE_CANTOPEN, .SQLITE_IOERR].contains(error.resultCode) else { return nil }
    let code = sqlite3_system_errno(database.sqliteConnection)
    let told =
      database.configuration.readonly
      ? [EMFILE, ENFILE] : [EMFILE, ENFILE, EIO, ENOSPC, EDQUOT, EISDIR]
    return told.contains(code) ? SystemFailure(code: code) : nil
  }
}
