import Dispatch
import GRDB
import GRDBSQLite
package import Model
import Synchronization

/// Queries of the reader's own and of report sections: one statement that only reads, within
/// limits.
extension Readable {
  /// Runs a query in this snapshot or transaction, and returns all of its rows.
  ///
  /// - Parameters:
  ///   - sql: one SELECT, WITH … SELECT or VALUES, also behind EXPLAIN. Comments and semicolons may
  ///     follow it. It sees the tables and views of the database and of this connection.
  ///   - parameters: values by name without the sign: `start` is `:start` in SQL. The query need
  ///     not use them, but may use no others.
  ///   - limits: how much it may take.
  /// - Returns: columns and rows as SQLite gives them.
  /// - Throws: `QueryProblem` for what is wrong with the query; `CancellationError` when the task
  ///   or the store's statement is; `DatabaseError` for troubles of the database.
  package func result(
    of sql: String, _ parameters: [String: SQLValue] = [:], within limits: QueryLimits = .init()
  ) throws -> SQLResult {
    try reader.database.reading(within: limits) { deadline in
      let query = try PreparedQuery(reader.database, sql, limits, deadline)
      return try query.result(with: parameters)
    }
  }

  /// Refuses whatever `result` refuses before it runs a query without parameters.
  func checkQuery(_ sql: String) throws {
    let limits = QueryLimits()
    try reader.database.reading(within: limits) { deadline in
      try PreparedQuery(reader.database, sql, limits, deadline).bind([:])
    }
  }
}

/// A statement that only reads; it is finalised when nothing refers to it.
private final class PreparedQuery {
  private let database: Database
  private let sql: String
  private let limits: QueryLimits
  private let deadline: QueryDeadline
  private let statement: OpaquePointer

  init(
    _ database: Database, _ sql: String, _ limits: QueryLimits, _ deadline: QueryDeadline
  ) throws {
    (self.database, self.sql, self.limits, self.deadline) = (database, sql, limits, deadline)
    statement = try Self.prepared(database, sql, limits, deadline)
    guard sqlite3_stmt_readonly(statement) != 0, sqlite3_column_count(statement) > 0 else {
      throw QueryProblem(.writes, at: QueryText(sql).start())
    }
  }

  deinit { sqlite3_finalize(statement) }

  /// The words are checked first, since some statements act while they are prepared.
  private static func prepared(
    _ database: Database, _ sql: String, _ limits: QueryLimits, _ deadline: QueryDeadline
  ) throws -> OpaquePointer {
    // SQLite would take the text to end there.
    if let end = sql.utf8.firstIndex(of: 0) {
      throw QueryProblem(.wrong("it has a NUL character"), at: sql.utf8Offset(of: end))
    }
    let text = QueryText(sql)
    guard let start = text.start() else { throw QueryProblem(.noStatement) }
    guard text.mayRead else { throw QueryProblem(.writes, at: start) }
    var sql = sql
    let (code, statement, end) = sql.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        var statement: OpaquePointer?
        var rest: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v2(
          database.sqliteConnection, bytes.baseAddress, Int32(clamping: bytes.count), &statement,
          &rest)
        return (code, statement, rest.flatMap { rest in bytes.baseAddress.map { rest - $0 } } ?? 0)
      }
    }
    guard code == SQLITE_OK, let statement else {
      throw QueryProblem.failure(code, database, sql, limits, deadline)
    }
    if let second = text.start(from: end) {
      sqlite3_finalize(statement)
      throw QueryProblem(.severalStatements, at: second)
    }
    return statement
  }

  var columns: [String] {
    (0..<sqlite3_column_count(statement)).map { column in
      sqlite3_column_name(statement, column).map { String(cString: $0) } ?? ""
    }
  }

  func result(with parameters: [String: SQLValue]) throws -> SQLResult {
    try bind(parameters)
    let width = sqlite3_column_count(statement)
    var result = SQLResult(columns: columns, rows: [])
    var bytes = 0
    while try step() {
      guard result.rows.count < limits.rows else {
        if limits.cutsRows { break }
        throw QueryProblem(.tooManyRows(limits.rows))
      }
      // Counted before they are copied.
      for column in 0..<width {
        bytes += statement.byteCount(ofColumn: column)
        guard bytes <= limits.resultBytes else {
          throw QueryProblem(.tooLargeResult(bytes: limits.resultBytes))
        }
      }
      result.rows.append((0..<width).map { SQLValue(TableCell(statement, column: $0)) })
    }
    return result
  }

  private func step() throws -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw QueryProblem.failure(code, database, sql, limits, deadline)
    }
  }

  func bind(_ parameters: [String: SQLValue]) throws {
    let count = sqlite3_bind_parameter_count(statement)
    for index in stride(from: Int32(1), through: count, by: 1) {
      // A number leaves those before it without a name: ?2 alone makes a ?1.
      let name = sqlite3_bind_parameter_name(statement, index).map { String(cString: $0) } ?? "?"
      guard let value = parameters[String(name.dropFirst())] else {
        throw QueryProblem(
          .unknownParameter(name: name, known: parameters.keys.map { ":\($0)" }.sorted()),
          at: QueryText(sql).offset(ofParameter: name))
      }
      let code = value.bind(statement, index)
      guard code == SQLITE_OK else {
        throw QueryProblem.failure(code, database, sql, limits, deadline)
      }
    }
  }
}

