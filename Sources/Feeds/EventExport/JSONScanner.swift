import Glibc

/// Parses one JSON text strictly in one pass, without building a tree.
///
/// For exports of millions of lines. Validates all of RFC 8259, in skipped values too. A line feed
/// must follow the bytes: it cannot occur in a line, so it marks the end without a bounds check.
struct JSONScanner {
  /// An invalid text; the reason is the end of a sentence.
  struct Fault: Error, Hashable {
    let reason: String
  }

  /// A string between its quotes, still escaped.
  struct RawString {
    let bytes: UnsafeBufferPointer<UInt8>
    let isEscaped: Bool

    /// Calls `body` with the unescaped text.
    @inline(__always)
    func decoded<Result>(
      _ body: (UnsafeBufferPointer<UInt8>) throws(Fault) -> Result
    ) throws(Fault) -> Result {
      guard isEscaped else { return try body(bytes) }
      return try JSONEscapes.decode(bytes).withUnsafeBufferPointer(body)
    }

    func text() throws(Fault) -> String {
      try decoded { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// A member's name, compared without creating a string.
  struct Key {
    private let raw: RawString
    /// The unescaped name; nil for a name without escapes.
    private let decoded: [UInt8]?

    fileprivate init(_ raw: RawString) throws(Fault) {
      self.raw = raw
      decoded = raw.isEscaped ? try JSONEscapes.decode(raw.bytes) : nil
    }

    func text() throws(Fault) -> String { try raw.text() }

    @inline(__always)
    static func ~= (name: StaticString, key: Key) -> Bool {
      if let decoded = key.decoded {
        return decoded.elementsEqual(
          UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
      }
      let count = name.utf8CodeUnitCount
      guard let base = key.raw.bytes.baseAddress, key.raw.bytes.count == count else { return false }
      // Fast, because most names differ in their first byte.
      return count == 0
        || base[0] == name.utf8Start[0] && memcmp(base, name.utf8Start, count) == 0
    }
  }

  /// The maximum nesting; the records of an export need 4.
  static let deepestNesting = 100

  private let start: UnsafePointer<UInt8>
  private let limit: UnsafePointer<UInt8>
  private var position: UnsafePointer<UInt8>
  private var depth = 0

  /// The byte that `peek` returns after the last byte.
  static let end = UInt8(ascii: "\n")

  /// Validates the bytes as UTF-8.
  ///
  /// - Precondition: a line feed follows the bytes, which contain none.
  init(validating bytes: UnsafeBufferPointer<UInt8>) throws(Fault) {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw Fault(reason: "not UTF-8, at byte \(error.byteOffsets.lowerBound + 1)")
    }
    self.init(bytes)
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let base = bytes.baseAddress else { preconditionFailure("a line has an address") }
    start = base
    position = base
    limit = base + bytes.count
  }

  /// Skips blanks and returns the next byte without consuming it; `end` after the last byte.
  @inline(__always)
  mutating func peek() -> UInt8 {
    while true {
      let byte = position.pointee
      guard byte <= 0x20, byte == 0x20 || byte == 0x09 || byte == 0x0D else { return byte }
      position += 1
    }
  }

  /// Throws unless only blanks follow.
  mutating func finish() throws(Fault) {
    guard peek() == Self.end else { throw fault("something follows the record") }
  }

  func fault(_ reason: String) -> Fault {
    position < limit
      ? Fault(reason: "\(reason), at byte \(position - start + 1)")
      : Fault(reason: "the line ends inside the record")
  }

  /// Reads an object; `body` must consume each member's value.
  @inline(__always)
  mutating func members(
    _ body: (inout JSONScanner, Key) throws(Fault) -> Void
  ) throws(Fault) {
    try open(UInt8(ascii: "{"), "an object")
    defer { depth -= 1 }
    if take(UInt8(ascii: "}")) { return }
    repeat {
      guard peek() == UInt8(ascii: "\"") else { throw fault("expected a member's name") }
      let key = try Key(quoted())
      guard take(UInt8(ascii: ":")) else { throw fault("expected ':'") }
      try body(&self, key)
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw fault("expected ',' or '}'") }
  }

  /// Reads an array; `body` must consume each element.
  @inline(__always)
  mutating func elements(_ body: (inout JSONScanner) throws(Fault) -> Void) throws(Fault) {
    try open(UInt8(ascii: "["), "an array")
    defer { depth -= 1 }
    if take(UInt8(ascii: "]")) { return }
    repeat {
      try body(&self)
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw fault("expected ',' or ']'") }
  }

  /// Reads a string without validating its escapes.
  mutating func stringBytes() throws(Fault) -> RawString {
    guard peek() == UInt8(ascii: "\"") else { throw fault("expected a string") }
    return try quoted()
  }

  mutating func boolean() throws(Fault) -> Bool {
    let isTrue = peek() == UInt8(ascii: "t")
    try skipWord(isTrue ? "true" : "false")
    return isTrue
  }

  /// Reads a number and returns its characters.
  mutating func numberBytes() throws(Fault) -> UnsafeBufferPointer<UInt8> {
    _ = peek()
    let first = position
    try skipNumber()
    return UnsafeBufferPointer(start: first, count: position - first)
  }

  /// Consumes `null` if it is next.
  mutating func takeNull() throws(Fault) -> Bool {
    guard peek() == UInt8(ascii: "n") else { return false }
    try skipWord("null")
    return true
  }

  /// Reads a value of any kind and returns its characters.
  mutating func valueBytes() throws(Fault) -> UnsafeBufferPointer<UInt8> {
    _ = peek()
    let first = position
    try skipValue()
    return UnsafeBufferPointer(start: first, count: position - first)
  }

  mutating func skipValue() throws(Fault) {
    switch peek() {
    case UInt8(ascii: "{"):
      try members { scanner, _ throws(Fault) in try scanner.skipValue() }
    case UInt8(ascii: "["):
      try elements { scanner throws(Fault) in try scanner.skipValue() }
    case UInt8(ascii: "\""):
      let text = try quoted()
      if text.isEscaped { _ = try JSONEscapes.decode(text.bytes) }
    case UInt8(ascii: "t"): try skipWord("true")
    case UInt8(ascii: "f"): try skipWord("false")
    case UInt8(ascii: "n"): try skipWord("null")
    default: try skipNumber()
    }
  }

  @inline(__always)
  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  @inline(__always)
  private mutating func open(_ bracket: UInt8, _ what: StaticString) throws(Fault) {
    guard take(bracket) else { throw fault("expected \(what)") }
    depth += 1
    guard depth <= Self.deepestNesting else {
      throw fault("nested deeper than \(Self.deepestNesting)")
    }
  }

  /// Reads a string whose quote is next.
  @inline(__always)
  private mutating func quoted() throws(Fault) -> RawString {
    position += 1
    let first = position
    var isEscaped = false
    while true {
      skipPlainText()
      let byte = position.pointee
      if byte == UInt8(ascii: "\"") { break }
      if byte < 0x20 {
        throw fault(position < limit ? "a control character inside a string" : "unclosed string")
      }
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        // Decoding validates the escape; here only the end of the line matters.
        position += 1
        if position == limit { throw fault("unclosed string") }
      }
      position += 1
    }
    defer { position += 1 }
    return RawString(
      bytes: UnsafeBufferPointer(start: first, count: position - first), isEscaped: isEscaped)
  }

  /// Skips plain text, eight bytes at a time, up to a special byte or the last eight bytes.
  ///
  /// The tests are from Sean Anderson's "Bit Twiddling Hacks" and exact for the first byte found.
  @inline(__always)
  private mutating func skipPlainText() {
    let ones: UInt64 = 0x0101_0101_0101_0101
    while limit - position >= 8 {
      let word = UInt64(littleEndian: UnsafeRawPointer(position).loadUnaligned(as: UInt64.self))
      let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
      let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
      let found =
        ((word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote
          | (backslash &- ones) & ~backslash) & (ones &* 0x80)
      guard found == 0 else {
        position += found.trailingZeroBitCount >> 3
        return
      }
      position += 8
    }
  }

  private mutating func skipWord(_ word: StaticString) throws(Fault) {
    guard limit - position >= word.utf8CodeUnitCount,
      memcmp(position, word.utf8Start, word.utf8CodeUnitCount) == 0
    else { throw fault("expected a value") }
    position += word.utf8CodeUnitCount
  }

  /// RFC 8259 section 6.
  private mutating func skipNumber() throws(Fault) {
    if peek() == UInt8(ascii: "-") { position += 1 }
    let first = position.pointee
    let digits = skipDigits()
    guard digits == 1 || (digits > 1 && first != UInt8(ascii: "0")) else {
      throw fault("expected a value")
    }
    if next(is: UInt8(ascii: ".")) {
      guard skipDigits() > 0 else { throw fault("expected a digit") }
    }
    if next(is: UInt8(ascii: "e"), or: UInt8(ascii: "E")) {
      _ = next(is: UInt8(ascii: "+"), or: UInt8(ascii: "-"))
      guard skipDigits() > 0 else { throw fault("expected a digit") }
    }
  }

  private mutating func skipDigits() -> Int {
    let first = position
    while position.pointee &- 0x30 <= 9 { position += 1 }
    return position - first
  }

  private mutating func next(is byte: UInt8, or other: UInt8? = nil) -> Bool {
    guard position.pointee == byte || position.pointee == other else { return false }
    position += 1
    return true
  }
}
