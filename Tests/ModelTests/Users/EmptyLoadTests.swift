import Model
import Testing

@Suite("What is said of a load that stored nothing")
struct EmptyLoadTests {
  @Test func `a filter is told by its conditions, in their order`() {
    #expect(
      EmptyLoad.sentence(about: UserFilter(country: "Tuvalu"), city: nil)
        == "Nothing was stored: no user matches country = Tuvalu.")
    let all = UserFilter(
      gender: .female, country: "Chile", language: "Spanish", minAge: 20, maxAge: 30,
      isNearbyOnly: true)
    #expect(
      all.conditions(city: "Lima") == [
        "gender = Female", "country = Chile", "language = Spanish", "age >= 20", "age <= 30",
        "city = Lima",
      ])
    #expect(UserFilter.none.conditions(city: "Lima").isEmpty)
  }

  @Test func `an empty collection is told with the names that are like its own`() {
    func sentence(_ siblings: [String]?) -> String {
      EmptyLoad.sentence(
        aboutEmpty: "the collection Oders", id: "Oders", siblings: siblings, of: "the database")
    }
    #expect(
      sentence(["Events", "Orders", "Users"])
        == "Nothing was stored: the collection Oders is empty; similar names: Orders.")
    #expect(
      sentence(["Events", "Users"])
        == "Nothing was stored: the collection Oders is empty; the database holds Events, Users.")
    #expect(
      sentence([])
        == "Nothing was stored: the collection Oders is empty; the database holds nothing else.")
    #expect(sentence(nil) == "Nothing was stored: the collection Oders is empty.")
  }

  @Test(arguments: [(5, ""), (6, " and 1 more")])
  func `at most five names are listed`(count: Int, end: String) {
    let names = (1...count).map { "Collection\($0)" }
    let listed = names.prefix(5).joined(separator: ", ")
    #expect(EmptyLoad.hint(for: "x", among: names, of: "it") == "; it holds \(listed)\(end)")
  }

  @Test func `the name itself is no other`() {
    #expect(EmptyLoad.hint(for: "Orders", among: ["Orders"], of: "it") == "; it holds nothing else")
  }
}
