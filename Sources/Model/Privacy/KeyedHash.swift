/// SipHash-2-4: without the key, its values reveal nothing.
///
/// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", section 2; the tests use its
/// vectors.
package struct KeyedHash: Hashable, Sendable {
  private let low: UInt64
  private let high: UInt64

  package init(low: UInt64, high: UInt64) {
    (self.low, self.high) = (low, high)
  }

  /// The key as 32 hexadecimal digits; nil for any other text.
  package init?(hexadecimal text: String) {
    guard text.utf8.count == 32, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.init(low: low, high: high)
  }

  package var hexadecimal: String { high.hexadecimal + low.hexadecimal }

  package func of(_ bytes: [UInt8]) -> UInt64 {
    bytes.withUnsafeBytes { of($0) }
  }

  /// The same without allocating.
  package func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state = State(low, high)
    let whole = bytes.count / 8 * 8
    for start in stride(from: 0, to: whole, by: 8) {
      let word = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
      state.add(UInt64(littleEndian: word))
    }
    var last = UInt64(truncatingIfNeeded: bytes.count) << 56
    for offset in whole..<bytes.count {
      last |= UInt64(bytes[offset]) << (8 * UInt64(offset - whole))
    }
    state.add(last)
    return state.finished()
  }

  private struct State {
    private var v0, v1, v2, v3: UInt64

    init(_ low: UInt64, _ high: UInt64) {
      v0 = low ^ 0x736f_6d65_7073_6575
      v1 = high ^ 0x646f_7261_6e64_6f6d
      v2 = low ^ 0x6c79_6765_6e65_7261
      v3 = high ^ 0x7465_6462_7974_6573
    }

    mutating func add(_ word: UInt64) {
      v3 ^= word
      for _ in 0..<2 { turn() }
      v0 ^= word
    }

    mutating func finished() -> UInt64 {
      v2 ^= 0xff
      for _ in 0..<4 { turn() }
      return v0 ^ v1 ^ v2 ^ v3
    }

    private mutating func turn() {
      v0 &+= v1
      v1 = Self.rotated(v1, 13) ^ v0
      v0 = Self.rotated(v0, 32)
      v2 &+= v3
      v3 = Self.rotated(v3, 16) ^ v2
      v0 &+= v3
      v3 = Self.rotated(v3, 21) ^ v0
      v2 &+= v1
      v1 = Self.rotated(v1, 17) ^ v2
      v2 = Self.rotated(v2, 32)
    }

    private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
      word << count | word >> (64 - count)
    }
  }
}

extension UInt64 {
  /// 16 hexadecimal digits.
  var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
