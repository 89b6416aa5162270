import Model

/// A whole number of 64 bits, with or without quotes, as BigQuery writes it.
struct WholeNumber {
  let value: Int64
  /// The digits if they are in the form that `Int64` writes; nil otherwise.
  private let digits: UnsafeBufferPointer<UInt8>?

  init(_ text: JSONScanner.RawString, _ name: StaticString) throws(JSONScanner.Fault) {
    if let value = Self.canonical(text.bytes) {
      self.value = value
      digits = text.bytes
      return
    }
    let digits = try text.text()
    guard digits.utf8.first != UInt8(ascii: "+"), let value = Int64(digits) ?? Self.shifted(digits)
    else {
      throw JSONScanner.Fault(reason: "\(name) is not a whole number of 64 bits")
    }
    self.value = value
    self.digits = nil
  }

  /// The value of a number that is whole despite a fraction or an exponent, such as `1.5e3`.
  private static func shifted(_ text: String) -> Int64? {
    let halves = text.utf8.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
    guard let mantissa = halves.first, !mantissa.isEmpty else { return nil }
    let parts = mantissa.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    var digits = parts.joined().map { $0 }
    var shift = parts.count > 1 ? -parts[1].count : 0
    if halves.count > 1 {
      guard let exponent = Int32(String(Substring(halves[1]))) else { return nil }
      shift += Int(exponent)
    }
    while shift < 0, digits.last == UInt8(ascii: "0"), digits.count > 1 {
      digits.removeLast()
      shift += 1
    }
    guard !digits.contains(where: { (0x31...0x39).contains($0) }) || (0...18).contains(shift) else {
      return nil
    }
    digits += repeatElement(UInt8(ascii: "0"), count: max(0, min(shift, 18)))
    return Int64(String(decoding: digits, as: UTF8.self))
  }

  func add(to encoder: inout EventRowEncoder, as key: UnsafeBufferPointer<UInt8>) {
    if let digits { encoder.add(key, digits: digits) } else { encoder.add(key, .integer(value)) }
  }

  /// The value of up to 18 digits without a leading zero; nil for other texts.
  private static func canonical(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard let first = bytes.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    let digits = isNegative ? UnsafeBufferPointer(rebasing: bytes.dropFirst()) : bytes
    guard (1...18).contains(digits.count), digits[0] != UInt8(ascii: "0") || bytes.count == 1 else {
      return nil
    }
    var value: Int64 = 0
    for byte in digits {
      let digit = byte &- 0x30
      guard digit <= 9 else { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    return isNegative ? -value : value
  }
}

extension JSONScanner {
  /// Reads a string; nil for null.
  mutating func optionalText() throws(Fault) -> RawString? {
    try takeNull() ? nil : stringBytes()
  }

  /// Reads a whole number with or without quotes; nil for null.
  mutating func integer(_ name: StaticString) throws(Fault) -> Int64? {
    guard let text = try numberText() else { return nil }
    return try WholeNumber(text, name).value
  }

  /// Reads a number with or without quotes as it is written; nil for null.
  mutating func numberText() throws(Fault) -> RawString? {
    if try takeNull() { return nil }
    if peek() == UInt8(ascii: "\"") { return try stringBytes() }
    return RawString(bytes: try numberBytes(), isEscaped: false)
  }
}
