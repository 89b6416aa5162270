/// Whether bytes are all below 0x80, and UTF-8 without looking closer.
enum ASCII {
  static func holds(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var union: UInt64 = 0
    var offset = 0
    while offset &+ 8 <= raw.count {
      union |= raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    while offset < raw.count {
      union |= UInt64(raw[offset])
      offset &+= 1
    }
    return union & 0x8080_8080_8080_8080 == 0
  }
}
