/// What the app brings and costs, as far as it is known here: docs/people.md#money.
package struct MoneyData: Sendable {
  /// The billed reads of a stretch of time.
  package struct Reads: Hashable, Sendable {
    package var count: Int
    /// In the currency of `readPrice`.
    package var amount: Double

    package init(count: Int = 0, amount: Double = 0) {
      self.count = count
      self.amount = amount
    }
  }

  /// The price of a subscription in words; nil when the workspace names none.
  package var price: String?
  package var readPrice: ReadPrice
  /// Whether the workspace names that price; otherwise it is that of Google's examples.
  package var namesReadPrice: Bool
  package var period: Reads
  /// From the beginning of the month until now.
  package var month: Reads

  package init(
    price: String?, readPrice: ReadPrice, namesReadPrice: Bool = true, period: Reads, month: Reads
  ) {
    self.price = price
    self.readPrice = readPrice
    self.namesReadPrice = namesReadPrice
    self.period = period
    self.month = month
  }
}
