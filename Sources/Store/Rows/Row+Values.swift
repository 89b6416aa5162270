import GRDB
import Model

/// A cell with a value that no version of the program writes; `StoreError` adds the path.
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

  /// One of the cases of an enumeration, stored by its raw value.
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
}
