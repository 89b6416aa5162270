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
  package var period: Reads
  /// From the beginning of the month until now.
  package var month: Reads

  package init(price: String?, readPrice: ReadPrice, period: Reads, month: Reads) {
    self.price = price
    self.readPrice = readPrice
    self.period = period
    self.month = month
  }
}
