/// Numbers with a fraction or an exponent.
package enum ScientificNumber {
  /// The value of a number that is whole despite a fraction or an exponent, such as `1.5e3`; nil
  /// for others and beyond 64 bits.
  package static func integer(_ text: some Sequence<UInt8>) -> Int64? {
    let halves = Array(text).split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
    guard let mantissa = halves.first else { return nil }
    let parts = mantissa.split(
      separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    var digits = Array(parts.joined())
    var shift = parts.count > 1 ? -parts[1].count : 0
    if halves.count > 1 {
      guard let exponent = Int32(String(decoding: halves[1], as: UTF8.self)) else { return nil }
      shift += Int(exponent)
    }
    while shift < 0, digits.last == UInt8(ascii: "0"), digits.count > 1 {
      digits.removeLast()
      shift += 1
    }
    guard !digits.contains(where: { (0x31...0x39).contains($0) }) || (0...18).contains(shift) else {
      return nil
    }
    digits += repeatElement(UInt8(ascii: "0"), count: max(0, min(shift, 18)))
    return Int64(String(decoding: digits, as: UTF8.self))
  }
}
