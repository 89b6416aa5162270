/// A reader of the fields of one message of Protocol Buffers, groups included.
///
/// The bytes must stay in place.
struct ProtobufCursor {
  /// The type of a field's content, which follows the field's number.
  enum WireType: UInt8 {
    case varint = 0
    case eightBytes, bytes, groupStart, groupEnd, fourBytes
  }

  /// An error for bytes that are not a message.
  struct Malformed: Error {}

  let bytes: UnsafeRawBufferPointer
  private(set) var index: Int
  private let end: Int

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    (index, end) = (0, bytes.count)
  }

  /// Reads a message inside of another one.
  init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
    self.bytes = bytes
    (index, end) = (range.lowerBound, range.upperBound)
  }

  /// Reads the next field's number and type; returns nil at the end, and at the end of a group.
  @inline(__always)
  mutating func field() throws(Malformed) -> (number: Int, type: WireType)? {
    guard index < end else { return nil }
    let tag = try varint()
    guard let type = WireType(rawValue: UInt8(tag & 7)), tag >> 3 < 1 << 29 else {
      throw Malformed()
    }
    return type == .groupEnd ? nil : (Int(tag >> 3), type)
  }

  @inline(__always)
  mutating func varint() throws(Malformed) -> UInt64 {
    if index < end, bytes[index] < 0x80 {
      index += 1
      return UInt64(bytes[index - 1])
    }
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      guard index < end else { throw Malformed() }
      let byte = bytes[index]
      index += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    throw Malformed()
  }

  /// Reads the range of a field of type `bytes`, and moves past it.
  @inline(__always)
  mutating func range() throws(Malformed) -> Range<Int> {
    let count = try varint()
    guard count <= UInt64(end - index) else { throw Malformed() }
    index += Int(count)
    return index - Int(count)..<index
  }

  mutating func double() throws(Malformed) -> Double {
    guard end - index >= 8 else { throw Malformed() }
    index += 8
    return Double(
      bitPattern: UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: index - 8, as: UInt64.self)))
  }

  /// Skips the value of a field that is not needed.
  mutating func skip(_ type: WireType, depth: Int = 0) throws(Malformed) {
    switch type {
    case .varint: _ = try varint()
    case .bytes: _ = try range()
    case .eightBytes, .fourBytes:
      let count = type == .eightBytes ? 8 : 4
      guard end - index >= count else { throw Malformed() }
      index += count
    case .groupStart:
      guard depth < 64 else { throw Malformed() }
      while let field = try field() { try skip(field.type, depth: depth + 1) }
    case .groupEnd: throw Malformed()
    }
  }
}
