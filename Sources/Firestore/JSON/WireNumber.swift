/// Whole numbers as proto3's JSON mapping writes them.
enum WireNumber {
  /// `-` and digits only, within 64 bits; nil otherwise.
  static func integer(_ text: String) -> Int64? {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy(JSONNumber.isDigit) else { return nil }
    return Int64(text)
  }
}
