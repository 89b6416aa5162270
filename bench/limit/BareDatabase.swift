import GRDBSQLite
import Model

/// A SQLite file with the users' columns, reached through SQLite's own interface and nothing else.
///
/// Durability is given up on purpose: no journal, no sync, no other process.
struct BareDatabase {
  struct Failure: Error {
    var code: Int32
    var message: String
  }

  private let connection: OpaquePointer

  /// Creates the file, which must not exist, and the table without its secondary indexes.
  init(newFileAt path: String) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    guard code == SQLITE_OK, let opened else { throw Failure(code: code, message: path) }
    connection = opened
    try execute(Self.schema)
  }

  /// Inserts all rows in one transaction.
  func insert(_ pages: [TableRows]) throws {
    let width = UserColumn.allCases.count
    var prepared: OpaquePointer?
    let parameters = Array(repeating: "?", count: width + 1).joined(separator: ",")
    try check(
      sqlite3_prepare_v2(
        connection, "INSERT INTO OnlineUsers VALUES (NULL,\(parameters))", -1, &prepared, nil))
    defer { sqlite3_finalize(prepared) }
    try execute("BEGIN")
    for page in pages {
      try page.bytes.withUnsafeBytes { text in
        for start in stride(from: 0, to: page.cells.count, by: width) {
          try bind(page.cells[start..<start + width], in: text, to: prepared)
          guard sqlite3_step(prepared) == SQLITE_DONE else { throw failure }
          sqlite3_reset(prepared)
        }
      }
    }
    try execute("COMMIT")
  }

  /// Builds the five secondary indexes, sorting in files and with threads.
  func createIndexes() throws {
    try execute("PRAGMA temp_store = FILE; PRAGMA cache_size = -2000; PRAGMA threads = 2")
    try execute(Self.indexes)
  }

  private func bind(
    _ row: ArraySlice<TableRows.Cell>, in text: UnsafeRawBufferPointer, to statement: OpaquePointer?
  ) throws {
    var index: Int32 = 1
    for cell in row {
      switch cell {
      case .null:
        try check(sqlite3_bind_null(statement, index))
      case .integer(let number):
        try check(sqlite3_bind_int64(statement, index, number))
      case .real(let number):
        try check(sqlite3_bind_double(statement, index, number))
      case .text(let range), .blob(let range):
        let start = text.baseAddress?.advanced(by: range.lowerBound)
          .assumingMemoryBound(to: CChar.self)
        try check(sqlite3_bind_text(statement, index, start, Int32(range.count), nil))
      }
      index += 1
    }
    try check(sqlite3_bind_int64(statement, index, 0))
  }

  private func execute(_ sql: String) throws {
    try check(sqlite3_exec(connection, sql, nil, nil, nil))
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw failure }
  }

  private var failure: Failure {
    Failure(
      code: sqlite3_errcode(connection), message: String(cString: sqlite3_errmsg(connection)))
  }

  private static let schema = """
    PRAGMA page_size = 16384;
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA locking_mode = EXCLUSIVE;
    CREATE TABLE OnlineUsers (
        id INTEGER PRIMARY KEY, user_id TEXT UNIQUE NOT NULL, user_name TEXT, user_image TEXT,
        user_gender TEXT, user_country TEXT, user_language TEXT, user_age TEXT,
        user_device_id TEXT, user_device_token TEXT, user_area TEXT, user_city TEXT,
        user_state TEXT, user_decent_time INTEGER, user_last_time_seen INTEGER, isAd INTEGER,
        update_time INTEGER NOT NULL, synced_at INTEGER NOT NULL
    );
    """

  private static let indexes = """
    CREATE INDEX seen ON OnlineUsers(user_last_time_seen DESC);
    CREATE INDEX ad ON OnlineUsers(isAd, user_last_time_seen DESC);
    CREATE INDEX area ON OnlineUsers(user_area, user_last_time_seen DESC);
    CREATE INDEX city ON OnlineUsers(user_city, user_last_time_seen DESC);
    CREATE INDEX state ON OnlineUsers(user_state, user_last_time_seen DESC);
    """
}
