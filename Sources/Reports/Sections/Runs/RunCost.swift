import Model

/// What billed reads cost: each run by the price of its day, or by the present one.
struct RunCost {
  let price: ReadPrice

  init(_ facts: RunsFacts) {
    price = facts.price
  }

  /// In the present currency; a run that was priced in another is priced anew.
  func amount(of run: Run) -> Double {
    guard let cost = run.estimatedCost, cost.currency == price.currency else {
      return price.cost(of: run.counts.billedReads).amount
    }
    return cost.amount
  }

  /// What stands beside a run or a job.
  static let columns = [
    Table.Column("reads", "Billed reads"), Table.Column("bytes", "Bytes"),
    Table.Column("cost", "Estimated cost"),
  ]

  /// The cells of `columns`.
  func cells(reads: Int, bytes: Int, _ amount: Double) -> [Cell] {
    [.count(reads), .count(bytes), cell(amount)]
  }

  /// Rounded to the millionth of a unit, as every format gives it.
  func cell(_ amount: Double) -> Cell {
    .money((amount * 1_000_000).rounded() / 1_000_000, currency: price.currency)
  }
}
