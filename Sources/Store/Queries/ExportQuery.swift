import GRDB
import GRDBSQLite
package import Model

/// A table, a view or one SELECT that is read row by row; see `docs/export.md#what`.
package struct ExportQuery {
  /// The name of the table or view, as the database spells it; nil for a SELECT.
  package let table: String?
  /// Each with a name of its own.
  package let columns: [TableColumn]
  private let statement: Statement
  private let database: Database

  /// All columns of a table; `rest` follows its name in the SELECT.
  fileprivate init(_ database: Database, table: String, rest: String) throws {
    try self.init(database, sql: "SELECT * FROM \(table.quoted)\(rest)", table: table)
  }

  fileprivate init(_ database: Database, sql: String, table: String?) throws {
    self.database = database
    self.table = table
    statement = try database.makeStatement(sql: sql)
    columns = try TableColumn.named(Self.columns(of: statement, Reader(database: database)))
  }

  private static func columns(
    of statement: Statement, _ reader: Reader
  ) throws -> [TableColumn] {
    let pointer = statement.sqliteStatement
    var instants: [String: Set<String>] = [:]
    return try statement.columnNames.enumerated().map { position, name in
      let index = Int32(position)
      let type = sqlite3_column_decltype(pointer, index).map { String(cString: $0) }
      // Of a column that the statement takes as it is, also from a view; none of an expression.
      let table = sqlite3_column_table_name(pointer, index).map { String(cString: $0) }
      let origin = sqlite3_column_origin_name(pointer, index).map { String(cString: $0) }
      guard let table, let origin else {
        return TableColumn(name: name, declaredType: type?.uppercased())
      }
      let known = try instants[table] ?? reader.instantColumns(of: table)
      instants[table] = known
      return TableColumn(
        name: name, declaredType: type?.uppercased(), isInstant: known.contains(origin))
    }
  }

  /// Hands over one row after the other; the array is valid inside the call only.
  ///
  /// A cancelled task ends it, also in a step that gives no row for long. A SELECT has the limits
  /// of `QueryLimits.export`.
  ///
  /// - Throws: what `body` throws, `QueryProblem`, `DatabaseError` or `CancellationError`.
  package func forEachRow(_ body: ([TableCell]) throws -> Void) throws {
    guard table == nil else { return try step(body) { database.lastError($0) } }
    let limits = QueryLimits.export
    try database.reading(within: limits) { deadline in
      try step(body) {
        QueryProblem.failure($0, database, statement.sql, limits, deadline)
      }
    }
  }

  private func step(
    _ body: ([TableCell]) throws -> Void, failure: (Int32) -> any Error
  ) throws {
    let pointer = statement.sqliteStatement
    if table != nil {
      // Every 100,000 instructions of SQLite's machine is about a millisecond.
      sqlite3_progress_handler(
        database.sqliteConnection, 100_000, { _ in Task.isCancelled ? 1 : 0 }, nil)
    }
    defer {
      sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
      sqlite3_reset(pointer)
    }
    var cells = [TableCell](repeating: .null, count: columns.count)
    while true {
      switch sqlite3_step(pointer) {
      case SQLITE_ROW: break
      case SQLITE_DONE: return
      case SQLITE_INTERRUPT: throw CancellationError()
      case let code: throw failure(code)
      }
      for position in cells.indices {
        cells[position] = TableCell(pointer, column: Int32(position))
      }
      try body(cells)
    }
  }
}

extension TableCell {
  /// The value in a column of the current row, valid until the next step; a text has all of its
  /// bytes, NUL included.
  @inline(__always)
  init(_ statement: OpaquePointer, column: Int32) {
    func bytes(_ start: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
      let count = Int(sqlite3_column_bytes(statement, column))
      return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
    }
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT: self = .text(bytes(sqlite3_column_text(statement, column)))
    case SQLITE_BLOB: self = .blob(bytes(sqlite3_column_blob(statement, column)))
    default: self = .null
    }
  }
}

extension Readable {
  /// What a table's name or a SELECT selects, valid in this snapshot.
  ///
  /// - Parameter text: the name of a table or view in any case, or else SQL.
  /// - Returns: the query, which has not run yet.
  /// - Throws: `QueryProblem`.
  package func exportQuery(_ text: String) throws -> ExportQuery {
    let names = try reader.exportableNames()
    if let table = names.first(where: { $0.lowercased() == text.lowercased() }) {
      return try ExportQuery(reader.database, table: table, rest: "")
    }
    let isName = !text.isEmpty && !text.contains { $0.isWhitespace || $0 == ";" }
    guard !isName || QueryText(text).mayRead else {
      throw QueryProblem(.wrong("no such table: \(text)"))
    }
    try checkQuery(text)
    return try ExportQuery(reader.database, sql: text, table: nil)
  }

  /// The columns of a table or view that hold instants in microseconds since 1970, in its order.
  ///
  /// - Throws: `QueryProblem` when there is no such table.
  package func instantColumns(ofTable text: String) throws -> [String] {
    try ExportQuery(reader.database, table: reader.exportableName(text), rest: "")
      .columns.filter(\.isInstant).map(\.name)
  }

