import Model
import Testing

@testable import Store

/// Texts of prices, each taken apart once: docs/money.md#prices.
@Suite struct ShownPricesTests {
  @Test func `a price has the columns of its text, also the second time`() {
    let prices = ShownPrices()
    for _ in 0..<2 {
      let price = prices.price(of: "$2.99/week")
      #expect(price.amount == 2.99 && price.currency == "$" && price.term == "week")
      #expect(price.monthly == PriceText("$2.99/week")?.monthly)
    }
  }

  @Test(arguments: [nil, "", "free"])
  func `a text without a price has no column`(text: String?) {
    let price = ShownPrices().price(of: text)
    #expect(price.amount == nil && price.currency == nil && price.term == nil)
    #expect(price.monthly == nil)
  }

  @Test func `many texts are not all remembered, and none is mistaken`() {
    let prices = ShownPrices()
    for round in 0..<2 {
      for amount in 1...1_500 {
        #expect(prices.price(of: "$\(amount)").amount == Double(amount), "round \(round)")
      }
    }
  }
}
