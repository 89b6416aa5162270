import GRDB
import Model

/// The workspace's database: one SQLite file that a job writes while reports read it.
///
/// In WAL mode a reader sees the last commit and never waits for a writing process. Writers of
/// several processes queue for `DatabaseFile.busyTimeoutSeconds`. A process has one connection,
/// used in turns; a closure must not use its own store again. Errors are `StoreError`, or the
/// closure's own.
package final class Store: Sendable {
  package enum Mode: Sendable {
    /// Creates a missing file and migrates an old schema.
    case readWrite
    /// Writes nothing; the file must exist and have this program's schema.
    case readOnly
  }

  package static var schemaVersion: Int { Schema.version }

  /// Whether a database of this schema can be opened to write: of this program's, or an older
  /// release's.
  package static func canOpen(schema: Int) -> Bool { Schema.leads(from: schema) }

  package let path: String
  let connection: DatabaseQueue
  /// Whether it only reads, by files beside the database that it shares with others.
  private let sharesFiles: Bool

  init(path: String, connection: DatabaseQueue, sharesFiles: Bool = false) {
    self.path = path
    self.connection = connection
    self.sharesFiles = sharesFiles
  }

  /// A reader that was the last to have the database open leaves nothing beside it.
  deinit {
    guard sharesFiles else { return }
    do {
      try connection.close()
      DatabaseFile.removeSharedFiles(beside: path)
    } catch {
      // A statement goes on, whose reader takes them away.
    }
  }

  /// Opens the database at `path`, whose folder must exist; only the owner can read a new file.
  ///
  /// `willMigrate` is called before the schema of a database that holds rows is changed. What it
  /// throws leaves the database as it is.
  ///
  /// - Throws: `StoreError`, or what `willMigrate` throws.
  package static func open(
    path: String, mode: Mode = .readWrite,
    willMigrate: (PendingMigration) throws -> Void = { _ in }
  ) throws -> Store {
    try StoreError.translating(path: path) {
      try DatabaseFile.checkOrCreate(path: path, mode: mode)
      let connection = try connected(path: path, mode: mode) {
        try Schema.check($0, path: path, mode: mode, willMigrate: willMigrate)
      }
      if mode == .readWrite {
        try SystemFailure.telling(on: connection) {
          try connection.writeWithoutTransaction(TableIndexes.restore)
        }
      }
      return Store(path: path, connection: connection, sharesFiles: mode == .readOnly)
    }
  }

  /// An empty database in memory, for what has to be known while the disk takes nothing.
  package static func inMemory() throws -> Store {
    let path = ":memory:"
    return try StoreError.translating(path: path) {
      let connection = try DatabaseQueue()
      try Schema.check(connection, path: path, mode: .readWrite)
      return Store(path: path, connection: connection)
    }
  }

  /// A connection to the file that has passed the check.
  static func connected(
    path: String, mode: Mode, _ check: (DatabaseQueue) throws -> Void
  ) throws -> DatabaseQueue {
    do {
      let connection = try DatabaseFile.connect(path: path, mode: mode)
      try SystemFailure.telling(on: connection) { try check(connection) }
      return connection
    } catch let error as DatabaseError
      where mode == .readOnly && DatabaseFile.lacksSharedMemory(error)
    {
      // Readers of WAL share a file beside the database, which a read-only folder or a full disk
      // prevents.
      guard !DatabaseFile.hasLog(path: path) else {
        return try DatabaseFile.connectToCopy(path: path) {
          try Schema.check($0, path: path, mode: mode)
        }
      }
      return try DatabaseFile.connectImmutable(path: path, check)
    }
  }

  package func read<T>(_ body: (Reader) throws -> T) throws -> T {
    try StoreError.translating(path: path) {
      try SystemFailure.telling(on: connection) {
        try connection.read { try body(Reader(database: $0)) }
      }
    }
  }

  /// Runs one IMMEDIATE transaction: commits when `body` returns, rolls back when it throws.
  package func write<T>(_ body: (Writer) throws -> T) throws -> T {
    try StoreError.translating(path: path) {
      try SystemFailure.telling(on: connection) {
        try connection.write { try body(Writer(database: $0)) }
      }
    }
  }

  /// Ends the statement that runs now, if any, with a `CancellationError`.
  ///
  /// Its transaction is rolled back. May be called from any thread.
  package func interrupt() { connection.interrupt() }

  /// Closes the connection; any later use throws.
  package func close() throws {
    try StoreError.translating(path: path) { try connection.close() }
  }
}