extension String {
  fileprivate func utf8Offset(of index: Index) -> Int {
    utf8.distance(from: utf8.startIndex, to: index)
  }
}

extension QueryProblem {
  /// What a call to SQLite that returned this code says of the query, or of the database.
  static func failure(
    _ code: Int32, _ database: Database, _ sql: String, _ limits: QueryLimits,
    _ deadline: QueryDeadline
  ) -> any Error {
    let error = database.lastError(code)
    // Extended codes of SQLITE_READONLY are about the file, such as a log that needs recovery.
    switch (error.resultCode, code) {
    case (.SQLITE_INTERRUPT, _):
      return deadline.hasPassed
        ? QueryProblem(.tooLong(seconds: limits.seconds)) : CancellationError()
    case (.SQLITE_TOOBIG, _): return QueryProblem(.tooLarge(bytes: limits.valueBytes))
    // What only reads fills no database: it is the disk of temporary files.
    case (.SQLITE_FULL, _): return QueryProblem(.noSpace)
    case (.SQLITE_NOMEM, _): return QueryProblem(.tooMuchMemory(bytes: limits.memoryBytes))
    case (_, SQLITE_READONLY): return QueryProblem(.writes)
    case (.SQLITE_ERROR, _), (.SQLITE_MISMATCH, _), (.SQLITE_RANGE, _), (.SQLITE_AUTH, _),
      (.SQLITE_CONSTRAINT, _):
      let offset = Int(sqlite3_error_offset(database.sqliteConnection))
      return QueryProblem.wrong(error.message ?? "no reason given", in: sql, at: offset)
    default: return error
    }
  }

  /// `offset` is SQLite's, negative where it has none: then the message may name the position.
  private static func wrong(_ message: String, in sql: String, at offset: Int) -> QueryProblem {
    guard offset < 0 else { return QueryProblem(.wrong(message), at: offset) }
    if message == "incomplete input" {
      return QueryProblem(.wrong(message), at: sql.utf8.count)
    }
    guard let name = missingTable(in: message)?.split(separator: ".").last else {
      return QueryProblem(.wrong(message))
    }
    return QueryProblem(.wrong(message), at: QueryText(sql).offset(ofName: String(name)))
  }
}

extension SQLValue {
  fileprivate init(_ cell: TableCell) {
    self =
      switch cell {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(String(decoding: text, as: UTF8.self))
      case .blob(let blob): .blob(Array(blob))
      }
  }

  /// SQLite copies texts and blobs.
  fileprivate func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32 {
    // SQLITE_TRANSIENT, a cast that Swift does not import.
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch self {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let number): return sqlite3_bind_int64(statement, index, number)
    case .real(let number): return sqlite3_bind_double(statement, index, number)
    case .text(let text):
      return sqlite3_bind_text(statement, index, text, Int32(clamping: text.utf8.count), copies)
    case .blob(let bytes) where bytes.isEmpty: return sqlite3_bind_zeroblob(statement, index, 0)
    case .blob(let bytes):
      return sqlite3_bind_blob(statement, index, bytes, Int32(clamping: bytes.count), copies)
    }
  }
}

