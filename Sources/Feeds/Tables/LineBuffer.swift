import FoundationEssentials

/// Lines of text that are handed on in large pieces.
struct LineBuffer {
  private static let pieceBytes = 64 << 10

  private(set) var bytes: [UInt8] = []
  private let output: OutputBytes

  init(_ output: OutputBytes) {
    self.output = output
    bytes.reserveCapacity(2 * Self.pieceBytes)
  }

  mutating func append(_ byte: UInt8) {
    bytes.append(byte)
  }

  mutating func append(_ text: some Sequence<UInt8>) {
    bytes.append(contentsOf: text)
  }

  mutating func append(raw: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: raw)
  }

  /// Appends decimal digits.
  mutating func append(_ number: Int64) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = number.magnitude
    guard rest > 9 else { return bytes.append(UInt8(ascii: "0") + UInt8(rest)) }
    let start = bytes.count
    while rest > 0 {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    }
    bytes[start...].reverse()
  }

  /// Appends the shortest text that reads back as the number, always with a point or an exponent.
  ///
  /// An infinite number is `Infinity` or `-Infinity`, as in Firestore's JSON.
  mutating func append(_ number: Double) {
    guard number.isInfinite else { return bytes.append(contentsOf: number.description.utf8) }
    bytes.append(contentsOf: (number < 0 ? "-Infinity" : "Infinity").utf8)
  }

  /// Appends a blob in Base64.
  mutating func append(base64 blob: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: Data(blob).base64EncodedData())
  }

  /// Hands the lines on when there are enough of them.
  mutating func endLine() throws {
    if bytes.count >= Self.pieceBytes { try flush() }
  }

  mutating func finish() throws {
    try flush()
    try output.finish()
  }

  private mutating func flush() throws {
    try output.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}

/// What a text has that a format has to look after.
struct TextTraits: OptionSet {
  let rawValue: UInt8

  /// A comma, a quote, CR or LF: RFC 4180, section 2.
  static let needsQuotes = TextTraits(rawValue: 1)
  /// A quote, which is doubled in CSV.
  static let hasQuote = TextTraits(rawValue: 2)
  /// What JSON escapes: a quote, a backslash or a control character.
  static let needsEscapes = TextTraits(rawValue: 4)
  /// A byte beyond ASCII, which may be no UTF-8.
  static let isWide = TextTraits(rawValue: 8)

  private static let ofByte: [UInt8] = (0...255).map { byte in
    var traits: TextTraits = []
    switch UInt8(byte) {
    case UInt8(ascii: "\""): traits = [.needsQuotes, .hasQuote, .needsEscapes]
    case UInt8(ascii: ","): traits = .needsQuotes
    case 0x0A, 0x0D: traits = [.needsQuotes, .needsEscapes]
    case 0: traits = [.needsQuotes, .needsEscapes]
    case 1..<0x20, UInt8(ascii: "\\"): traits = .needsEscapes
    case 0x80...: traits = .isWide
    default: break
    }
    return traits.rawValue
  }

  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  init(of text: UnsafeRawBufferPointer) {
    var all: UInt8 = 0
    Self.ofByte.withUnsafeBufferPointer { table in
      for byte in text { all |= table[Int(byte)] }
    }
    rawValue = all
  }
}

extension UnsafeRawBufferPointer {
  /// The text repaired with U+FFFD; nil for valid UTF-8.
  func repairedText(_ traits: TextTraits) -> [UInt8]? {
    guard traits.contains(.isWide), !isValidUTF8 else { return nil }
    return Array(String(decoding: self, as: UTF8.self).utf8)
  }

  private var isValidUTF8: Bool {
    do {
      _ = try UTF8Span(validating: bindMemory(to: UInt8.self).span)
      return true
    } catch {
      return false
    }
  }
}
