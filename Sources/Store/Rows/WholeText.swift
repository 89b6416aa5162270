import Foundation
import GRDB
import GRDBSQLite

/// A text cell to its last byte, where GRDB's own `String` ends at the first NUL character.
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
  /// What `CAST(? AS TEXT)` stores with every byte: GRDB binds a text up to its first NUL, too.
  var wholeBytes: Data { Data(utf8) }
}

extension Row {
  /// The text at `index` with every byte of it; empty for NULL.
  ///
  /// Exact only for a row that a cursor stands on, not for a copied one.
  func wholeText(_ index: Int) -> String { optionalWholeText(index) ?? "" }

  /// As `wholeText`, but nil for NULL.
  func optionalWholeText(_ index: Int) -> String? { (self[index] as WholeText?)?.string }
}
