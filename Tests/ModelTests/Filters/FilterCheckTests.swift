import Model
import Testing

@Suite("Filters that cannot be applied")
struct FilterCheckTests {
  private func problems(_ filter: UserFilter, city: String? = "Madrid") -> [String] {
    FilterCheck(filter, profileCity: city).problems.map(\.description)
  }

  @Test func `an empty filter has no problem`() {
    #expect(problems(.none, city: nil) == [])
    #expect(FilterCheck(.none, profileCity: nil).filter == .none)
  }

  @Test(arguments: [
    (17, false), (18, true), (98, true), (99, true), (100, false), (-1, false), (.max, false),
  ])
  func `ages run from 18 to 99`(age: Int, isFine: Bool) {
    #expect(
      problems(UserFilter(minAge: age))
        == (isFine ? [] : ["Min age should be an integer from 18 to 99."]))
    #expect(
      problems(UserFilter(maxAge: age))
        == (isFine ? [] : ["Max age should be an integer from 18 to 99."]))
  }

  @Test(arguments: [(25, false), (29, false), (30, true), (31, true)])
  func `the maximum must not be below the minimum`(maxAge: Int, isFine: Bool) {
    #expect(
      problems(UserFilter(minAge: 30, maxAge: maxAge))
        == (isFine ? [] : ["Max age should be greater than min."]))
  }

  @Test(arguments: [nil, ""])
  func `nearby without a city says how to find or set one`(city: String?) {
    #expect(
      problems(UserFilter(isNearbyOnly: true), city: city) == [
        "Nearby needs the profile's city, which is unknown. Find it with `firetally profile locate`, "
          + "or set it with `firetally profile set --city NAME`."
      ])
    #expect(problems(UserFilter(isNearbyOnly: true)) == [])
  }

  @Test func `names that nobody knows are refused, with those that may be meant`() {
    #expect(
      problems(UserFilter(country: "Germny", language: "Alien")) == [
        "Please select a valid country from the list. Closest: Germany.",
        "Please select a valid language from the list. "
          + "`firetally filter suggest language TEXT` searches it.",
      ])
    #expect(problems(UserFilter(country: "Germany", language: "German")) == [])
  }

  @Test func `the checked filter has the names as the lists write them, and the rest as it was`() {
    let check = FilterCheck(
      UserFilter(
        gender: .male, country: "gerMANY", language: "klingon", minAge: 18, maxAge: 99,
        isNearbyOnly: true),
      profileCity: "Bonn", languages: NameList(["Klingon"]))
    #expect(check.problems == [])
    #expect(
      check.filter
        == UserFilter(
          gender: .male, country: "Germany", language: "Klingon", minAge: 18, maxAge: 99,
          isNearbyOnly: true))
  }

  @Test func `all problems are told at once`() {
    let check = FilterCheck(
      UserFilter(
        country: "Atlantis", language: "Atlantean", minAge: 100, maxAge: 5, isNearbyOnly: true),
      profileCity: nil, countries: NameList([]), languages: NameList([]))
    #expect(
      check.problems == [
        .unknownCountry(closest: []), .unknownLanguage(closest: []), .ageOutOfRange(bound: "Min"),
        .ageOutOfRange(bound: "Max"), .agesOutOfOrder, .cityUnknown,
      ])
  }
}