extension OpaquePointer {
  /// What the value in a column of a statement's row counts for in `QueryLimits.resultBytes`.
  ///
  /// It makes nothing of the value: a `zeroblob` is no memory yet.
  fileprivate func byteCount(ofColumn column: Int32) -> Int {
    switch sqlite3_column_type(self, column) {
    case SQLITE_TEXT, SQLITE_BLOB: 24 + Int(sqlite3_column_bytes(self, column))
    default: 24
    }
  }
}

/// When a query has to end; SQLite's machine asks between its instructions.
final class QueryDeadline {
  private let end: DispatchTime
  /// Whether it ended a query.
  private(set) var hasPassed = false

  /// Instructions of SQLite's machine from one look to the next: few, since a function on a long
  /// text is one of them.
  static let instructions: Int32 = 100

  /// It never passes where the seconds are infinite.
  init(seconds: Double) { end = seconds.isFinite ? .now() + seconds : .distantFuture }

  /// Whether the query has to end now: its time is over, or its task is cancelled.
  fileprivate var isOver: Bool {
    if Task.isCancelled { return true }
    if DispatchTime.now() >= end { hasPassed = true }
    return hasPassed
  }
}

extension Database {
  /// Runs `body`, whose statements cannot write, and end when the limits say so; then the
  /// connection is as it was.
  ///
  /// An authorizer cannot be set: a connection has only one, and GRDB needs its own to notice
  /// changes of the schema. Together with the checks of `PreparedQuery` these take its place:
  ///
  /// - Whatever changes the connection (PRAGMA, ATTACH, BEGIN, SAVEPOINT) begins with a word of its
  ///   own. So does whatever changes data, except INSERT, UPDATE and DELETE behind WITH, which
  ///   `sqlite3_stmt_readonly` detects.
  /// - A SELECT can still call what writes: table-valued functions of pragmas, such as
  ///   `pragma_optimize`, run statements of their own. `query_only` forbids them to, in temporary
  ///   tables as well. GRDB sets it for a read, but not on connections that were opened read-only.
  /// - Functions that reach out of the database: `load_extension` is off unless it is switched on,
  ///   and the setting form of `fts3_tokenizer`, which takes any address for code, is removed here.
  ///   Debian's SQLite has it switched on; nothing here uses FTS3.
  func reading<T>(
    within limits: QueryLimits, _ body: (QueryDeadline) throws -> T
  ) throws -> T {
    let connection = sqliteConnection
    let removal = sqlite3_create_function_v2(
      connection, "fts3_tokenizer", 2, SQLITE_UTF8, nil, nil, nil, nil, nil)
    guard removal == SQLITE_OK else { throw lastError(removal) }
    let canWrite = try !(Bool.fetchOne(self, sql: "PRAGMA query_only") ?? false)
    if canWrite { try execute(sql: "PRAGMA query_only = 1") }
    // Acts while it is prepared, so that an interruption cannot keep it from doing so.
    defer { if canWrite { sqlite3_exec(connection, "PRAGMA query_only = 0", nil, nil, nil) } }
    let length = sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, Int32(clamping: limits.valueBytes))
    defer { sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, length) }
    HeapLimit.begin(limits.memoryBytes)
    defer { HeapLimit.end() }
    let deadline = QueryDeadline(seconds: limits.seconds)
    return try withExtendedLifetime(deadline) {
      // GRDB has no progress handler.
      sqlite3_progress_handler(
        connection, QueryDeadline.instructions,
        { context in
          guard let context else { return 0 }
          return Unmanaged<QueryDeadline>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
        }, Unmanaged.passUnretained(deadline).toOpaque())
      defer { sqlite3_progress_handler(connection, 0, nil, nil) }
      return try body(deadline)
    }
  }
}

/// SQLite's limit of memory while queries run.
///
/// It is one for the process, in which one connection is used at a time; of queries at the same
/// time the first one's limit holds.
private enum HeapLimit {
  private static let queries = Mutex(0)

  static func begin(_ bytes: Int) {
    queries.withLock { count in
      if count == 0 {
        sqlite3_hard_heap_limit64(sqlite3_memory_used() + Int64(bytes))
      }
      count += 1
    }
  }

  static func end() {
    queries.withLock { count in
      count -= 1
      if count == 0 { sqlite3_hard_heap_limit64(0) }
    }
  }
}
