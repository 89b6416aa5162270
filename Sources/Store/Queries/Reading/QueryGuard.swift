import Dispatch
import GRDB
import GRDBSQLite
import Model

/// When a query has to end; SQLite's machine asks between its instructions.
final class QueryDeadline {
  private let end: DispatchTime
  /// Whether it ended a query.
  private(set) var hasPassed = false

  init(seconds: Double) { end = .now() + seconds }

  /// Whether the query has to end now: its time is over, or its task is cancelled.
  fileprivate var isOver: Bool {
    if Task.isCancelled { return true }
    if DispatchTime.now() >= end { hasPassed = true }
    return hasPassed
  }
}

extension Database {
  /// Runs `body`, whose statements cannot write, and end when the limits say so; then the connection
  /// is as it was.
  ///
  /// An authorizer of our own is not to be had: a connection has one, GRDB sets its own when it opens
  /// the connection, needs it to notice changes of the schema, and cannot set it again. Together with
  /// the checks of `PreparedQuery` these take its place:
  ///
  /// - Whatever changes the connection (PRAGMA, ATTACH, BEGIN, SAVEPOINT) begins with a word of its
  ///   own. So does whatever changes data, but for INSERT, UPDATE and DELETE behind WITH, which
  ///   `sqlite3_stmt_readonly` tells.
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
    let deadline = QueryDeadline(seconds: limits.seconds)
    return try withExtendedLifetime(deadline) {
      // GRDB has no progress handler. 10,000 instructions take about 0.1 ms.
      sqlite3_progress_handler(
        connection, 10_000,
        { context in
          guard let context else { return 0 }
          return Unmanaged<QueryDeadline>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
        }, Unmanaged.passUnretained(deadline).toOpaque())
      defer { sqlite3_progress_handler(connection, 0, nil, nil) }
      return try body(deadline)
    }
  }
}
