/// What a text needs to stand between the quotes of JSON, found eight bytes at a time.
enum PlainText {
  case ascii, withoutEscapes, other

  static func check(_ text: UnsafeBufferPointer<UInt8>) -> PlainText {
    let bytes = UnsafeRawBufferPointer(text)
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

  /// Marks bytes below 0x20, quotes and backslashes in `special`, those above ASCII in `high`.
  ///
  /// The tests are those of Sean Anderson's "Bit Twiddling Hacks": exact as to whether there is one.
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
