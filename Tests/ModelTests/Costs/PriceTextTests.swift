import Model
import Testing

@Suite("Prices in words")
struct PriceTextTests {
  @Test func `the number is told from what stands around it`() throws {
    for (text, amount, prefix, suffix) in [
      ("$2.99/week", 2.99, "$", "/week"), ("2,99 €", 2.99, "", " €"), ("3", 3, "", ""),
      ("INR 1,299 a year", 1_299, "INR ", " a year"), ("1.299,50 kr", 1_299.5, "", " kr"),
      ("$1,299.5.", 1_299.5, "$", "."), ("0.5", 0.5, "", ""), ("$.99", 99, "$.", ""),
    ] {
      let price = try #require(PriceText(text), "\(text)")
      #expect(price.amount == amount && price.prefix == prefix && price.suffix == suffix, "\(text)")
    }
  }

  @Test func `the currency is what the price writes, before the amount or behind it`() throws {
    for (text, currency) in [
      ("$2.99/week", "$"), ("2,99 €", "€"), ("3", ""), ("INR 1,299 a year", "INR"),
      ("1.299,50 kr", "kr"), ("2.99 EUR/month", "EUR"), ("3/week", ""), ("3 a year", ""),
      ("3 per week", ""), ("only US$ 4", "US$"),
    ] {
      #expect(try #require(PriceText(text)).currency == currency, "\(text)")
    }
  }

  @Test(arguments: ["", "free", "$2.99 for 3 months", "1.2345.67", "12,34,567.00"])
  func `a text with no number, or with two, is no price`(text: String) {
    #expect(PriceText(text) == nil)
  }
}
