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
