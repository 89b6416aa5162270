import Model
import Testing

@Suite("Prices in words")
struct PriceTextTests {
  @Test func `the number is told from what stands around it`() throws {
    let prices: [(String, Double, String, String)] = [
      ("$2.99/week", 2.99, "$", "/week"), ("2,99 €", 2.99, "", " €"), ("3", 3, "", ""),
      ("INR 1,299 a year", 1_299, "INR ", " a year"), ("1.299,50 kr", 1_299.5, "", " kr"),
      ("$1,299.5.", 1_299.5, "$", "."), ("0.5", 0.5, "", ""),
      ("$.99/week", 0.99, "$", "/week"), ("$,99", 0.99, "$", ""), (".990 KD", 0.99, "", " KD"),
      ("Rs.299", 299, "Rs.", ""), ("KD 0.990", 0.99, "KD ", ""), ("KD 1.990", 1_990, "KD ", ""),
      ("10.990", 10_990, "", ""), ("1,299.500", 1_299.5, "", ""), ("5 - lite", 5, "", " - lite"),
      ("1 299 Ft/month", 1_299, "", " Ft/month"), ("1\u{A0}299 kr", 1_299, "", " kr"),
      ("1\u{202F}299,00 zł", 1_299, "", " zł"), ("1 234 567,5", 1_234_567.5, "", ""),
    ]
    for (text, amount, prefix, suffix) in prices {
      let price = try #require(PriceText(text), "\(text)")
      #expect(price.amount == amount && price.prefix == prefix && price.suffix == suffix, "\(text)")
    }
  }

  @Test func `the currency is what the price writes, before the amount or behind it`() throws {
    let prices: [(String, String?)] = [
      ("$2.99/week", "$"), ("2,99 €", "€"), ("3", nil), ("INR 1,299 a year", "INR"),
      ("1.299,50 kr", "kr"), ("2.99 EUR/month", "EUR"), ("3/week", nil), ("3 A YEAR", nil),
      ("3 PER WEEK", nil), ("only US$ 4", "US$"), ("Only 2.99 €", "€"), ("ONLY 2.99 €", "€"),
      ("Lite: 299 kr.", "kr"), ("($2.99)", "$"), ("Lite-$2.99", "$"), ("$2.99 USD", "$"),
      ("R99,99", "R"), ("2.99 a €", nil), ("PRO 2.99 €", "€"), ("PRO 2.99 kr", "kr"),
      ("PRO 2.99", "PRO"),
    ]
    for (text, currency) in prices {
      #expect(try #require(PriceText(text)).knownCurrency == currency, "\(text)")
    }
  }

  @Test func `the term is a word of the price, and a month is 30.4375 days`() throws {
    for (text, term, monthly) in [
      ("$7/week", PriceText.Term.week, 30.4375), ("€1 a day", .day, 30.4375),
      ("4.99 USD monthly", .month, 4.99), ("$12/yr", .year, 1), ("Weekly $7", .week, 30.4375),
    ] {
      let price = try #require(PriceText(text))
      #expect(price.term == term && price.monthly == monthly, "\(text)")
    }
    for text in ["$7", "7 EUR", "$7/weekend"] {
      #expect(PriceText(text)?.term == nil && PriceText(text)?.monthly == nil, "\(text)")
    }
  }

  @Test(arguments: [
    "2.99 week", "2.99 mo", "Lite 2.99/week", "from 2.99", "(2.99)", "week 7", "\u{663}$2.99",
  ])
  func `a word that is no currency is none`(text: String) throws {
    #expect(try #require(PriceText(text)).knownCurrency == nil)
  }

  @Test(arguments: [
    ("2,99 kr.", "kr"), ("Rs.3", "Rs"), ("R$ 3", "R$"), ("3 zł", "zł"), ("RM3", "RM"),
  ])
  func `a currency is a sign, capital letters or a known word`(
    text: String, currency: String
  ) throws {
    #expect(try #require(PriceText(text)).knownCurrency == currency)
  }

  @Test(arguments: [
    ("$3", "$"), ("EUR 3", "EUR"), ("euro 3", "euro"), ("euros 3", nil), ("3", nil),
    ("CFA$ 3", "CFA$"), ("USDT$ 3", nil), ("CFA 3", "CFA"), ("USDT 3", nil),
  ])
  func `a currency of more than four characters, or than three letters, is none`(
    text: String, currency: String?
  ) throws {
    #expect(try #require(PriceText(text)).knownCurrency == currency)
  }

  @Test(arguments: ["-$2.99", "$-2.99", "- 2.99 €", "\u{2212}.99", "\u{2013}€ 2.99"])
  func `a number below 0 is no price`(text: String) {
    #expect(PriceText(text) == nil)
  }

  @Test(arguments: [
    "", "0", "$0.00/week", "free", "$2.99 for 3 months", "1.2345.67", "12,34,567.00",
    ".00", "0.990.000", ".990,000", "1299,299", "1,299.500,00", "1 29 kr", "1 2990 kr", "1299 299",
    "0 990", "1.299 500", "1 299 50", "2,99 199", "$2.99-$4.99", "2,99 € 4,99 €",
  ])
  func `a text with no number, or with two, is no price`(text: String) {
    #expect(PriceText(text) == nil)
  }
}
