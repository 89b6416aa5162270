/// 64-bit FNV-1a over the parts of an event, each followed by a byte that never occurs in UTF-8.
///
/// The constants are those of RFC 9923. Fingerprints are stored, so the function must never change.
enum Fingerprint {
  typealias Text = UnsafeBufferPointer<UInt8>

  static let separator: UInt8 = 0xff

  private static let beginning: UInt64 = 0xcbf2_9ce4_8422_2325

  static func of(_ text: Text) -> Int64 {
    Int64(bitPattern: added(text[...], to: beginning))
  }

  /// The fingerprints of four texts at once, which overlaps their multiplications.
  static func of(_ a: Text, _ b: Text, _ c: Text, _ d: Text) -> (Int64, Int64, Int64, Int64) {
    var hashes = (beginning, beginning, beginning, beginning)
    let shared = min(a.count, b.count, c.count, d.count)
    for place in 0..<shared {
      add(a[place], to: &hashes.0)
      add(b[place], to: &hashes.1)
      add(c[place], to: &hashes.2)
      add(d[place], to: &hashes.3)
    }
    return (
      Int64(bitPattern: added(a[shared...], to: hashes.0)),
      Int64(bitPattern: added(b[shared...], to: hashes.1)),
      Int64(bitPattern: added(c[shared...], to: hashes.2)),
      Int64(bitPattern: added(d[shared...], to: hashes.3))
    )
  }

  private static func added(_ bytes: Slice<Text>, to hash: UInt64) -> UInt64 {
    var hash = hash
    for byte in bytes { add(byte, to: &hash) }
    return hash
  }

  @inline(__always)
  private static func add(_ byte: UInt8, to hash: inout UInt64) {
    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
  }
}
