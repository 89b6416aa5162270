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
  package init?(decimal text: some Collection<UInt8>, currency: String) {
    guard Self.isCurrency(currency),
      let amount = Self.scaled(text, digits: Self.digits(of: currency))
    else { return nil }
    self.init(amount: amount, currency: currency)
  }

  /// An amount in thousandths of the currency, as Apple signs it; nil as above.
  package init?(thousandths: Int64, currency: String) {
    self.init(decimal: Array("\(thousandths)e-3".utf8), currency: currency)
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
  package static func scaled(_ text: some Collection<UInt8>, digits: Int) -> Int64? {
    var rest = text[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    var number: [UInt8] = []
    var point: Int?
    var exponent = 0
    while let byte = rest.popFirst() {
      switch byte {
      case 0x30...0x39: number.append(byte - 0x30)
      case UInt8(ascii: ".") where point == nil: point = number.count
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        guard let value = Int(String(decoding: rest, as: UTF8.self)), abs(value) < 100 else {
          return nil
        }
        exponent = value
        rest = rest[rest.endIndex...]
      default: return nil
      }
    }
    guard !number.isEmpty, point != number.count || point == nil else { return nil }
    let whole = (point ?? number.count) + exponent
    let value = rounded(number, keeping: whole + digits)
    return value.map { isNegative ? -$0 : $0 }
  }

  /// The first digits as a number, rounded by the one behind them; nil for more than 15 with
  /// `digits` below 4.
  private static func rounded(_ number: [UInt8], keeping count: Int) -> Int64? {
    guard count >= 0 else { return 0 }
    var value: Int64 = 0
    for place in 0..<count {
      let digit = place < number.count ? number[place] : 0
      guard value < Int64.max / 10 / 10 else { return nil }
      value = value * 10 + Int64(digit)
      if value == 0, place >= number.count { return 0 }
    }
    return value + (count < number.count && number[count] >= 5 ? 1 : 0)
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
