import Model

/// The parameters of an event as JSON with sorted keys: equal parameters make equal bytes.
///
/// A double always has a point or an exponent, so that it is not read back as an integer. JSON has
/// no NaN and no infinity; those are written as the texts `NaN`, `inf` and `-inf`.
enum ParameterJSON {
  static func write(_ parameters: [String: EventValue], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for (key, value) in parameters.sorted(by: { $0.key < $1.key }) {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      write(key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      write(value, to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private static func write(_ value: EventValue, to bytes: inout [UInt8]) {
    switch value {
    case .string(let text): write(text, to: &bytes)
    case .integer(let number): bytes.append(contentsOf: String(number).utf8)
    case .double(let number) where number.isFinite:
      bytes.append(contentsOf: String(number).utf8)
    case .double(let number): write(String(number == number ? "\(number)" : "NaN"), to: &bytes)
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    bytes.append(quote)
    for byte in text.utf8 {
      switch byte {
      case quote, UInt8(ascii: "\\"): bytes.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case 0..<0x20: bytes.append(contentsOf: escaped(byte).utf8)
      default: bytes.append(byte)
      }
    }
    bytes.append(quote)
  }

  private static func escaped(_ control: UInt8) -> String {
    let digits = String(control, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}