/// A database whose schema is about to be changed.
package struct PendingMigration {
  package let schema: Int
  package let target: Int
  let connection: DatabaseQueue

  /// Copies the database as it is into a new file; see `Store.backUp`.
  ///
  /// Another process may have migrated it meanwhile: the copy says what schema it has.
  package func backUp(to destination: String) throws {
    try DatabaseFile.backUp(connection, to: destination)
  }
}

/// A snapshot, or a transaction, which sees its own changes; queries are extensions of this
/// protocol.
package protocol Readable {
  var reader: Reader { get }
}

/// A snapshot of the database, valid inside the closure of `Store.read`.
package struct Reader: Readable {
  let database: Database

  package var reader: Reader { self }

  /// What `read` makes of each row that `sql` selects, in order; a row is gone after its call.
  func rows<T>(
    _ sql: String, _ arguments: StatementArguments = StatementArguments(),
    _ read: (Row) throws -> T
  ) throws -> [T] {
    var all: [T] = []
    try forEachRow(sql, arguments) { all.append(try read($0)) }
    return all
  }

  /// The same, one row in memory at a time.
  func forEachRow(
    _ sql: String, _ arguments: StatementArguments = StatementArguments(),
    _ body: (Row) throws -> Void
  ) throws {
    try Row.fetchCursor(database, sql: sql, arguments: arguments).forEach(body)
  }

  /// What `read` makes of the first row that `sql` selects; nil without one.
  func first<T>(
    _ sql: String, _ arguments: StatementArguments = StatementArguments(),
    _ read: (Row) throws -> T
  ) throws -> T? {
    // A copied row would end its texts at a NUL, and a row ends with its cursor.
    let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
    return try withExtendedLifetime(rows) { try rows.next().map(read) }
  }

  /// The single number that `sql` selects; 0 for NULL or no row.
  func count(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Int {
    try Int.fetchOne(database, sql: sql, arguments: arguments) ?? 0
  }

  /// The single instant that `sql` selects, in microseconds; nil for NULL or no row.
  func instant(
    _ sql: String, _ arguments: StatementArguments = StatementArguments()
  ) throws -> Instant? {
    try Int64.fetchOne(database, sql: sql, arguments: arguments).map(Instant.init(microseconds:))
  }
}

/// A transaction, valid inside the closure of `Store.write`; changes are extensions of this type.
package struct Writer: Readable {
  let database: Database

  package var reader: Reader { Reader(database: database) }

  /// Runs one statement with bound values and returns the number of changed rows.
  @discardableResult
  func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Int {
    try database.execute(sql: sql, arguments: arguments)
    return database.changesCount
  }

  /// Inserts one row, or replaces the one with the same key; returns its number.
  @discardableResult
  func insert(
    into table: String, _ values: [ColumnValue], orReplace isReplacing: Bool = false
  ) throws -> Int64 {
    let names = values.map(\.column).joined(separator: ", ")
    let places = databaseQuestionMarks(count: values.count)
    try run(
      "INSERT\(isReplacing ? " OR REPLACE" : "") INTO \(table) (\(names)) VALUES (\(places))",
      StatementArguments(values.map(\.value)))
    return database.lastInsertedRowID
  }
}

extension Readable {
  /// The value of a name in the table `marks`; nil without one.
  package func metadata(named name: String) throws -> String? {
    try String.fetchOne(
      reader.database, sql: "SELECT value FROM marks WHERE name = ?", arguments: [name])
  }

  /// The same for a value that was stored as JSON.
  ///
  /// - Throws: `DecodingError` for one of another form, as another version may have stored it.
  package func metadata<Value: Decodable>(_ type: Value.Type, named name: String) throws -> Value? {
    try metadata(named: name).map { try StoredJSON.value(type, of: $0) }
  }
}

extension Writer {
  /// Stores a value under a name, replacing the last one; nil deletes it.
  package func setMetadata(_ value: String?, named name: String) throws {
    guard let value else {
      try run("DELETE FROM marks WHERE name = ?", [name])
      return
    }
    try run("INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)", [name, value])
  }

  /// The same for a value that is stored as JSON.
  package func setMetadata(encoding value: some Encodable, named name: String) throws {
    try setMetadata(try StoredJSON.text(of: value), named: name)
  }
}

/// A column's name with what goes into it.
typealias ColumnValue = (column: String, value: (any DatabaseValueConvertible)?)

extension String {
  /// The text in double quotes, inner quotes doubled, as in CSV and SQL identifiers.
  ///
  /// It works on scalars: a quote with a combining mark is another character in Swift, but still a
  /// quote to every reader.
  package var quoted: String {
    var quoted: UnicodeScalarView = "\"".unicodeScalars
    for scalar in unicodeScalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}
