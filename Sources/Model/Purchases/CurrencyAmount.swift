/// An amount in the smallest unit of a currency, such as cents: never a fraction of it.
package struct CurrencyAmount: Hashable, Sendable {
  package var amount: Int64
  /// Three capitals (ISO 4217).
  package var currency: String

  package init(amount: Int64, currency: String) {
    self.amount = amount
    self.currency = currency
  }

  /// Nil for what is no decimal number, has more than 15 digits before the point, or whose currency
  /// is not three capitals.
  ///
  /// Digits beyond those of the currency are rounded, half away from zero.
  package init?(decimal text: String.UTF8View, currency: String) {
    guard Self.isCurrency(currency),
      let amount = Self.scaled(text, digits: Self.digits(of: currency))
    else { return nil }
    self.init(amount: amount, currency: currency)
  }

  /// An amount in thousandths of the currency, as Apple signs it; nil as above.
  package init?(thousandths: Int64, currency: String) {
    self.init(decimal: "\(thousandths)e-3".utf8, currency: currency)
  }

  package static func isCurrency(_ text: String) -> Bool {
    text.utf8.count == 3 && text.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }

  /// The currencies whose smallest unit is not a hundredth, by its digits behind the point.
  ///
  /// Source: ISO 4217 list one, of 2026-01-01.
  package static let unusualDigits: [Int: Set<String>] = [
    0: [
      "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
      "VUV", "XAF", "XOF", "XPF",
    ],
    3: ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"],
    4: ["CLF", "UYW"],
  ]

  /// Digits behind the point: 2 for a currency that is not known.
  package static func digits(of currency: String) -> Int {
    if usual.contains(currency) { return 2 }
    return unusualDigits.first { $0.value.contains(currency) }?.key ?? 2
  }

  /// Met most often.
  private static let usual: Set<String> = ["USD", "EUR", "GBP", "CAD", "AUD", "INR", "BRL", "MXN"]

  /// A decimal number times 10 to the power of `digits`, rounded half away from zero; nil for
  /// another text.
  package static func scaled(_ text: String.UTF8View, digits: Int) -> Int64? {
    text.withContiguousStorageIfAvailable { scaled($0, digits: digits) }
      ?? Array(text).withUnsafeBufferPointer { scaled($0, digits: digits) }
  }

  private static func scaled(_ text: UnsafeBufferPointer<UInt8>, digits: Int) -> Int64? {
    let isNegative = text.first == UInt8(ascii: "-")
    let end = text.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? text.endIndex
    guard let number = DecimalDigits(text[..<end].dropFirst(isNegative ? 1 : 0)) else {
      return nil
    }
    var exponent = 0
    if end < text.endIndex {
      guard let value = Int(String(decoding: text[(end + 1)...], as: UTF8.self)), abs(value) < 100
      else { return nil }
      exponent = value
    }
    return number.rounded(keeping: number.wholeCount + exponent + digits)
      .map { isNegative ? -$0 : $0 }
  }

  /// The part of an amount that is left when a share is taken from it, in billionths; nil for a
  /// share below 0 or above the whole.
  package func without(billionths share: Int64) -> CurrencyAmount? {
    let whole: UInt64 = 1_000_000_000
    guard share >= 0, share <= whole else { return nil }
    let product = amount.magnitude.multipliedFullWidth(by: whole - UInt64(share))
    let (low, carry) = product.low.addingReportingOverflow(whole / 2)
    let quotient = whole.dividingFullWidth((product.high + (carry ? 1 : 0), low)).quotient
    let part = Int64(clamping: quotient)
    return CurrencyAmount(amount: amount < 0 ? -part : part, currency: currency)
  }
}

/// The digits of a decimal number without a sign and an exponent.
private struct DecimalDigits {
  private let text: UnsafeBufferPointer<UInt8>
  /// Digits before the point.
  let wholeCount: Int
  private let count: Int

  /// Nil without digits, with a point at the end, and with any other byte.
  init?(_ slice: Slice<UnsafeBufferPointer<UInt8>>) {
    text = UnsafeBufferPointer(rebasing: slice)
    var point: Int?
    for place in 0..<text.count where !(0x30...0x39).contains(text[place]) {
      guard text[place] == UInt8(ascii: "."), point == nil else { return nil }
      point = place
    }
    count = text.count - (point == nil ? 0 : 1)
    wholeCount = point ?? count
    guard count > 0, point != count else { return nil }
  }

  private func digit(_ place: Int) -> Int64 {
    guard place < count else { return 0 }
    return Int64(text[place + (place < wholeCount ? 0 : 1)] - 0x30)
  }

  /// The first digits as a number, rounded by the one behind them; nil for more than 15 with
  /// `digits` below 4.
  func rounded(keeping kept: Int) -> Int64? {
    guard kept >= 0 else { return 0 }
    var value: Int64 = 0
    for place in 0..<kept {
      guard value < Int64.max / 10 / 10 else { return nil }
      value = value * 10 + digit(place)
      if value == 0, place >= count { return 0 }
    }
    return value + (digit(kept) >= 5 ? 1 : 0)
  }
}
