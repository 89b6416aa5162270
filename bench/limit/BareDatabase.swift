import GRDBSQLite
import Model

/// A SQLite file, reached through SQLite's own interface and nothing else.
///
/// Durability is given up on purpose: no journal, no sync, no other process.
struct BareDatabase {
  struct Failure: Error {
    var code: Int32
    var message: String
  }

  private let connection: OpaquePointer
  private let workload: BareWorkload

  /// Creates the file, which must not exist, and the tables without their secondary indexes.
  init(newFileAt path: String, for workload: BareWorkload) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    guard code == SQLITE_OK, let opened else { throw Failure(code: code, message: path) }
    connection = opened
    self.workload = workload
    try execute(Self.settings + workload.schema)
  }

  /// Inserts all rows in one transaction.
  func insert() throws {
    try execute("BEGIN")
    for table in workload.tables { try insert(table) }
    try execute("COMMIT")
  }

  private func insert(_ table: BareWorkload.Table) throws {
    let width = table.width
    var prepared: OpaquePointer?
    try check(sqlite3_prepare_v2(connection, table.insert, -1, &prepared, nil))
    defer { sqlite3_finalize(prepared) }
    for page in table.pages {
      try page.bytes.withUnsafeBytes { text in
        for start in stride(from: 0, to: page.cells.count, by: width) {
          try bind(page.cells[start..<start + width], in: text, to: prepared)
          guard sqlite3_step(prepared) == SQLITE_DONE else { throw failure }
          sqlite3_reset(prepared)
        }
      }
    }
  }

  /// Builds the secondary indexes, sorting in files and with threads.
  func createIndexes() throws {
    try execute("PRAGMA temp_store = FILE; PRAGMA cache_size = -2000; PRAGMA threads = 2")
    try execute(workload.indexes)
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

  private static let settings = """
    PRAGMA page_size = 16384;
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    PRAGMA locking_mode = EXCLUSIVE;

    """
}
