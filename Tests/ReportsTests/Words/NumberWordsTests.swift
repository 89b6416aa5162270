import Model
import Testing

@testable import Reports

@Suite struct NumberWordsTests {
  @Test(arguments: [
    (0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "−1,234,567"),
    (Int.min, "−9,223,372,036,854,775,808"),
  ])
  func `thousands are grouped`(number: Int, expected: String) {
    #expect(NumberWords.grouped(number) == expected)
  }

  @Test(arguments: [
    (3.836, 2, "3.84"), (3, 2, "3.00"), (0.05, 1, "0.1"), (-0.001, 2, "0.00"),
    (1_234.5, 1, "1,234.5"), (Double.infinity, 1, "inf"), (0.06, 4, "0.0600"),
  ])
  func `decimals are exact in number`(number: Double, places: Int, expected: String) {
    #expect(NumberWords.decimal(number, places: places) == expected)
  }

  @Test(arguments: [
    (-5, "0 s"), (0, "0 s"), (59.9, "59 s"), (60, "1 min"), (5_399, "89 min"), (5_400, "1 hour"),
    (7_200, "2 hours"), (172_799, "47 hours"), (172_800, "2 days"), (864_000, "10 days"),
  ])
  func `a distance has one unit`(seconds: Double, expected: String) {
    #expect(NumberWords.roughly(seconds: seconds) == expected)
  }

  @Test(arguments: [
    (0, "0.00 s"), (9.99, "9.99 s"), (10, "10.0 s"), (59.94, "59.9 s"), (60, "1 min"),
    (61, "1 min 1 s"),
    (3_599, "59 min 59 s"), (3_600, "1 h"), (3_660, "1 h 1 min"),
  ])
  func `a duration has the digits that matter`(seconds: Double, expected: String) {
    #expect(NumberWords.duration(seconds: seconds) == expected)
  }

  @Test(arguments: [
    ("$", "$14.95"), ("€", "€14.95"), ("US$", "US$14.95"), ("kr", "14.95 kr"), ("", "14.95"),
  ])
  func `a sign stands before an amount, letters behind it`(currency: String, expected: String) {
    #expect(NumberWords.money(Money(amount: 14.95, currency: currency)) == expected)
  }

  @Test(arguments: [
    (-14.95, "−$14.95"), (-0.22, "−$0.22"), (-0.2201, "−$0.22"), (-0.009, "−$0.009000"),
    (-0.000_000_1, "$0.000000"),
  ])
  func `a sign stands behind a minus`(amount: Double, expected: String) {
    #expect(NumberWords.money(Money(amount: amount, currency: "$")) == expected)
  }

  @Test(arguments: [(120, "2:00"), (119.001, "2:00"), (8.2, "0:09"), (0, "0:00"), (-5, "0:00")])
  func `a countdown is rounded up to the second`(seconds: Double, expected: String) {
    #expect(NumberWords.countdown(seconds: seconds) == expected)
  }

  @Test(arguments: [
    (0, "0 CHF"), (0.000_000_6, "0.000001 CHF"), (0.009_999, "0.009999 CHF"),
    (0.009_999_4, "0.009999 CHF"), (0.009_999_9, "0.01 CHF"), (0.01, "0.01 CHF"),
    (0.010_001, "0.01 CHF"), (0.29, "0.29 CHF"), (0.289_999, "0.29 CHF"), (0.290_1, "0.29 CHF"),
    (0.295_1, "0.30 CHF"), (0.99, "0.99 CHF"), (0.999_9, "1.00 CHF"), (1, "1.00 CHF"),
    (1_234.5, "1,234.50 CHF"),
  ])
  func `an amount has two decimals, and six below a cent`(amount: Double, expected: String) {
    #expect(NumberWords.money(Money(amount: amount, currency: "CHF")) == expected)
  }

  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (1_049, "1.0 kB"), (1_050, "1.1 kB"),
      (9_949, "9.9 kB"), (9_950, "10 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"),
      (67_108_864, "67 MB"), (2_000_000_000_000, "2.0 TB"), (5_000_000_000_000_000, "5000 TB"),
      (-1_500, "-1.5 kB"),
    ] as [(Int64, String)])
  func `sizes are told in the largest unit that fits`(bytes: Int64, text: String) {
    #expect(NumberWords.bytes(bytes) == text)
  }

  @Test(arguments: [
    (0.6, 2, "+0.60"), (-0.6, 2, "−0.60"), (0, 2, "0.00"), (-1.25, 1, "−1.3"), (1, 0, "+1"),
  ])
  func `a difference has its sign, and nothing has none`(
    number: Double, places: Int, words: String
  ) {
    #expect(NumberWords.signed(number, places: places) == words)
  }

  @Test(arguments: [
    (385, 325, "−0.60 from 3.85"), (325, 385, "+0.60 from 3.25"), (325, 325, "±0.00 from 3.25"),
  ])
  func `a mean changes by what is shown of it`(then: Int, now: Int, words: String) {
    #expect(
      NumberWords.change(from: Mean(total: then, count: 100), to: Mean(total: now, count: 100))
        == words)
  }

  @Test func `only one is singular`() {
    #expect(NumberWords.counted(1, "day") == "1 day")
    #expect(NumberWords.counted(0, "day") == "0 days")
    #expect(NumberWords.counted(2, "person", "people") == "2 people")
  }
}
