/// A position in JSON text, read strictly and in one pass; the memory must outlive the cursor.
///
/// Only the cursor and its extensions access memory unchecked: a comparison with `count` precedes
/// every read.
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
