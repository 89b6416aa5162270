import Model

/// The `value` of one event parameter, of which the export fills one member.
struct ParameterValue {
  private var string: String?
  private var integer: Int64?
  private var double: EventValue?
  private var float: EventValue?

  typealias Fault = JSONScanner.Fault

  /// Nil when every member is null or missing; the first of string, int, double and float counts.
  static func read(_ scanner: inout JSONScanner) throws(Fault) -> EventValue? {
    guard try !scanner.takeNull() else { return nil }
    var value = ParameterValue()
    try scanner.members { scanner, key throws(Fault) in
      switch key {
      case "string_value": value.string = try scanner.optionalString()
      case "int_value": value.integer = try scanner.integer("int_value")
      case "double_value": value.double = try Self.double(&scanner, "double_value")
      case "float_value": value.float = try Self.double(&scanner, "float_value")
      default: try scanner.skipValue()
      }
    }
    if let string = value.string { return .string(string) }
    return value.integer.map { .integer($0) } ?? value.double ?? value.float
  }

  /// A number, or one in quotes; `NaN` and infinities stay text, as no column holds them.
  private static func double(
    _ scanner: inout JSONScanner, _ name: String
  ) throws(Fault) -> EventValue? {
    guard let text = try scanner.numberText() else { return nil }
    guard let number = Double(text) else { throw Fault(reason: "\(name) is not a number") }
    return number.isFinite ? .double(number) : .string(text)
  }
}

extension JSONScanner {
  /// A string; nil for null.
  mutating func optionalString() throws(Fault) -> String? {
    try takeNull() ? nil : string()
  }

  /// A string that is not empty; nil for null and for an empty one.
  mutating func text() throws(Fault) -> String? {
    let text = try optionalString()
    return text?.isEmpty == true ? nil : text
  }

  /// The text of one member of an object, all others skipped; nil for null.
  mutating func text(of name: StaticString) throws(Fault) -> String? {
    guard try !takeNull() else { return nil }
    var text: String?
    try members { scanner, key throws(Fault) in
      if name ~= key { text = try scanner.text() } else { try scanner.skipValue() }
    }
    return text
  }

  /// A whole number, bare or in quotes as BigQuery writes it; nil for null.
  mutating func integer(_ name: String) throws(Fault) -> Int64? {
    guard let text = try numberText() else { return nil }
    guard text.utf8.first != UInt8(ascii: "+"), let number = Int64(text) else {
      throw Fault(reason: "\(name) is not a whole number of 64 bits")
    }
    return number
  }

  /// A number, bare or in quotes, as written; nil for null.
  mutating func numberText() throws(Fault) -> String? {
    if try takeNull() { return nil }
    return try peek() == UInt8(ascii: "\"") ? string() : number()
  }
}
