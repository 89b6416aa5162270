/// The price of billed document reads; see `docs/costs.md#prices`.
package struct ReadPrice: Hashable, Sendable {
  /// In units of the currency.
  package var per100kReads: Double
  /// Three letters, ISO 4217.
  package var currency: String

  /// The price in Google's examples; `docs/costs.md#prices`.
  package static let example = ReadPrice(per100kReads: 0.06, currency: "USD")

  package func cost(of reads: Int) -> Money {
    // Rounded to the billionth, which hides the errors of binary fractions.
    let billionths = (Double(reads) * per100kReads * 10_000).rounded()
    return Money(amount: billionths / 1_000_000_000, currency: currency)
  }
}

package struct Money: Hashable, Codable, Sendable {
  /// In units of the currency, with a fraction.
  package var amount: Double
  /// Three letters, ISO 4217.
  package var currency: String

  package init(amount: Double, currency: String) {
    self.amount = amount
    self.currency = currency
  }
}
