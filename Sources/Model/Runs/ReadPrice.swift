/// The price of billed reads: of documents, or of the read units of an Enterprise database; see
/// `docs/costs.md#prices`.
package struct ReadPrice: Hashable, Sendable {
  /// In units of the currency.
  package var per100kReads: Double
  /// Three letters, ISO 4217.
  package var currency: String
  /// The edition of the database that bills the reads.
  package var edition = FirestoreEdition.standard
  /// Whether the workspace sets the price; otherwise it is that of Google's list.
  package var isOwn: Bool

  package init(
    per100kReads: Double, currency: String, edition: FirestoreEdition = .standard,
    isOwn: Bool = true
  ) {
    self.per100kReads = per100kReads
    self.currency = currency
    self.edition = edition
    self.isOwn = isOwn
  }

  /// The month of Google's price list that has this price; nil for a price of the workspace, and in
  /// another currency.
  package var listedIn: String? {
    isOwn || currency != Self.example.currency ? nil : Self.listMonth
  }

  /// The month of the price list that the prices below are from.
  private static let listMonth = "September 2026"
  /// The price of documents in Google's examples and multi-region locations.
  package static let example = ReadPrice(per100kReads: 0.06, currency: "USD", isOwn: false)
  /// The price of read units in `us-central1`.
  package static let unitExample = ReadPrice(
    per100kReads: 0.005, currency: "USD", edition: .enterprise, isOwn: false)

  /// Returns the cost, rounded to the billionth.
  package func cost(of reads: Int) -> Money {
    // Rounding hides the errors of binary fractions.
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

  /// What stands before amounts of a currency, a code such as `USD` or a sign; nil for one that
  /// stands behind them.
  ///
  /// The codes are those whose signs no other currency has alone in English: Unicode CLDR, en.xml.
  package static func sign(of currency: String) -> String? {
    switch currency {
    case "USD": "$"
    case "EUR": "€"
    case "GBP": "£"
    default: currency.last?.isLetter == false ? currency : nil
    }
  }
}
