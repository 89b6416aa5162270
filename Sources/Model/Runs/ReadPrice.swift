/// The price of billed reads: of documents, or of the read units of an Enterprise database; see
/// `docs/costs.md#prices`.
package struct ReadPrice: Hashable, Sendable {
  /// In units of the currency.
  package var per100kReads: Double
  /// Three letters, ISO 4217.
  package var currency: String
  /// The edition of the database that bills the reads.
  package var edition = FirestoreEdition.standard
  /// The month of Google's price list that has this price; nil for a price of the workspace.
  package var listedIn: String?

  package init(
    per100kReads: Double, currency: String, edition: FirestoreEdition = .standard,
    listedIn: String? = nil
  ) {
    self.per100kReads = per100kReads
    self.currency = currency
    self.edition = edition
    self.listedIn = listedIn
  }

  /// The month of the price list that the prices below are from.
  package static let listMonth = "September 2026"
  /// The price of documents in Google's examples and multi-region locations.
  package static let example = ReadPrice(
    per100kReads: 0.06, currency: "USD", listedIn: listMonth)
  /// The price of read units in `us-central1`.
  package static let unitExample = ReadPrice(
    per100kReads: 0.005, currency: "USD", edition: .enterprise, listedIn: listMonth)

  /// Whether the workspace sets the price.
  package var isOwn: Bool { listedIn == nil }

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
}
