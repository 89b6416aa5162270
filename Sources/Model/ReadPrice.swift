/// What billed document reads cost; see `docs/jobs.md#prices`.
package struct ReadPrice: Hashable, Sendable {
  /// In units of the currency.
  package var per100kReads: Double
  /// Three letters, ISO 4217.
  package var currency: String

  /// What Google's examples reckon with; `docs/jobs.md#prices`.
  package static let example = ReadPrice(per100kReads: 0.06, currency: "USD")

  package init(per100kReads: Double, currency: String) {
    self.per100kReads = per100kReads
    self.currency = currency
  }

  package func cost(of reads: Int) -> Money {
    // To the billionth, so that nobody sees how binary fractions are rounded.
    let billionths = (Double(reads) * per100kReads * 10_000).rounded()
    return Money(amount: billionths / 1_000_000_000, currency: currency)
  }
}

/// An amount of a currency.
package struct Money: Hashable, Codable, Sendable {
  /// In units of the currency, with whatever fraction it has.
  package var amount: Double
  /// Three letters, ISO 4217.
  package var currency: String

  package init(amount: Double, currency: String) {
    self.amount = amount
    self.currency = currency
  }
}
