import GRDB

/// The workspace's database: one SQLite file that a job writes while reports read it.
///
/// In WAL mode a reader sees the state of the last commit and never waits for another process that
/// writes. Writers of several processes queue for `DatabaseFile.busyTimeoutSeconds`. Within the
/// process there is one connection, on which everybody takes turns; a closure must not ask its own
/// store again. Every error that leaves this class is a `StoreError`, or what the closure itself threw.
package final class Store: Sendable {
  package enum Mode: Sendable {
    /// Creates the file when there is none and brings its schema up to date.
    case readWrite
    /// Writes nothing; the file has to exist, with the schema of this program.
    case readOnly
  }

  package let path: String
  let connection: DatabaseQueue

  private init(path: String, connection: DatabaseQueue) {
    self.path = path
    self.connection = connection
  }

  /// Opens the database at `path`; its folder has to exist.
  ///
  /// A new file can be read and written by its owner only.
  package static func open(path: String, mode: Mode = .readWrite) throws -> Store {
    try StoreError.translating(path: path) {
      try DatabaseFile.checkOrCreate(path: path, mode: mode)
      let connection = try DatabaseFile.connect(path: path, mode: mode)
      try Schema.check(connection, path: path, mode: mode)
      if mode == .readWrite { try connection.writeWithoutTransaction(TableIndexes.restore) }
      return Store(path: path, connection: connection)
    }
  }

  /// Asks questions of one unchanging snapshot.
  package func read<T>(_ body: (Reader) throws -> T) throws -> T {
    try StoreError.translating(path: path) {
      try connection.read { try body(Reader(database: $0)) }
    }
  }

  /// Changes the database in one IMMEDIATE transaction: all of it when `body` returns, nothing when it throws.
  package func write<T>(_ body: (Writer) throws -> T) throws -> T {
    try StoreError.translating(path: path) {
      try connection.write { try body(Writer(database: $0)) }
    }
  }

  /// Closes the connection; any use after that throws.
  package func close() throws {
    try StoreError.translating(path: path) { try connection.close() }
  }
}
