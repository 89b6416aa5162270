extension JSON {
  /// The deepest nesting that is accepted; see `docs/firestore.md#limits`.
  package static let maximumDepth = 100
  /// The maximum number of values, each of which takes up to 150 bytes of memory; see
  /// `docs/firestore.md#limits`.
  package static let maximumCount = 2_000_000

  /// Parses `bytes` strictly as one value of RFC 8259.
  package init(
    parsing bytes: some Sequence<UInt8>, maximumDepth: Int = JSON.maximumDepth,
    maximumCount: Int = JSON.maximumCount
  ) throws(JSONError) {
    var parser = JSONParser(
      bytes: Array(bytes), maximumDepth: maximumDepth, maximumCount: maximumCount)
    self = try parser.document()
  }
}

/// A recursive-descent parser of bytes in memory.
struct JSONParser {
  let bytes: [UInt8]
  let maximumDepth: Int
  let maximumCount: Int
  var index = 0
  private var count = 0

  init(bytes: [UInt8], maximumDepth: Int, maximumCount: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    self.maximumCount = maximumCount
  }

  mutating func document() throws(JSONError) -> JSON {
    let value = try value(depth: 0)
    skipWhitespace()
    guard index == bytes.count else { throw JSONError(.trailingBytes, at: index) }
    return value
  }

  /// Parses the value at or after `index`; `depth` counts the arrays and objects around it.
  private mutating func value(depth: Int) throws(JSONError) -> JSON {
    let first = try nextByte()
    guard count < maximumCount else { throw JSONError(.tooManyValues, at: index) }
    count += 1
    switch first {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try literal("true", .boolean(true))
    case UInt8(ascii: "f"): return try literal("false", .boolean(false))
    case UInt8(ascii: "n"): return try literal("null", .null)
    default: return .number(try number())
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSON {
    guard depth <= maximumDepth else { throw JSONError(.tooDeep, at: index) }
    index += 1
    var members: [String: JSON] = [:]
    if try closes(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      guard try nextByte() == UInt8(ascii: "\"") else {
        throw JSONError(.unexpectedByte, at: index)
      }
      let key = try string()
      guard try nextByte() == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, at: index) }
      index += 1
      members[key] = try value(depth: depth)
    } while try continues(until: UInt8(ascii: "}"))
    return .object(members)
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSON {
    guard depth <= maximumDepth else { throw JSONError(.tooDeep, at: index) }
    index += 1
    var elements: [JSON] = []
    if try closes(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      elements.append(try value(depth: depth))
    } while try continues(until: UInt8(ascii: "]"))
    return .array(elements)
  }

  /// Consumes the closing byte of an empty container, if it is next.
  private mutating func closes(_ end: UInt8) throws(JSONError) -> Bool {
    guard try nextByte() == end else { return false }
    index += 1
    return true
  }

  /// Consumes a comma (true) or the closing byte (false).
  private mutating func continues(until end: UInt8) throws(JSONError) -> Bool {
    let byte = try nextByte()
    guard byte == end || byte == UInt8(ascii: ",") else {
      throw JSONError(.unexpectedByte, at: index)
    }
    index += 1
    return byte != end
  }

  private mutating func literal(_ text: StaticString, _ value: JSON) throws(JSONError) -> JSON {
    for position in 0..<text.utf8CodeUnitCount {
      guard index < bytes.count else { throw JSONError(.endOfInput, at: index) }
      guard bytes[index] == text.utf8Start[position] else {
        throw JSONError(.unexpectedByte, at: index)
      }
      index += 1
    }
    return value
  }

  private mutating func number() throws(JSONError) -> String {
    let start = index
    guard let end = JSONNumber.end(in: bytes, from: start) else {
      let isNumeric = bytes[start] == UInt8(ascii: "-") || JSONNumber.isDigit(bytes[start])
      throw JSONError(isNumeric ? .badNumber : .unexpectedByte, at: start)
    }
    index = end
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private mutating func nextByte() throws(JSONError) -> UInt8 {
    skipWhitespace()
    guard index < bytes.count else { throw JSONError(.endOfInput, at: index) }
    return bytes[index]
  }

  private mutating func skipWhitespace() {
    while index < bytes.count, JSONParser.isWhitespace(bytes[index]) { index += 1 }
  }

  /// The white space of RFC 8259 section 2.
  private static func isWhitespace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}
