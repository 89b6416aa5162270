import GRDB

/// The workspace's database: one SQLite file that a job writes while reports read it.
///
/// In WAL mode a reader sees the state of the last commit and never waits for the writer. Writers of
/// several processes queue for `DatabaseFile.busyTimeoutSeconds`. Every error that leaves this
/// class is a `StoreError`, or what the closure itself threw.
package final class Store: Sendable {
  package enum Mode: Sendable {
    /// Creates the file when there is none and brings its schema up to date.
    case readWrite
    /// Writes nothing; the file has to exist, with the schema of this program.
    case readOnly
  }

  package let path: String
  let pool: DatabasePool

  private init(path: String, pool: DatabasePool) {
    self.path = path
    self.pool = pool
  }

  /// Opens the database at `path`; its folder has to exist.
  ///
  /// A new file can be read and written by its owner only.
  package static func open(path: String, mode: Mode = .readWrite) throws -> Store {
    try StoreError.translating(path: path) {
      try DatabaseFile.checkOrCreate(path: path, mode: mode)
      let pool = try DatabaseFile.openPool(path: path, mode: mode)
      try Schema.check(pool, path: path, mode: mode)
      if mode == .readWrite { try pool.writeWithoutTransaction(TableIndexes.restore) }
      return Store(path: path, pool: pool)
    }
  }

  /// Asks questions of one unchanging snapshot.
  package func read<T>(_ body: (Reader) throws -> T) throws -> T {
    try StoreError.translating(path: path) {
      try pool.read { try body(Reader(database: $0)) }
    }
  }

  /// Changes the database in one IMMEDIATE transaction: all of it when `body` returns, nothing when it throws.
  package func write<T>(_ body: (Writer) throws -> T) throws -> T {
    try StoreError.translating(path: path) {
      try pool.write { try body(Writer(database: $0)) }
    }
  }

  /// Closes every connection; any use after that throws.
  package func close() throws {
    try StoreError.translating(path: path) { try pool.close() }
  }
}