  /// The rows of a table or view whose time in a column lies in a span, in the order of the times.
  ///
  /// - Throws: `QueryProblem` when there is no such table.
  package func exportQuery(
    ofTable text: String, by column: String, in span: Range<Instant>
  ) throws -> ExportQuery {
    let name = column.quoted
    return try ExportQuery(
      reader.database, table: reader.exportableName(text),
      rest: """
         WHERE \(name) >= \(span.lowerBound.microseconds)
         AND \(name) < \(span.upperBound.microseconds) ORDER BY \(name)
        """)
  }

  /// The name of a table or view as the database spells it.
  private func exportableName(_ text: String) throws -> String {
    let names = try reader.exportableNames()
    guard let table = names.first(where: { $0.lowercased() == text.lowercased() }) else {
      throw QueryProblem(.wrong("no such table: \(text)"))
    }
    return table
  }

  /// The names of all tables and views but SQLite's own, sorted.
  package func exportableNames() throws -> [String] {
    try reader.values(
      """
      SELECT name FROM sqlite_schema
      WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
      """)
  }
}

extension ExportQuery {
  /// Copies the rows into a table of an empty database file.
  ///
  /// Values keep their kinds: a column has its declared type only where that converts nothing, and
  /// one without has the type of its values where these are of one kind. Nothing is durable before
  /// the caller flushes the file, and a failure leaves it unusable.
  ///
  /// - Parameters:
  ///   - file: the database file.
  ///   - table: the table to make.
  ///   - key: the columns of the table's index, as SQL; nil for none.
  ///   - types: the types of columns that the query computes, by name.
  ///   - destination: what errors name.
  /// - Returns: how many rows there were.
  /// - Throws: `StoreError` that names `destination`.
  package func copyRows(
    toDatabase file: String, table: String, key: String? = nil, types: [String: String] = [:],
    named destination: String
  ) throws -> Int {
    let queue = try StoreError.translating(path: destination) {
      var configuration = Configuration()
      configuration.prepareDatabase {
        try $0.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      }
      return try DatabaseQueue(path: file, configuration: configuration)
    }
    return try queue.writeWithoutTransaction { database in
      try database.beginTransaction()
      do {
        let count = try copyRows(into: table, types, database, named: destination)
        try StoreError.translating(path: destination) {
          if let key {
            try database.execute(
              sql: "CREATE INDEX \("\(table)_key".quoted) ON \(table.quoted) (\(key))")
          }
          // Without a journal this is when the disk is written.
          try database.commit()
        }
        return count
      } catch {
        if database.isInsideTransaction { try database.rollback() }
        throw error
      }
    }
  }

  private func copyRows(
    into table: String, _ types: [String: String], _ database: Database, named destination: String
  ) throws -> Int {
    let insertion = try StoreError.translating(path: destination) {
      try database.execute(sql: creation(of: table, types))
      let values = columns.map { _ in "?" }.joined(separator: ", ")
      return try RawStatement(database, sql: "INSERT INTO \(table.quoted) VALUES (\(values))")
    }
    var count = 0
    var kinds = [UInt8](repeating: 0, count: columns.count)
    try forEachRow { row in
      try StoreError.translating(path: destination) { try insertion.insert(row) }
      for (position, cell) in row.enumerated() { kinds[position] |= cell.kind }
      count += 1
    }
    var all = types
    for (column, kind) in zip(columns, kinds) where column.keepingType == nil {
      all[column.name] = all[column.name] ?? TableCell.types[kind]
    }
    guard all.count > types.count else { return count }
    try StoreError.translating(path: destination) {
      try declare(creation(of: table, all), of: table, database)
    }
    return count
  }

  /// Writes other types of its columns into the schema, under which no stored value changes.
  ///
  /// SQLite allows to replace the statement of a table so:
  /// https://sqlite.org/lang_altertable.html#otheralter
  private func declare(_ sql: String, of table: String, _ database: Database) throws {
    try database.execute(sql: "PRAGMA writable_schema = ON")
    try database.execute(
      sql: "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?",
      arguments: [sql, table])
    try database.execute(sql: "PRAGMA writable_schema = OFF")
  }

  private func creation(of table: String, _ types: [String: String]) -> String {
    let declarations = columns.map { column in
      let type = types[column.name] ?? column.keepingType
      return column.name.quoted + (type.map { " \($0)" } ?? "")
    }
    return "CREATE TABLE \(table.quoted) (\(declarations.joined(separator: ", ")))"
  }
}

extension TableColumn {
  /// The declared type, if the values have been through its affinity already; else nil.
  fileprivate var keepingType: String? {
    declaredType.flatMap { ["INTEGER", "REAL", "TEXT", "BLOB"].contains($0) ? $0 : nil }
  }
}

extension TableCell {
  /// A bit for each kind of value; 0 for NULL.
  fileprivate var kind: UInt8 {
    switch self {
    case .null: 0
    case .integer: 1
    case .real: 2
    case .text: 4
    case .blob: 8
    }
  }

  /// The type whose columns keep values of one kind as they are.
  fileprivate static let types: [UInt8: String] = [1: "INTEGER", 2: "REAL", 4: "TEXT", 8: "BLOB"]
}

extension RawStatement {
  fileprivate func insert(_ row: [TableCell]) throws {
    for (position, cell) in row.enumerated() {
      let index = Int32(position + 1)
      switch cell {
      case .null: try bindNull(at: index)
      case .integer(let number): try bind(number, at: index)
      case .real(let number): try bind(number, at: index)
      case .text(let text): try bind(text: text, at: index)
      case .blob(let blob): try bind(blob: blob, at: index)
      }
    }
    try run()
  }
}
