/// 64-bit FNV-1a over the parts of an event, with a separator that UTF-8 never contains.
///
/// The constants are those of RFC 9923; the value is stored, so it must never change.
enum Fingerprint {
  static let beginning: UInt64 = 0xcbf2_9ce4_8422_2325

  static func of(
    _ name: Range<Int>, _ userId: Range<Int>, _ parameters: Range<Int>,
    in bytes: UnsafePointer<UInt8>
  ) -> Int64 {
    var hash = beginning
    for part in [name, userId, parameters] {
      for offset in part { add(bytes[offset], to: &hash) }
      add(0xff, to: &hash)
    }
    return Int64(bitPattern: hash)
  }

  @inline(__always)
  private static func add(_ byte: UInt8, to hash: inout UInt64) {
    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
  }
}
