/// Writes the text of JSON strings.
package enum JSONText {
  /// The control characters with an escape of two characters; the others become `\u00` and two
  /// digits.
  package enum ShortEscapes: Sendable {
    /// As stored parameters have it, whose bytes identify an event.
    case none
    /// As stored documents have it.
    case lineFeed
    /// `\n`, `\r` and `\t`, as files for other programs have it.
    case whiteSpace

    fileprivate func letter(for byte: UInt8) -> UInt8? {
      switch (byte, self) {
      case (0x0A, .lineFeed), (0x0A, .whiteSpace): UInt8(ascii: "n")
      case (0x0D, .whiteSpace): UInt8(ascii: "r")
      case (0x09, .whiteSpace): UInt8(ascii: "t")
      default: nil
      }
    }
  }

  /// Appends UTF-8, or a part of it, as it stands between quotes.
  package static func append(
    _ text: UnsafeRawBufferPointer, to bytes: inout [UInt8], _ short: ShortEscapes
  ) {
    guard PlainText.check(text) == .other else { return bytes.append(contentsOf: text) }
    for byte in text { escape(byte, short) { bytes.append($0) } }
  }

  /// The text as it stands between quotes.
  package static func escaped(_ text: String, _ short: ShortEscapes = .whiteSpace) -> String {
    var text = text
    var bytes: [UInt8] = []
    text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &bytes, short) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Hands on a byte of UTF-8, or the characters of its escape.
  @inline(__always)
  static func escape(_ byte: UInt8, _ short: ShortEscapes, _ put: (UInt8) -> Void) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      put(UInt8(ascii: "\\"))
      put(byte)
    case 0..<0x20:
      put(UInt8(ascii: "\\"))
      if let letter = short.letter(for: byte) { return put(letter) }
      let digits: StaticString = "0123456789abcdef"
      for letter in "u00".utf8 { put(letter) }
      put(digits.utf8Start[Int(byte >> 4)])
      put(digits.utf8Start[Int(byte & 15)])
    default: put(byte)
    }
  }
}

/// What a text needs inside a JSON string, found eight bytes at a time.
enum PlainText {
  case ascii, withoutEscapes, other

  static func check(_ bytes: UnsafeRawBufferPointer) -> PlainText {
    var special: UInt64 = 0
    var high: UInt64 = 0
    var offset = 0
    while offset &+ 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self), &special, &high)
      offset &+= 8
    }
    if offset < bytes.count {
      var rest: UInt64 = 0x2020_2020_2020_2020
      while offset < bytes.count {
        rest = rest << 8 | UInt64(bytes[offset])
        offset &+= 1
      }
      add(rest, &special, &high)
    }
    if special & 0x8080_8080_8080_8080 != 0 { return .other }
    return high & 0x8080_8080_8080_8080 == 0 ? .ascii : .withoutEscapes
  }

  /// Sets high bits in `special` for control characters, quotes and backslashes, in `high` beyond
  /// ASCII.
  ///
  /// The tests are from Sean Anderson's "Bit Twiddling Hacks": a zero result is exact, the place of
  /// a set bit is not.
  @inline(__always)
  private static func add(_ word: UInt64, _ special: inout UInt64, _ high: inout UInt64) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    special |= (word &- ones &* 0x20) & ~word
    special |= (quote &- ones) & ~quote
    special |= (backslash &- ones) & ~backslash
    high |= word
  }
}
