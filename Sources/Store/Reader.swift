import Foundation
import GRDB
import GRDBSQLite
import Model

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

  /// The values that `sql` selects, one a row, in order.
  func values<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ sql: String, _ arguments: StatementArguments = StatementArguments()
  ) throws -> [Value] {
    try Value.fetchAll(database, sql: sql, arguments: arguments)
  }

  /// The single value that `sql` selects; nil for NULL or no row.
  func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    _ sql: String, _ arguments: StatementArguments = StatementArguments()
  ) throws -> Value? {
    try Value.fetchOne(database, sql: sql, arguments: arguments)
  }

  /// The single number that `sql` selects; 0 for NULL or no row.
  func count(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Int {
    try value(sql, arguments) ?? 0
  }

  /// Whether a table, named as SQL does, has a row that meets a condition.
  func hasRow(
    in table: String, where condition: String = "true",
    _ arguments: StatementArguments = StatementArguments()
  ) throws -> Bool {
    try value("SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(condition))", arguments) ?? false
  }

  /// The single instant that `sql` selects, in microseconds; nil for NULL or no row.
  func instant(
    _ sql: String, _ arguments: StatementArguments = StatementArguments()
  ) throws -> Instant? {
    try value(sql, arguments).map(Instant.init(microseconds:))
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
    let verb = isReplacing ? "INSERT OR REPLACE" : "INSERT"
    try database.cachedStatement(sql: "\(verb) INTO \(table) (\(names)) VALUES (\(places))")
      .execute(arguments: StatementArguments(values.map(\.value)))
    return database.lastInsertedRowID
  }
}

extension Readable {
  /// The value of a name in the table `marks`; nil without one.
  package func mark(named name: MarkName) throws -> String? {
    try reader.value("SELECT value FROM marks WHERE name = ?", [name.text])
  }

  /// The same for a value that was stored as JSON.
  ///
  /// - Throws: `DecodingError` for one of another form, as another version may have stored it.
  package func mark<Value: Decodable>(_ type: Value.Type, named name: MarkName) throws -> Value? {
    try mark(named: name).map { try StoredJSON.value(type, of: $0) }
  }
}

extension Writer {
  /// Stores a value under a name, replacing the last one; nil deletes it.
  package func setMark(_ value: String?, named name: MarkName) throws {
    guard let value else {
      try run("DELETE FROM marks WHERE name = ?", [name.text])
      return
    }
    try run("INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)", [name.text, value])
  }

  /// The same for a value that is stored as JSON.
  package func setMark(encoding value: some Encodable, named name: MarkName) throws {
    try setMark(try StoredJSON.text(of: value), named: name)
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

/// A cell with a value that no version of the program wrote; `StoreError` adds the path.
struct UnreadableCell: Error {
  let table: String
  let column: String
  let value: String
}

extension RawRepresentable<String> {
  /// - Throws: `UnreadableCell` for a text that is none of the values.
  init(stored text: String, in column: String, of table: String) throws {
    guard let value = Self(rawValue: text) else {
      throw UnreadableCell(table: table, column: column, value: text)
    }
    self = value
  }
}

extension Row {
  /// An instant stored as microseconds; nil for NULL.
  func instant(_ column: String) -> Instant? {
    (self[column] as Int64?).map(Instant.init(microseconds:))
  }

  /// An instant in a NOT NULL column.
  func requiredInstant(_ column: String) -> Instant {
    Instant(microseconds: self[column])
  }

  /// A case of an enumeration, stored by its raw value.
  func choice<Choice: RawRepresentable<String>>(
    _ column: String, of table: String
  ) throws -> Choice {
    try Choice(stored: self[column], in: column, of: table)
  }

  /// The same; nil for NULL.
  func choiceIfAny<Choice: RawRepresentable<String>>(
    _ column: String, of table: String
  ) throws -> Choice? {
    guard self[column] as String? != nil else { return nil }
    return try choice(column, of: table) as Choice
  }

  func json<Content: Decodable>(
    _ column: String, of table: String
  ) throws -> Content {
    let text: String = self[column]
    do {
      return try StoredJSON.value(of: text)
    } catch is DecodingError {
      throw UnreadableCell(table: table, column: column, value: text)
    }
  }
}

/// A text cell with all its bytes; GRDB's `String` ends at the first NUL character.
struct WholeText: DatabaseValueConvertible, StatementColumnConvertible {
  let string: String

  init(_ string: String) {
    self.string = string
  }

  init?(sqliteStatement: SQLiteStatement, index: CInt) {
    guard let start = sqlite3_column_text(sqliteStatement, index) else { return nil }
    let count = Int(sqlite3_column_bytes(sqliteStatement, index))
    string = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  var databaseValue: DatabaseValue { string.databaseValue }

  static func fromDatabaseValue(_ value: DatabaseValue) -> WholeText? {
    String.fromDatabaseValue(value).map(WholeText.init)
  }
}

extension String {
  /// The bytes for `CAST(? AS TEXT)`: GRDB would bind a text only up to its first NUL.
  var wholeBytes: Data { Data(utf8) }
}

extension Row {
  /// The text at `index` with all its bytes; empty for NULL.
  ///
  /// Exact only for the current row of a cursor, not for a copied row.
  func wholeText(_ index: Int) -> String { optionalWholeText(index) ?? "" }

  /// As `wholeText`, but nil for NULL.
  func optionalWholeText(_ index: Int) -> String? { (self[index] as WholeText?)?.string }
}
