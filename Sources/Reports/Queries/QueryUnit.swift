import Model

/// What a column of a query holds: docs/figures.md#units.
package enum QueryUnit: String, CaseIterable, Sendable {
  case text, code, count, ratio, rate, points, mean, change, seconds, money, day, instant, stars
  case trend, level
  case userId = "user_id"
  case name, city, feature, segment

  /// What the names of the result's columns add to the column's id, part by part.
  package var endings: [String] {
    switch self {
    case .ratio, .rate: ["_part", "_whole"]
    case .points: ["_from_part", "_from_whole", "_to_part", "_to_whole"]
    case .mean: ["_total", "_count"]
    case .change: ["_now", "_previous"]
    case .money: ["", "_currency"]
    case .level: ["", "_words"]
    case .text, .code, .count, .seconds, .day, .instant, .stars, .trend: [""]
    case .userId, .name, .city, .feature, .segment: [""]
    }
  }

  /// Whether its cells are aligned as words are.
  var isLeading: Bool {
    switch self {
    case .text, .code, .day, .instant, .trend, .level, .userId, .name, .city, .feature, .segment:
      true
    case .count, .ratio, .rate, .points, .mean, .change, .seconds, .money, .stars: false
    }
  }

  /// Whether its cells name a row, and stay while the row's numbers change.
  var isName: Bool {
    switch self {
    case .text, .code, .day, .userId, .name, .city, .feature, .segment: true
    default: false
    }
  }

  /// Whether a chart can draw it, and a bar can stand beside it.
  package var isDrawn: Bool {
    switch self {
    case .count, .ratio, .rate, .mean, .seconds, .money, .stars: true
    default: false
    }
  }
}

/// What a value should have been, and what it is.
struct WrongValue: Error {
  let column: String
  let wanted: String
  let value: SQLValue
}

/// A value of a result under the name of its column, read as one kind or refused.
struct QueryValue {
  let column: String
  let value: SQLValue

  /// The largest number either way: larger ones are no exact numbers in JSON or a drawing.
  static let largest = 1_000_000_000_000_000

  var isNull: Bool { value == .null }

  func refusal(_ wanted: String) -> WrongValue {
    WrongValue(column: column, wanted: wanted, value: value)
  }

  /// A whole number, also one that SQLite holds as a real.
  func count(from least: Int = -largest, to most: Int = largest) throws -> Int {
    let number: Int? =
      switch value {
      case .integer(let integer): Int(exactly: integer)
      case .real(let real): Int(exactly: real)
      case .null, .text, .blob: nil
      }
    guard let number, (least...most).contains(number) else {
      let bounds =
        switch (least == -Self.largest, most == Self.largest) {
        case (true, true): ""
        case (false, true): " from \(least)"
        default: " from \(least) to \(most)"
        }
      throw refusal("a whole number\(bounds)")
    }
    return number
  }

  func number() throws -> Double {
    let number: Double? =
      switch value {
      case .integer(let integer): Double(integer)
      case .real(let real): real
      case .null, .text, .blob: nil
      }
    guard let number, number.magnitude <= Double(Self.largest) else { throw refusal("a number") }
    return number
  }

  func text(_ wanted: String = "text") throws -> String {
    guard case .text(let text) = value else { throw refusal(wanted) }
    return text
  }

  /// A word of a closed set.
  func word<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) throws -> Word {
    let wanted = "one of \(Word.allCases.map(\.rawValue).joined(separator: ", "))"
    guard let word = Word(rawValue: try text(wanted)) else { throw refusal(wanted) }
    return word
  }
}

extension SQLValue {
  /// What stands there, for messages: `the text 'many'`.
  package var described: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): "the integer \(integer)"
    case .real(let real): "the number \(real)"
    case .text(let text): "the text '\(VisibleText.line(VisibleText.clipped(text, to: 60)))'"
    case .blob(let bytes): "a blob of \(NumberWords.counted(bytes.count, "byte"))"
    }
  }
}
