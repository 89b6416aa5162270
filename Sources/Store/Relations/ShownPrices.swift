import Model

/// Takes the texts of prices apart, each once: an app shows few.
final class ShownPrices {
  /// The columns of a price; all nil for a text that is none.
  struct Price {
    var amount: Double?
    var currency: String?
    var term: String?
    var monthly: Double?
  }

  /// Texts that are remembered, at most.
  private static let mostKnown = 1_000

  private var known: [String: Price] = [:]

  func price(of text: String?) -> Price {
    guard let text else { return Price() }
    if let price = known[text] { return price }
    let price = PriceText(text).map {
      Price(
        amount: $0.amount, currency: $0.knownCurrency, term: $0.term?.rawValue,
        monthly: $0.monthly)
    }
    if known.count == Self.mostKnown { known.removeAll() }
    known[text] = price ?? Price()
    return price ?? Price()
  }
}
