/// A growing byte buffer whose memory is reused.
struct ByteScratch: ~Copyable {
  private(set) var start: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int) {
    start = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit {
    start.deallocate()
  }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  mutating func clear() {
    count = 0
  }

  /// Makes room for `more` bytes, which `put` then needs no check for.
  mutating func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    capacity = max(2 * capacity, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }

  /// - Precondition: there is room.
  @inline(__always)
  mutating func put(_ byte: UInt8) {
    start[count] = byte
    count &+= 1
  }

  /// - Precondition: there is room.
  @inline(__always)
  mutating func put(_ from: UnsafePointer<UInt8>, count more: Int) {
    (start + count).update(from: from, count: more)
    count &+= more
  }

  /// Appends the text, reserving its room, and returns its place.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    let begin = count
    reserve(text.count)
    if let base = text.baseAddress { put(base, count: text.count) }
    return begin..<count
  }
}

/// JSON strings in the one form that is stored.
extension ByteScratch {
  /// Appends the text between quotes; true when it is ASCII without escapes.
  @discardableResult
  mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    reserve(6 * text.count + 2)
    put(UInt8(ascii: "\""))
    defer { put(UInt8(ascii: "\"")) }
    guard let base = text.baseAddress else { return true }
    switch PlainText.check(text) {
    case .ascii:
      put(base, count: text.count)
      return true
    case .withoutEscapes: put(base, count: text.count)
    case .other: for byte in text { putEscaped(byte) }
    }
    return false
  }

  private mutating func putEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      put(UInt8(ascii: "\\"))
      put(byte)
    case 0..<0x20:
      let digits: StaticString = "0123456789abcdef"
      for letter in "\\u00".utf8 { put(letter) }
      put(digits.utf8Start[Int(byte >> 4)])
      put(digits.utf8Start[Int(byte & 15)])
    default: put(byte)
    }
  }
}

/// What a text needs inside a JSON string, found eight bytes at a time.
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
