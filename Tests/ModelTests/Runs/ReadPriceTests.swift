import Testing

@testable import Model

@Suite struct ReadPriceTests {
  @Test(arguments: [
    (0, 0), (1, 0.000_000_6), (60, 0.000_036), (99_999, 0.059_999_4), (100_000, 0.06),
    (1_000_000_000, 600),
  ])
  func `reads cost by the 100,000`(reads: Int, amount: Double) {
    #expect(ReadPrice.example.cost(of: reads) == Money(amount: amount, currency: "USD"))
  }

  @Test func `no price costs nothing, in its currency`() {
    let price = ReadPrice(per100kReads: 0, currency: "EUR")
    #expect(price.cost(of: 1_000) == Money(amount: 0, currency: "EUR"))
  }

  @Test(
    arguments: [
      ("USD", false, "September 2026"), ("EUR", false, nil), ("USD", true, nil),
    ] as [(String, Bool, String?)])
  func `only a price that was taken from Google's list names its month`(
    currency: String, isOwn: Bool, month: String?
  ) {
    for price in [ReadPrice.example, .unitExample] {
      var price = price
      (price.currency, price.isOwn) = (currency, isOwn)
      #expect(price.listedIn == month)
    }
  }
}
