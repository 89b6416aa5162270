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

  mutating func append(_ number: Int64) {
    bytes.append(contentsOf: number.description.utf8)
  }

  /// Appends the shortest text that reads back as the number, always with a point or an exponent.
  ///
  /// An infinite number is `Infinity` or `-Infinity`, as in Firestore's JSON.
  mutating func append(_ number: Double) {
    guard number.isInfinite else { return bytes.append(contentsOf: number.description.utf8) }
    bytes.append(contentsOf: (number < 0 ? "-Infinity" : "Infinity").utf8)
  }

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

extension UnsafeRawBufferPointer {
  /// The text repaired with U+FFFD; nil for valid UTF-8.
  var repairedText: [UInt8]? {
    do {
      _ = try UTF8Span(validating: bindMemory(to: UInt8.self).span)
      return nil
    } catch {
      return Array(String(decoding: self, as: UTF8.self).utf8)
    }
  }
}
