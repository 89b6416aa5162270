/// A position in JSON text, read strictly and in one pass; the memory must outlive the cursor.
///
/// Only the cursor and its extensions access memory without bounds checks: a comparison with
/// `count` precedes every read.
struct ByteCursor {
  let base: UnsafeMutablePointer<UInt8>
  let count: Int
  var index = 0

  /// Nil for a buffer without memory.
  init?(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
    guard let base = buffer.baseAddress else { return nil }
    self.base = base
    count = buffer.count
  }

  /// Skips white space and returns the next byte without consuming it.
  @inline(__always)
  mutating func next() throws(JSONError) -> UInt8 {
    while index < count {
      let byte = base[index]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      index += 1
    }
    throw JSONError(.endOfInput, at: index)
  }

  /// Consumes the opening byte at `index`; false for an empty container, which is consumed whole.
  @inline(__always)
  mutating func enter(closing end: UInt8, depth: Int) throws(JSONError) -> Bool {
    guard depth <= JSON.maximumDepth else { throw JSONError(.tooDeep, at: index) }
    index += 1
    guard try next() == end else { return true }
    index += 1
    return false
  }

  /// Consumes a comma (true) or the closing byte (false).
  @inline(__always)
  mutating func another(closing end: UInt8) throws(JSONError) -> Bool {
    let byte = try next()
    guard byte == UInt8(ascii: ",") || byte == end else {
      throw JSONError(.unexpectedByte, at: index)
    }
    index += 1
    return byte != end
  }

  /// Consumes a member's key and colon; returns the range of the unescaped key.
  @inline(__always)
  mutating func key() throws(JSONError) -> Range<Int> {
    guard try next() == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: index) }
    let key = try text()
    guard try next() == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, at: index) }
    index += 1
    return key
  }

  /// Consumes and validates a value of any kind; `depth` counts the containers around it.
  mutating func skipValue(depth: Int) throws(JSONError) {
    switch try next() {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "{"):
      guard try enter(closing: UInt8(ascii: "}"), depth: depth + 1) else { return }
      repeat {
        try skipKey()
        try skipValue(depth: depth + 1)
      } while try another(closing: UInt8(ascii: "}"))
    case UInt8(ascii: "["):
      guard try enter(closing: UInt8(ascii: "]"), depth: depth + 1) else { return }
      repeat {
        try skipValue(depth: depth + 1)
      } while try another(closing: UInt8(ascii: "]"))
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    default: _ = try number()
    }
  }

  @inline(__always)
  private mutating func skipKey() throws(JSONError) {
    guard try next() == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: index) }
    _ = try string()
    guard try next() == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, at: index) }
    index += 1
  }

  /// Consumes `true`, `false` or `null`.
  mutating func literal(_ text: StaticString) throws(JSONError) {
    for position in 0..<text.utf8CodeUnitCount {
      guard index < count else { throw JSONError(.endOfInput, at: index) }
      guard base[index] == text.utf8Start[position] else {
        throw JSONError(.unexpectedByte, at: index)
      }
      index += 1
    }
  }

  /// Consumes a number; returns the range of its characters.
  mutating func number() throws(JSONError) -> Range<Int> {
    let start = index
    if byte(is: UInt8(ascii: "-")) { index += 1 }
    if byte(is: UInt8(ascii: "0")) {
      index += 1
      if index < count, JSONNumber.isDigit(base[index]) { throw JSONError(.badNumber, at: start) }
    } else {
      try digits(of: start)
    }
    if byte(is: UInt8(ascii: ".")) {
      index += 1
      try digits(of: start)
    }
    if byte(is: UInt8(ascii: "e")) || byte(is: UInt8(ascii: "E")) {
      index += 1
      if byte(is: UInt8(ascii: "+")) || byte(is: UInt8(ascii: "-")) { index += 1 }
      try digits(of: start)
    }
    return start..<index
  }

  /// Consumes one or more digits of the number that began at `start`.
  private mutating func digits(of start: Int) throws(JSONError) {
    let first = index
    while index < count, JSONNumber.isDigit(base[index]) { index += 1 }
    guard index > first else {
      throw JSONError(start == first ? .unexpectedByte : .badNumber, at: start)
    }
  }

  /// Throws unless only white space follows.
  func expectEnd() throws(JSONError) {
    var rest = self
    do {
      _ = try rest.next()
    } catch {
      return
    }
    throw JSONError(.trailingBytes, at: rest.index)
  }

  @inline(__always)
  private func byte(is expected: UInt8) -> Bool { index < count && base[index] == expected }

  /// Whether the range contains exactly these characters.
  @inline(__always)
  func holds(_ range: Range<Int>, _ text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    for position in 0..<range.count
    where base[range.lowerBound + position] != text.utf8Start[position] { return false }
    return true
  }

  /// The bytes of a range; valid as long as the memory.
  @inline(__always)
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
  }
}

/// Strings: sixteen bytes at a time while they are plain, and byte by byte otherwise.
extension ByteCursor {
  /// A string between its quotes, still escaped.
  struct ScannedString {
    var range: Range<Int>
    var hasEscapes: Bool
  }

  /// Consumes the string at `index` and unescapes it in place; the range contains valid UTF-8.
  @inline(__always)
  mutating func text() throws(JSONError) -> Range<Int> {
    let raw = try string()
    return raw.hasEscapes ? unescape(raw.range) : raw.range
  }

