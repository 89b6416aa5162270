import Testing

@testable import Model

@Suite struct ScientificNumberTests {
  @Test(
    arguments: [
      ("0", 0), ("-0.0", 0), ("1.0", 1), ("1.5e1", 15), ("-1.5E+1", -15), ("1500e-2", 15),
      ("0e99999", 0), ("9.223372036854775807e18", .max), ("-9223372036854775808", .min),
      ("1e18", 1_000_000_000_000_000_000),
    ] as [(String, Int64)])
  func `a fraction or an exponent may make a whole number`(text: String, number: Int64) {
    #expect(ScientificNumber.integer(text.utf8) == number)
  }

  @Test(arguments: [
    "", "-", "x", "1.5", "15e-2", "1e19", "1e-1", "9223372036854775808", "1e99999999999", "1ee1",
    "1.1.0",
  ])
  func `nothing else is one`(text: String) {
    #expect(ScientificNumber.integer(text.utf8) == nil)
  }
}
