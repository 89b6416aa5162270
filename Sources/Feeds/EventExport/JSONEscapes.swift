/// Unescapes the text of JSON strings; `JSONText` escapes it.
enum JSONEscapes {
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