  /// Consumes the string whose opening quote is at `index`, checking escapes and UTF-8.
  @inline(__always)
  mutating func string() throws(JSONError) -> ScannedString {
    let start = index + 1
    var hasEscapes = false
    var bitsSeen = Block()
    index = start
    while true {
      skipPlain(&bitsSeen)
      guard index < count else { throw JSONError(.endOfInput, at: index) }
      let byte = base[index]
      if byte == UInt8(ascii: "\"") { break }
      guard byte == UInt8(ascii: "\\") else { throw JSONError(.controlCharacter, at: index) }
      hasEscapes = true
      index += try escapeLength()
    }
    let words = unsafeBitCast(bitsSeen, to: SIMD2<UInt64>.self)
    if (words[0] | words[1]) & 0x8080_8080_8080_8080 != 0 { try validateUTF8(start..<index) }
    index += 1
    return ScannedString(range: start..<(index - 1), hasEscapes: hasEscapes)
  }

  /// The bytes that are tested together.
  private typealias Block = SIMD16<UInt8>

  /// Moves to the next quote, backslash or control character, or to the end.
  ///
  /// `bitsSeen` collects the bits of all skipped bytes, and of up to 15 bytes after them.
  @inline(__always)
  private mutating func skipPlain(_ bitsSeen: inout Block) {
    while index + 16 <= count {
      let block = UnsafeRawPointer(base + index).loadUnaligned(as: Block.self)
      bitsSeen |= block
      let isSpecial =
        (block .< Block(repeating: 0x20)) .| (block .== Block(repeating: 0x22))
        .| (block .== Block(repeating: 0x5C))
      let special = unsafeBitCast(isSpecial, to: SIMD2<UInt64>.self)
      guard special[0] | special[1] == 0 else {
        index +=
          special[0] != 0
          ? special[0].trailingZeroBitCount >> 3 : 8 + special[1].trailingZeroBitCount >> 3
        return
      }
      index += 16
    }
    while index < count {
      let byte = base[index]
      guard byte >= 0x20, byte != 0x22, byte != 0x5C else { return }
      bitsSeen[0] |= byte
      index += 1
    }
  }

  /// The length of the escape at `index`; throws for an invalid one.
  private func escapeLength() throws(JSONError) -> Int {
    guard index + 1 < count else { throw JSONError(.endOfInput, at: count) }
    switch base[index + 1] {
    case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: return 2
    case UInt8(ascii: "u"): break
    default: throw JSONError(.badEscape, at: index)
    }
    let first = try codeUnit(at: index)
    guard first & 0xF800 == 0xD800 else { return 6 }
    guard first < 0xDC00, index + 7 < count, base[index + 6] == UInt8(ascii: "\\"),
      base[index + 7] == UInt8(ascii: "u"), try codeUnit(at: index + 6) & 0xFC00 == 0xDC00
    else { throw JSONError(.loneSurrogate, at: index) }
    return 12
  }

  /// The number in the `\uXXXX` at `position`.
  private func codeUnit(at position: Int) throws(JSONError) -> UInt32 {
    guard position + 6 <= count else { throw JSONError(.endOfInput, at: count) }
    var code: UInt32 = 0
    for offset in 2..<6 {
      let byte = base[position + offset]
      let letter = byte | 0x20
      switch byte {
      case 0x30...0x39: code = code << 4 | UInt32(byte - 0x30)
      case _ where letter >= 0x61 && letter <= 0x66: code = code << 4 | UInt32(letter - 0x57)
      default: throw JSONError(.badEscape, at: position)
      }
    }
    return code
  }

  /// Unescapes a validated string in place, which never lengthens it.
  private func unescape(_ range: Range<Int>) -> Range<Int> {
    var source = range.lowerBound
    var target = range.lowerBound
    while source < range.upperBound {
      guard base[source] == UInt8(ascii: "\\") else {
        base[target] = base[source]
        source += 1
        target += 1
        continue
      }
      if base[source + 1] == UInt8(ascii: "u") {
        source += unescapeScalar(at: source, to: &target)
      } else {
        base[target] = ByteCursor.shortEscape(base[source + 1])
        source += 2
        target += 1
      }
    }
    return range.lowerBound..<target
  }

  /// An unescaped copy of a validated string.
  func unescaped(_ range: Range<Int>) -> [UInt8] {
    var copy = Array(bytes(range))
    let count = copy.withUnsafeMutableBufferPointer { buffer in
      ByteCursor(buffer).map { $0.unescape(0..<buffer.count).count } ?? 0
    }
    return Array(copy[..<count])
  }

  private static func shortEscape(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }

  /// Writes the character of a validated `\u` escape; returns the escape's length.
  private func unescapeScalar(at source: Int, to target: inout Int) -> Int {
    var code = hexadecimal(at: source + 2)
    var length = 6
    if code & 0xF800 == 0xD800 {
      code = 0x10000 + (code - 0xD800) << 10 + (hexadecimal(at: source + 8) - 0xDC00)
      length = 12
    }
    let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
    for byte in UTF8.encode(scalar) ?? .init() {
      base[target] = byte
      target += 1
    }
    return length
  }

  /// The value of four validated hexadecimal digits.
  private func hexadecimal(at position: Int) -> UInt32 {
    (0..<4).reduce(0) { code, offset in
      let byte = UInt32(base[position + offset])
      return code << 4 | (byte < 0x40 ? byte - 0x30 : (byte | 0x20) - 0x57)
    }
  }

  private func validateUTF8(_ range: Range<Int>) throws(JSONError) {
    do {
      _ = try UTF8Span(validating: bytes(range).bindMemory(to: UInt8.self).span)
    } catch {
      throw JSONError(.badUTF8, at: range.lowerBound)
    }
  }
}
