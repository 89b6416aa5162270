import Testing

@testable import Model

/// Amounts in the smallest unit; docs/purchases.md#columns.
@Suite struct CurrencyAmountTests {
  @Test(arguments: [
    ("9.99", "USD", 999), ("9.994", "USD", 999), ("9.995", "USD", 1_000), ("-9.995", "USD", -1_000),
    ("4.989999771118164", "USD", 499), ("0", "USD", 0), ("-0.0", "USD", 0), (".5", "USD", 50),
    ("1e2", "USD", 10_000), ("1.5E-1", "USD", 15), ("0.004", "USD", 0), ("0.005", "USD", 1),
    ("1500", "JPY", 1_500), ("1500.4", "JPY", 1_500), ("1499.5", "JPY", 1_500),
    ("3.1", "KWD", 3_100), ("3.1005", "KWD", 3_101), ("1.23456", "CLF", 12_346),
    ("7", "XXX", 700), ("999999999999999", "JPY", 999_999_999_999_999), ("0e99", "USD", 0),
    ("1e-99", "USD", 0),
  ])
  func `a decimal number is rounded to the currency's digits`(
    text: String, currency: String, expected: Int64
  ) {
    #expect(CurrencyAmount(decimal: text.utf8, currency: currency)?.amount == expected)
  }

  @Test(arguments: [
    ("", "USD"), ("-", "USD"), ("1.", "USD"), (".", "USD"), ("1,5", "USD"), ("1.2.3", "USD"),
    ("1e", "USD"), ("1e100", "USD"), ("+1", "USD"), (" 1", "USD"), ("NaN", "USD"), ("1", "usd"),
    ("1", "US"), ("1", "USDX"), ("1", "$"), ("99999999999999999999", "USD"),
  ])
  func `anything else is no amount`(text: String, currency: String) {
    #expect(CurrencyAmount(decimal: text.utf8, currency: currency) == nil)
  }

  @Test(arguments: [
    (10_990, "USD", 1_099), (10_995, "USD", 1_100), (10_994, "USD", 1_099), (120_000, "JPY", 120),
    (3_100, "KWD", 3_100), (0, "EUR", 0),
  ])
  func `thousandths of a currency become its smallest units`(
    thousandths: Int64, currency: String, expected: Int64
  ) {
    #expect(CurrencyAmount(thousandths: thousandths, currency: currency)?.amount == expected)
  }

  @Test(
    arguments: [
      (999, 300_000_000, 699), (999, 0, 999), (999, 1_000_000_000, 0), (-999, 300_000_000, -699),
      (1, 500_000_000, 1), (-1, 500_000_000, -1), (1, 500_000_001, 0),
      (.max, 0, .max), (999_999_999_999_999, 500_000_000, 500_000_000_000_000),
    ] as [(Int64, Int64, Int64)])
  func `a share is taken to the unit, half away from zero`(
    amount: Int64, share: Int64, expected: Int64
  ) {
    let price = CurrencyAmount(amount: amount, currency: "USD")
    #expect(price.without(billionths: share)?.amount == expected)
  }

  @Test(arguments: [-1, 1_000_000_001]) func `a share beyond the whole is none`(share: Int64) {
    #expect(CurrencyAmount(amount: 1, currency: "USD").without(billionths: share) == nil)
  }
}
