/// The grammar of numbers, RFC 8259 section 6.
enum JSONNumber {
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// The position after the longest number at `start`; nil when none stands there.
  static func end(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    if index < bytes.count, bytes[index] == UInt8(ascii: "0") {
      index += 1
      if index < bytes.count, isDigit(bytes[index]) { return nil }
    } else {
      guard let end = digits(in: bytes, from: index) else { return nil }
      index = end
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      guard let end = digits(in: bytes, from: index + 1) else { return nil }
      index = end
    }
    return exponent(in: bytes, from: index)
  }

  /// Whether `text` is one number and nothing else.
  static func isNumber(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return end(in: bytes, from: 0) == bytes.count
  }

  private static func exponent(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    guard index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") else { return index }
    index += 1
    if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
      index += 1
    }
    return digits(in: bytes, from: index)
  }

  /// The position after one or more digits; nil when there is none.
  private static func digits(in bytes: [UInt8], from start: Int) -> Int? {
    var index = start
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    return index > start ? index : nil
  }
}
