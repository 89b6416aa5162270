/// Bytes written one piece after the other into memory that is kept from use to use.
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

  /// Makes room for so many bytes more; `put` needs them.
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

  /// Appends the text and returns where it is; makes its own room.
  mutating func append(_ text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    let begin = count
    reserve(text.count)
    if let base = text.baseAddress { put(base, count: text.count) }
    return begin..<count
  }
}

/// JSON texts in the one form that the ledger stores.
extension ByteScratch {
  /// Appends the text between quotes; true when it is ASCII that needed no escape.
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
