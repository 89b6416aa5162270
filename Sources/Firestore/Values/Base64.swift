import FoundationEssentials

/// Base64, RFC 4648: writes the standard alphabet, reads both alphabets with or without padding.
package enum Base64 {
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    Data(Array(bytes)).base64EncodedString()
  }

  /// Encodes in the URL-safe alphabet without padding, as JSON Web Tokens do.
  package static func encodeForURL(_ bytes: some Sequence<UInt8>) -> String {
    String(encode(bytes).prefix { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
  }

  /// Decodes; nil for characters of neither alphabet, wrong padding, or an impossible length.
  ///
  /// Foundation's decoder takes padding in the middle.
  package static func decode(_ text: String) -> [UInt8]? {
    var digits = text.utf8[...]
    while digits.last == UInt8(ascii: "="), text.utf8.count - digits.count < 2 {
      digits = digits.dropLast()
    }
    let padding = text.utf8.count - digits.count
    guard digits.count % 4 != 1, padding == 0 || text.utf8.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var bitCount = 0
    for digit in digits {
      guard let value = value(of: digit) else { return nil }
      bits = bits << 6 | value
      bitCount += 6
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
    }
    return bytes
  }

  private static func value(of digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) + 4
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
