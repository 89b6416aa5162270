import GRDB
import GRDBSQLite

/// A prepared statement with SQLite's own binding, for tens of thousands of rows.
///
/// Bound bytes stay in place until the statement has stepped, except those of `bind(copyOf:)`.
struct RawStatement {
  private let statement: Statement
  private let pointer: OpaquePointer
  private let database: Database

  init(_ database: Database, sql: String) throws {
    self.database = database
    statement = try database.cachedStatement(sql: sql)
    pointer = statement.sqliteStatement
    reset()
  }

  func bind(_ integer: Int64, at index: Int32) throws {
    try check(sqlite3_bind_int64(pointer, index, integer))
  }

  func bind(_ integer: Int64?, at index: Int32) throws {
    guard let integer else { return try bindNull(at: index) }
    try bind(integer, at: index)
  }

  func bind(_ number: Double, at index: Int32) throws {
    try check(sqlite3_bind_double(pointer, index, number))
  }

  func bind(blob: UnsafeRawBufferPointer, at index: Int32) throws {
    guard let start = blob.baseAddress, !blob.isEmpty else {
      return try check(sqlite3_bind_zeroblob(pointer, index, 0))
    }
    guard let count = Int32(exactly: blob.count) else {
      throw DatabaseError(resultCode: .SQLITE_TOOBIG, message: "a blob of \(blob.count) bytes")
    }
    try check(sqlite3_bind_blob(pointer, index, start, count, nil))
  }

  /// Binds a text of UTF-8 bytes, NUL bytes included.
  func bind(text: UnsafeRawBufferPointer, at index: Int32) throws {
    try bind(text, at: index, nil)
  }

  /// Binds a text that SQLite copies, NUL bytes included.
  func bind(copyOf text: String, at index: Int32) throws {
    var text = text
    // SQLITE_TRANSIENT, a cast that Swift does not import.
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    try text.withUTF8 { try bind(UnsafeRawBufferPointer($0), at: index, copies) }
  }

  private func bind(
    _ text: UnsafeRawBufferPointer, at index: Int32, _ destructor: sqlite3_destructor_type?
  ) throws {
    // Without an address SQLite would bind NULL.
    let start = text.baseAddress ?? UnsafeRawPointer(("" as StaticString).utf8Start)
    guard let count = Int32(exactly: text.count) else {
      throw DatabaseError(resultCode: .SQLITE_TOOBIG, message: "a text of \(text.count) bytes")
    }
    let bytes = start.assumingMemoryBound(to: CChar.self)
    try check(sqlite3_bind_text(pointer, index, bytes, count, destructor))
  }

  func bindNull(at index: Int32) throws {
    try check(sqlite3_bind_null(pointer, index))
  }

  /// Moves the statement to its next row; false when it is done.
  func step() throws -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw database.lastError(code)
    }
  }

  /// Runs a statement without result rows and makes it ready for the next binding.
  func run() throws {
    _ = try step()
    sqlite3_reset(pointer)
  }

  /// The same with these values in its parameters, from the first on.
  func run(with values: (any Bindable)?...) throws {
    for (index, value) in zip(Int32(1)..., values) {
      try value?.bind(to: self, at: index) ?? bindNull(at: index)
    }
    try run()
  }

  func integer(column: Int32) -> Int64 {
    sqlite3_column_int64(pointer, column)
  }

  func isNull(column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }

  /// The bytes of a text, valid until the next step; empty for NULL.
  func text(column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_text(pointer, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(pointer, column)))
  }

  /// Makes the statement ready to be bound again.
  func rewind() {
    sqlite3_reset(pointer)
  }

  /// Also clears the bindings; call it before the bound bytes go away.
  func reset() {
    sqlite3_reset(pointer)
    sqlite3_clear_bindings(pointer)
  }

  private func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw database.lastError(code) }
  }
}

/// A value that a parameter of a statement takes.
protocol Bindable {
  func bind(to statement: RawStatement, at index: Int32) throws
}

extension Bindable where Self: BinaryInteger {
  func bind(to statement: RawStatement, at index: Int32) throws {
    try statement.bind(Int64(self), at: index)
  }
}

extension Int: Bindable {}
extension Int64: Bindable {}
extension UInt32: Bindable {}

extension Bool: Bindable {
  func bind(to statement: RawStatement, at index: Int32) throws {
    try statement.bind(self ? 1 : 0 as Int64, at: index)
  }
}

extension Double: Bindable {
  func bind(to statement: RawStatement, at index: Int32) throws {
    try statement.bind(self, at: index)
  }
}

extension String: Bindable {
  func bind(to statement: RawStatement, at index: Int32) throws {
    try statement.bind(copyOf: self, at: index)
  }
}

extension Database {
  /// The error of a call to SQLite that returned this code, in SQLite's own words.
  func lastError(_ code: Int32) -> DatabaseError {
    let message = sqliteConnection.map { String(cString: sqlite3_errmsg($0)) }
    return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
  }
}
