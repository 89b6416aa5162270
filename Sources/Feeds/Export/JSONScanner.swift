import Glibc

/// Reads one JSON text in one pass, strictly, without building a tree.
///
/// For the lines of an export, which come by the hundred thousand. The bytes must be valid UTF-8;
/// everything else of RFC 8259 is checked here, in skipped values too.
struct JSONScanner {
  /// What is wrong with the text, as the end of a sentence.
  struct Fault: Error, Hashable {
    let reason: String
  }

  /// A member's name, compared without making a string of it.
  struct Key {
    fileprivate let raw: RawString
    /// Only of a name that is written with escapes.
    fileprivate let decoded: String?

    static func ~= (name: StaticString, key: Key) -> Bool {
      if let decoded = key.decoded { return decoded == name.description }
      let count = name.utf8CodeUnitCount
      guard let base = key.raw.bytes.baseAddress, key.raw.bytes.count == count else { return false }
      // Most names differ in their first byte.
      return count == 0
        || base[0] == name.utf8Start[0] && memcmp(base, name.utf8Start, count) == 0
    }
  }

  /// What stands between two quotes.
  struct RawString {
    let bytes: UnsafeBufferPointer<UInt8>
    let isEscaped: Bool

    func text() throws(Fault) -> String {
      try JSONText.decode(bytes, isEscaped: isEscaped)
    }
  }

  /// Deeper nesting is refused; the records of an export need 4.
  static let deepestNesting = 100

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var depth = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// A scanner of bytes that may be anything.
  init(validating bytes: UnsafeBufferPointer<UInt8>) throws(Fault) {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw Fault(reason: "not UTF-8, at byte \(error.byteOffsets.lowerBound + 1)")
    }
    self.init(bytes)
  }

  /// The next byte that is not blank, left where it is; nil at the end.
  mutating func peek() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return bytes[position]
      }
    }
    return nil
  }

  /// Refuses anything but blanks up to the end.
  mutating func finish() throws(Fault) {
    guard peek() == nil else { throw fault("something follows the record") }
  }

  func fault(_ reason: String) -> Fault {
    position < bytes.count
      ? Fault(reason: "\(reason), at byte \(position + 1)")
      : Fault(reason: "the line ends inside the record")
  }

  /// Reads an object; `body` has to consume each member's value.
  mutating func members(
    _ body: (inout JSONScanner, Key) throws(Fault) -> Void
  ) throws(Fault) {
    try open(UInt8(ascii: "{"), "an object")
    defer { depth -= 1 }
    if take(UInt8(ascii: "}")) { return }
    repeat {
      guard peek() == UInt8(ascii: "\"") else { throw fault("expected a member's name") }
      let key = try key()
      guard take(UInt8(ascii: ":")) else { throw fault("expected ':'") }
      try body(&self, key)
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw fault("expected ',' or '}'") }
  }

  /// Reads an array; `body` has to consume each element.
  mutating func elements(_ body: (inout JSONScanner) throws(Fault) -> Void) throws(Fault) {
    try open(UInt8(ascii: "["), "an array")
    defer { depth -= 1 }
    if take(UInt8(ascii: "]")) { return }
    repeat {
      try body(&self)
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw fault("expected ',' or ']'") }
  }

  mutating func string() throws(Fault) -> String {
    try stringBytes().text()
  }

  /// Reads a string and leaves its escapes as they are, unchecked.
  mutating func stringBytes() throws(Fault) -> RawString {
    guard peek() == UInt8(ascii: "\"") else { throw fault("expected a string") }
    return try rawString()
  }

  /// Reads a string that is to be compared with names.
  mutating func key() throws(Fault) -> Key {
    let name = try stringBytes()
    return Key(raw: name, decoded: name.isEscaped ? try name.text() : nil)
  }

  /// Reads a number and returns it as written.
  mutating func number() throws(Fault) -> String {
    String(decoding: try numberBytes(), as: UTF8.self)
  }

  /// Reads a number and returns its characters.
  mutating func numberBytes() throws(Fault) -> UnsafeBufferPointer<UInt8> {
    _ = peek()
    let start = position
    try skipNumber()
    return UnsafeBufferPointer(rebasing: bytes[start..<position])
  }

  /// Reads `true` or `false`.
  mutating func boolean() throws(Fault) -> Bool {
    let isTrue = peek() == UInt8(ascii: "t")
    try skipWord(isTrue ? "true" : "false")
    return isTrue
  }

  /// Consumes `null` if it is next.
  mutating func takeNull() throws(Fault) -> Bool {
    guard peek() == UInt8(ascii: "n") else { return false }
    try skipWord("null")
    return true
  }

  mutating func skipValue() throws(Fault) {
    switch peek() {
    case UInt8(ascii: "{"):
      try members { scanner, _ throws(Fault) in try scanner.skipValue() }
    case UInt8(ascii: "["):
      try elements { scanner throws(Fault) in try scanner.skipValue() }
    case UInt8(ascii: "\""):
      let raw = try rawString()
      if raw.isEscaped { _ = try raw.text() }
    case UInt8(ascii: "t"): try skipWord("true")
    case UInt8(ascii: "f"): try skipWord("false")
    case UInt8(ascii: "n"): try skipWord("null")
    default: try skipNumber()
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  private mutating func open(_ bracket: UInt8, _ what: String) throws(Fault) {
    guard take(bracket) else { throw fault("expected \(what)") }
    depth += 1
    guard depth <= Self.deepestNesting else {
      throw fault("nested deeper than \(Self.deepestNesting)")
    }
  }

  private mutating func rawString() throws(Fault) -> RawString {
    position += 1
    let start = position
    var isEscaped = false
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return RawString(
          bytes: UnsafeBufferPointer(rebasing: bytes[start..<position - 1]), isEscaped: isEscaped)
      case UInt8(ascii: "\\"):
        isEscaped = true
        position += 2
      case 0x00..<0x20: throw fault("a control character inside a string")
      default: position += 1
      }
    }
    throw fault("unclosed string")
  }

  private mutating func skipWord(_ word: StaticString) throws(Fault) {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count, let base = bytes.baseAddress,
      memcmp(base + position, word.utf8Start, word.utf8CodeUnitCount) == 0
    else { throw fault("expected a value") }
    position = end
  }

  /// RFC 8259 section 6.
  private mutating func skipNumber() throws(Fault) {
    if peek() == UInt8(ascii: "-") { position += 1 }
    let start = position
    let digits = skipDigits()
    guard digits == 1 || (digits > 1 && bytes[start] != UInt8(ascii: "0")) else {
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
    let start = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
    return position - start
  }

  /// Consumes the byte, or the other one, when it follows directly.
  private mutating func next(is byte: UInt8, or other: UInt8? = nil) -> Bool {
    guard position < bytes.count, bytes[position] == byte || bytes[position] == other else {
      return false
    }
    position += 1
    return true
  }
}
