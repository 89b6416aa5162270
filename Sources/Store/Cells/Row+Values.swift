import Foundation
import GRDB
import GRDBSQLite
import Model

/// A cell with a value that no version of the program wrote; `StoreError` adds the path.
struct UnreadableCell: Error {
  let table: String
  let column: String
  let value: String
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
    let text: String = self[column]
    guard let choice = Choice(rawValue: text) else {
      throw UnreadableCell(table: table, column: column, value: text)
    }
    return choice
  }

  /// The same; nil for NULL.
  func choiceIfAny<Choice: RawRepresentable<String>>(
    _ column: String, of table: String
  ) throws -> Choice? {
    guard self[column] as String? != nil else { return nil }
    return try choice(column, of: table) as Choice
  }

  /// A value stored as JSON.
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
