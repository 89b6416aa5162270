extension JSON {
  /// The value as compact UTF-8, with object keys sorted by their bytes.
  package func serialized() -> [UInt8] {
    var bytes: [UInt8] = []
    write(into: &bytes)
    return bytes
  }

  private func write(into bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .boolean(let flag): bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    case .number(let text): bytes.append(contentsOf: text.utf8)
    case .string(let text): JSON.write(text, into: &bytes)
    case .array(let elements):
      JSON.write(elements, between: "[", and: "]", into: &bytes) { $0.write(into: &$1) }
    case .object(let members):
      let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      JSON.write(sorted, between: "{", and: "}", into: &bytes) { member, bytes in
        JSON.write(member.key, into: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(into: &bytes)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], between open: Unicode.Scalar, and close: Unicode.Scalar,
    into bytes: inout [UInt8], each: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: open))
    for (position, element) in elements.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      each(element, &bytes)
    }
    bytes.append(UInt8(ascii: close))
  }

  private static func write(_ text: String, into bytes: inout [UInt8]) {
    write(text: text.utf8, into: &bytes)
  }

  /// Writes UTF-8 as a string with its quotes.
  static func write(text: some Sequence<UInt8>, into bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(contentsOf: [0x5C, byte])
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0..<0x20:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(contentsOf: [hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 15)]])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static let hexadecimal = Array("0123456789abcdef".utf8)
}

/// The grammar of numbers, RFC 8259 section 6.
enum JSONNumber {
  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  /// Whether the text is exactly one number.
  static func isNumber(_ text: String) -> Bool {
    var copy = text
    return copy.withUTF8 { isNumber(UnsafeRawBufferPointer($0)) }
  }

  static func isNumber(_ bytes: UnsafeRawBufferPointer) -> Bool {
    // The cursor only reads a number.
    let buffer = UnsafeMutableBufferPointer(mutating: bytes.bindMemory(to: UInt8.self))
    guard var cursor = ByteCursor(buffer) else { return false }
    do {
      return try cursor.number().count == bytes.count
    } catch {
      return false
    }
  }
}

/// Whole numbers in proto3's JSON mapping.
enum WireNumber {
  /// A whole number of 64 bits, also written as `1e3` or `1.0`; nil otherwise.
  static func integer(_ text: String) -> Int64? {
    var copy = text
    return copy.withUTF8 { integer(UnsafeRawBufferPointer($0)) }
  }

  static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    plain(bytes) ?? scientific(bytes)
  }

  /// An optional `-` and digits.
  @inline(__always)
  private static func plain(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    guard bytes.count > (isNegative ? 1 : 0) else { return nil }
    var total: Int64 = 0
    for byte in bytes[(isNegative ? 1 : 0)...] {
      guard JSONNumber.isDigit(byte) else { return nil }
      // Negative totals, because Int64 has one more negative number than positive ones.
      let (product, overflows) = total.multipliedReportingOverflow(by: 10)
      let (difference, exceeds) = product.subtractingReportingOverflow(Int64(byte - 0x30))
      guard !overflows, !exceeds else { return nil }
      total = difference
    }
    guard !isNegative else { return total }
    return total == .min ? nil : -total
  }

  /// A JSON number that is whole despite a fraction or an exponent.
  private static func scientific(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    let text = Array(bytes)
    guard text.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }),
      JSONNumber.isNumber(bytes)
    else { return nil }
    let halves = text.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
    let parts = halves[0].split(separator: UInt8(ascii: "."))
    var digits = Array(parts.joined())
    var shift = -(parts.count > 1 ? parts[1].count : 0)
    if halves.count > 1 {
      guard let exponent = Int32(String(decoding: halves[1], as: UTF8.self)) else { return nil }
      shift += Int(exponent)
    }
    while shift < 0, digits.last == UInt8(ascii: "0"), digits.count > 1 {
      digits.removeLast()
      shift += 1
    }
    let isZero = digits.allSatisfy { !(0x31...0x39).contains($0) }
    guard isZero || (0...18).contains(shift) else { return nil }
    digits += repeatElement(UInt8(ascii: "0"), count: isZero ? 0 : shift)
    return digits.withUnsafeBytes(plain)
  }
}
