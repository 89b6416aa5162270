import Testing

@testable import Model

@Suite struct StoreCountriesTests {
  @Test("a store's code has a name, in capitals what has none")
  func names() {
    #expect(StoreCountries.name(of: "us") == "United States")
    #expect(StoreCountries.name(of: "zw") == "Zimbabwe")
    #expect(StoreCountries.name(of: "ae") == "United Arab Emirates")
    #expect(StoreCountries.name(of: "zz") == "ZZ")
  }

  @Test("a country has its code by any of its names, in any case")
  func codes() {
    for name in ["Türkiye", "türkiye", "Turkey", "TURKEY"] {
      #expect(StoreCountries.code(of: name) == "tr")
    }
    #expect(StoreCountries.code(of: "Antarctica") == nil)
    #expect(StoreCountries.code(of: "") == nil)
  }

  @Test("every name is one that a filter knows, but Kosovo, which ISO 3166 lacks")
  func known() {
    let known = Set(CountryNames.text.split(separator: "; ").map(String.init))
    for code in Self.codes where code != "xk" {
      #expect(known.contains(StoreCountries.name(of: code)), "\(code)")
      #expect(StoreCountries.code(of: StoreCountries.name(of: code)) == code)
    }
  }

  private static let letters = "abcdefghijklmnopqrstuvwxyz"

  private static let codes: [String] = letters.flatMap { first in
    letters.map { second in "\(first)\(second)" }
  }.filter { StoreCountries.name(of: $0) != $0.uppercased() }

  @Test("Apple has 175 stores")
  func count() {
    #expect(Self.codes.count == 175)
  }
}
