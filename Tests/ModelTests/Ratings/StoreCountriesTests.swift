import Testing

@testable import Model

@Suite struct StoreCountriesTests {
  @Test func `a store's code has a name, in capitals what has none`() {
    #expect(StoreCountries.name(of: "us") == "United States")
    #expect(StoreCountries.name(of: "zw") == "Zimbabwe")
    #expect(StoreCountries.name(of: "ae") == "United Arab Emirates")
    #expect(StoreCountries.name(of: "zz") == "ZZ")
  }

  @Test func `a country has its code under each of its names, which are its own`() {
    let names = StoreCountries.all.map(\.name)
    #expect(StoreCountries.all.filter { $0.code == "tr" }.map(\.name) == ["Türkiye", "Turkey"])
    #expect(Set(names.map { $0.lowercased() }).count == names.count)
  }

  @Test func `every name is one that a filter knows, but Kosovo, which ISO 3166 lacks`() {
    for code in Self.codes where code != "xk" {
      #expect(NameList.countries.contains(StoreCountries.name(of: code)), "\(code)")
    }
  }

  private static let letters = "abcdefghijklmnopqrstuvwxyz"

  private static let codes: [String] = letters.flatMap { first in
    letters.map { second in "\(first)\(second)" }
  }.filter { StoreCountries.name(of: $0) != $0.uppercased() }

  @Test func `Apple has 175 stores`() {
    #expect(Self.codes.count == 175)
  }
}
