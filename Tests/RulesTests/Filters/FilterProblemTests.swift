import Model
import Rules
import Testing

@Suite("Filters that cannot be applied")
struct FilterProblemTests {
  private func problems(_ filter: UserFilter, city: String? = "Madrid") -> [String] {
    FilterRule.problems(of: filter, profileCity: city).map(\.description)
  }

  @Test("an empty filter has no problem")
  func none() {
    #expect(problems(.none, city: nil) == [])
  }

  @Test(
    "ages run from 18 to 99",
    arguments: [(17, false), (18, true), (98, true), (99, true), (100, false), (-1, false)])
  func range(age: Int, isFine: Bool) {
    #expect(
      problems(UserFilter(minAge: age))
        == (isFine ? [] : ["Min age should be an integer from 18 to 99"]))
    #expect(
      problems(UserFilter(maxAge: age))
        == (isFine ? [] : ["Max age should be an integer from 18 to 99"]))
  }

  @Test("the maximum must be above the minimum", arguments: [(25, false), (30, false), (31, true)])
  func order(maxAge: Int, isFine: Bool) {
    #expect(
      problems(UserFilter(minAge: 30, maxAge: maxAge))
        == (isFine ? [] : ["Max age should be greater than min"]))
  }

  @Test("nearby without a city says how to set one", arguments: [nil, ""])
  func nearby(city: String?) {
    #expect(
      problems(UserFilter(isNearbyOnly: true), city: city) == [
        "Nearby needs your own city, which is not known: set it with "
          + "'firetally profile set --city NAME'"
      ])
    #expect(problems(UserFilter(isNearbyOnly: true)) == [])
  }

  @Test("all problems are told at once")
  func together() {
    #expect(
      FilterRule.problems(
        of: UserFilter(minAge: 100, maxAge: 5, isNearbyOnly: true), profileCity: nil)
        == [
          .ageOutOfRange(bound: "Min"), .ageOutOfRange(bound: "Max"), .agesOutOfOrder,
          .cityUnknown,
        ])
  }
}
