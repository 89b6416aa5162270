import Model

/// The `value` of an event parameter; the export fills one of its members.
struct ParameterValue {
  /// A number as it is written, with or without quotes.
  typealias Number = JSONScanner.RawString
  typealias Fault = JSONScanner.Fault

  private var string: JSONScanner.RawString?
  private var integer: Number?
  private var double: Number?
  private var float: Number?

  /// Reads an object or null.
  init(_ scanner: inout JSONScanner) throws(Fault) {
    guard try !scanner.takeNull() else { return }
    var seen = 0
    try scanner.members { scanner, key throws(Fault) in
      switch key {
      case "string_value":
        try Self.count(1, &seen)
        string = try scanner.optionalText()
      case "int_value":
        try Self.count(2, &seen)
        integer = try scanner.numberText()
      case "double_value":
        try Self.count(4, &seen)
        double = try scanner.numberText()
      case "float_value":
        try Self.count(8, &seen)
        float = try scanner.numberText()
      default: try scanner.skipValue()
      }
    }
  }

  private static func count(_ member: Int, _ seen: inout Int) throws(Fault) {
    guard seen & member == 0 else { throw Fault(reason: "a parameter with two equal values") }
    seen |= member
  }

  /// Adds the first of string, int, double and float; throws when any of them is invalid.
  func add(to encoder: inout EventRowEncoder, as key: UnsafeBufferPointer<UInt8>) throws(Fault) {
    let integer = try integer.map { text throws(Fault) in try WholeNumber(text, "int_value") }
    let double = try Self.double(double, "double_value")
    let float = try Self.double(float, "float_value")
    if let string {
      try string.decoded { encoder.add(key, text: $0) }
    } else if let integer {
      integer.add(to: &encoder, as: key)
    } else if let number = double ?? float {
      encoder.add(key, number)
    }
  }

  /// Reads a number with or without quotes; NaN and infinities stay text, which columns can store.
  private static func double(
    _ text: Number?, _ name: StaticString
  ) throws(Fault) -> EventValue? {
    guard let text = try text?.text() else { return nil }
    guard let number = Double(text) else { throw Fault(reason: "\(name) is not a number") }
    return number.isFinite ? .double(number) : .string(text)
  }
}
