extension JSONParser {
  /// Parses the string whose opening quote is at `index`.
  mutating func string() throws(JSONError) -> String {
    let start = index + 1
    index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        let text = try JSONParser.text(bytes[start..<index], at: start)
        index += 1
        return text
      case UInt8(ascii: "\\"): return try escapedString(from: start)
      case 0..<0x20: throw JSONError(.controlCharacter, at: index)
      default: index += 1
      }
    }
    throw JSONError(.endOfInput, at: index)
  }

  /// Continues at the first escape with a copy of the text before it.
  private mutating func escapedString(from start: Int) throws(JSONError) -> String {
    var unescaped = Array(bytes[start..<index])
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        return try JSONParser.text(unescaped[...], at: start)
      case UInt8(ascii: "\\"): try escape(into: &unescaped)
      case 0..<0x20: throw JSONError(.controlCharacter, at: index)
      default:
        unescaped.append(bytes[index])
        index += 1
      }
    }
    throw JSONError(.endOfInput, at: index)
  }

  private mutating func escape(into unescaped: inout [UInt8]) throws(JSONError) {
    guard index + 1 < bytes.count else { throw JSONError(.endOfInput, at: bytes.count) }
    let letter = bytes[index + 1]
    guard letter != UInt8(ascii: "u") else {
      unescaped.append(contentsOf: UTF8.encode(try escapedScalar()) ?? .init())
      return
    }
    guard let byte = JSONParser.shortEscapes[letter] else { throw JSONError(.badEscape, at: index) }
    unescaped.append(byte)
    index += 2
  }

  private static let shortEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
    UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]

  /// Parses `\uXXXX`, or a surrogate pair of two.
  private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
    let start = index
    let first = try hexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { throw JSONError(.loneSurrogate, at: start) }
    let second = try hexadecimal()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw JSONError(.loneSurrogate, at: start) }
    return scalar
  }

  /// Parses the four digits after the `\u` at `index`.
  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    guard index + 6 <= bytes.count else { throw JSONError(.endOfInput, at: bytes.count) }
    var code: UInt32 = 0
    for byte in bytes[(index + 2)..<(index + 6)] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw JSONError(.badEscape, at: index)
      }
      code = code << 4 | UInt32(digit)
    }
    index += 6
    return code
  }

  private static func text(_ bytes: ArraySlice<UInt8>, at start: Int) throws(JSONError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw JSONError(.badUTF8, at: start)
    }
    return text
  }
}
