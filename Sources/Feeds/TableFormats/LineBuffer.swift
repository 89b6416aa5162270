import FoundationEssentials

/// Lines of text that are handed on in large pieces.
struct LineBuffer {
  /// Bytes that are handed on at once, or somewhat more; a multiple of 3 for Base64.
  static let pieceBytes = 48 << 10

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

  mutating func append(base64 blob: UnsafeRawBufferPointer) throws {
    try append(value: blob) { $1.append(contentsOf: Data($0).base64EncodedData()) }
  }

  /// Appends a value piece by piece, so that a large one is not held as a whole.
  mutating func append(
    value: UnsafeRawBufferPointer,
    _ encode: (_ piece: UnsafeRawBufferPointer, _ bytes: inout [UInt8]) -> Void = {
      $1.append(contentsOf: $0)
    }
  ) throws {
    for start in stride(from: 0, to: value.count, by: Self.pieceBytes) {
      encode(UnsafeRawBufferPointer(rebasing: value[start...].prefix(Self.pieceBytes)), &bytes)
      try handOn()
    }
  }

  /// Hands the bytes on when there are enough of them.
  mutating func handOn() throws {
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
