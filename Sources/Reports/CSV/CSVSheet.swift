import Model

/// Lines of quoted fields by RFC 4180, in UTF-8.
struct CSVSheet {
  private(set) var bytes: [UInt8]
  /// The first fields of every line with a value.
  var prefix: [String] = []

  init(hasByteOrderMark: Bool = false) {
    bytes = hasByteOrderMark ? [0xEF, 0xBB, 0xBF] : []
  }

  /// Writes each part of a cell in a line; its column is `column.part`.
  mutating func cell(_ cell: Cell, _ place: [String], _ column: String) {
    for field in cell.parts {
      value(field.datum, place, field.name.map { "\(column).\($0)" } ?? column)
    }
  }

  mutating func value(_ datum: JSONScalar, _ place: [String], _ column: String) {
    line(prefix + place + [column, CSVSheet.text(of: datum)])
  }

  /// Ends the line with CR LF: RFC 4180, section 2.
  mutating func line(_ fields: [String]) {
    for (position, field) in fields.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: CSVSheet.quoted(field).utf8)
    }
    bytes.append(contentsOf: [0x0D, 0x0A])
  }

  static func text(of datum: JSONScalar) -> String {
    switch datum {
    case .text(let text): guarded(VisibleText.of(text))
    case .integer(let number): "\(number)"
    case .decimal(let number):
      number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    case .integers(let numbers):
      numbers.map { $0.map { String($0) } ?? "null" }.joined(separator: " ")
    case .boolean(let flag): flag ? "true" : "false"
    case .null: ""
    }
  }

  /// Puts an apostrophe before a text that a spreadsheet would run as a formula.
  ///
  /// Source: OWASP, "CSV Injection". Only for texts, never for our own numbers.
  private static func guarded(_ text: String) -> String {
    guard let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) else {
      return text
    }
    return "'" + text
  }

  private static func quoted(_ field: String) -> String {
    let needsQuotes = field.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
    }
    let space = UInt8(ascii: " ")
    let hasOuterSpace = field.utf8.first == space || field.utf8.last == space
    return needsQuotes || hasOuterSpace ? field.quoted : field
  }
}

/// One line of any CSV file: fields as they are, without a guard against formulas.
package enum CSVLine {
  /// With CR LF at its end.
  package static func bytes(of fields: [String]) -> [UInt8] {
    var sheet = CSVSheet()
    sheet.line(fields)
    return sheet.bytes
  }
}
