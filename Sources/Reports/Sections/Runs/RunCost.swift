import Model

/// What billed reads cost, when the workspace says what a million of them do.
struct RunCost {
  let pricePerMillion: Double
  let currency: String

  init?(_ facts: RunsFacts) {
    guard let price = facts.pricePerMillionReads else { return nil }
    pricePerMillion = price
    currency = facts.currency
  }

  /// Rounded to the ten-thousandth of a unit, as every format gives it.
  func cell(reads: Int) -> Cell {
    let amount = Double(reads) * pricePerMillion / 1_000_000
    return .money((amount * 10_000).rounded() / 10_000, currency: currency)
  }
}
