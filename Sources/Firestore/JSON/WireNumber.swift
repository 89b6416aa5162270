/// Whole numbers as proto3's JSON mapping writes them.
enum WireNumber {
  /// `-` and digits only, within 64 bits; nil otherwise.
  static func integer(_ text: String) -> Int64? {
    var copy = text
    return copy.withUTF8 { integer(UnsafeRawBufferPointer($0)) }
  }

  static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    let isNegative = bytes.first == UInt8(ascii: "-")
    guard bytes.count > (isNegative ? 1 : 0) else { return nil }
    var total: Int64 = 0
    for byte in bytes[(isNegative ? 1 : 0)...] {
      guard JSONNumber.isDigit(byte) else { return nil }
      // Counted downwards, because there is one more negative number than there are positive ones.
      let (product, overflows) = total.multipliedReportingOverflow(by: 10)
      let (difference, exceeds) = product.subtractingReportingOverflow(Int64(byte - 0x30))
      guard !overflows, !exceeds else { return nil }
      total = difference
    }
    guard !isNegative else { return total }
    return total == .min ? nil : -total
  }
}
