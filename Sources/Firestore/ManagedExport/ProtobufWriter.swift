/// A builder of messages of Protocol Buffers.
struct ProtobufWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ number: Int, _ type: ProtobufCursor.WireType) {
    varint(UInt64(number << 3) | UInt64(type.rawValue))
  }

  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Negative numbers are two's complement in ten bytes.
  mutating func add(_ number: Int, integer: Int64) {
    add(number, .varint)
    varint(UInt64(bitPattern: integer))
  }

  mutating func add(_ number: Int, double: Double) {
    add(number, .eightBytes)
    // All NaNs are written in one form.
    let bits = double.isNaN ? 0x7FF8_0000_0000_0000 : double.bitPattern
    bytes.append(contentsOf: withUnsafeBytes(of: bits.littleEndian, Array.init))
  }

  mutating func add(_ number: Int, bytes content: [UInt8]) {
    add(number, .bytes)
    varint(UInt64(content.count))
    bytes += content
  }

  mutating func add(_ number: Int, text: String) { add(number, bytes: Array(text.utf8)) }

  mutating func addMessage(_ number: Int, _ fields: (inout ProtobufWriter) -> Void) {
    var inner = ProtobufWriter()
    fields(&inner)
    add(number, bytes: inner.bytes)
  }

  mutating func addGroup(_ number: Int, _ fields: (inout ProtobufWriter) -> Void) {
    add(number, .groupStart)
    fields(&self)
    add(number, .groupEnd)
  }
}
