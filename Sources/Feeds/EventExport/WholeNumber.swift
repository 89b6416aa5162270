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
    guard digits.utf8.first != UInt8(ascii: "+"),
      let value = Int64(digits) ?? ScientificNumber.integer(digits.utf8)
    else {
      throw JSONScanner.Fault(reason: "\(name) is not a whole number of 64 bits")
    }
    self.value = value
    self.digits = nil
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
