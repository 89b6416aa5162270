/// Unescapes and escapes the text of JSON strings.
package enum JSONText {
  /// Unescapes the text between two quotes, which must be valid UTF-8.
  ///
  /// Throws for unknown escapes and lone surrogates.
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONScanner.Fault) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
      text.append(contentsOf: rest[..<backslash])
      rest = rest[(backslash + 1)...]
      try decodeEscape(&rest, into: &text)
    }
    text.append(contentsOf: rest)
    return text
  }

  /// Escapes a text for use between quotes.
  package static func encode(_ text: String) -> String {
    guard text.utf8.contains(where: isEscaped) else { return text }
    var encoded: [UInt8] = []
    Array(text.utf8).withUnsafeBytes { encode($0, into: &encoded) }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// The same for UTF-8, or a part of it.
  static func encode(_ text: UnsafeRawBufferPointer, into encoded: inout [UInt8]) {
    guard text.contains(where: isEscaped) else { return encoded.append(contentsOf: text) }
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): encoded += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): encoded += "\\n".utf8
      case UInt8(ascii: "\r"): encoded += "\\r".utf8
      case UInt8(ascii: "\t"): encoded += "\\t".utf8
      case 0..<0x20:
        encoded += ((byte < 0x10 ? "\\u000" : "\\u00") + String(byte, radix: 16)).utf8
      default: encoded.append(byte)
      }
    }
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private typealias Rest = Slice<UnsafeBufferPointer<UInt8>>

  private static func decodeEscape(
    _ rest: inout Rest, into text: inout [UInt8]
  ) throws(JSONScanner.Fault) {
    guard let letter = rest.popFirst() else { throw .init(reason: "unclosed escape") }
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: try scalar(&rest).utf8)
    default: throw .init(reason: "an escape that JSON does not know")
    }
  }

  /// The scalar after `\u`, of one code unit or a surrogate pair.
  private static func scalar(_ rest: inout Rest) throws(JSONScanner.Fault) -> Character {
    let first = try unit(&rest)
    if let scalar = Unicode.Scalar(first) { return Character(scalar) }
    guard first < 0xDC00, rest.popFirst() == UInt8(ascii: "\\"),
      rest.popFirst() == UInt8(ascii: "u")
    else { throw .init(reason: "half a surrogate pair") }
    let second = try unit(&rest)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw .init(reason: "half a surrogate pair") }
    return Character(scalar)
  }

  private static func unit(_ rest: inout Rest) throws(JSONScanner.Fault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = rest.popFirst(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue
      else { throw .init(reason: "an escape without its four digits") }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
