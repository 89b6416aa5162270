import Fixtures
import Model
import Testing

@Suite("Filters")
struct FilterRuleTests {
  private let ana = OnlineUser([
    .userId: "u42", .name: "Ana", .gender: "Female", .country: "Spain", .language: "Spanish",
    .age: "30", .city: "Madrid",
  ])

  private func matches(
    _ filter: UserFilter, _ change: (inout OnlineUser) -> Void = { _ in }, city: String? = "Madrid"
  ) -> Bool {
    var user = ana
    change(&user)
    var rows = TableRows.users()
    rows.append(user, updateTimeMicroseconds: 0)
    return FilterRule.matches(rows, row: 0, filter, profileCity: city)
  }

  @Test func `no criteria let everybody through, even without an age or a city`() {
    #expect(matches(.none))
    #expect(matches(.none, { $0 = OnlineUser([.userId: "u1", .name: ""]) }, city: nil))
  }

  @Test(arguments: ["Female", "female", "FEMALE"])
  func `gender is compared without case`(text: String) {
    #expect(matches(UserFilter(gender: .female), { $0[.gender] = .text(text) }))
    #expect(!matches(UserFilter(gender: .male), { $0[.gender] = .text(text) }))
  }

  @Test func `no gender matches no gender criterion`() {
    #expect(!matches(UserFilter(gender: .female), { $0[.gender] = "" }))
    #expect(!matches(UserFilter(gender: .male), { $0[.gender] = "Femalemale" }))
  }

  @Test func `country and language are compared exactly`() {
    #expect(matches(UserFilter(country: "Spain")))
    #expect(!matches(UserFilter(country: "spain")))
    #expect(!matches(UserFilter(country: "Spai")))
    #expect(matches(UserFilter(language: "Spanish")))
    #expect(!matches(UserFilter(language: "English")))
  }

  @Test func `an accent in two scalars is another text, as for SQLite and Firestore`() {
    let filter = UserFilter(country: "R\u{E9}union", isNearbyOnly: true)
    for (text, expected) in [("R\u{E9}union", true), ("Re\u{301}union", false)] {
      #expect(matches(filter, { $0[.country] = .text(text) }) == expected)
      #expect(
        matches(UserFilter(isNearbyOnly: true), { $0[.city] = .text(text) }, city: "R\u{E9}union")
          == expected)
    }
  }

  @Test(arguments: [
    ("24", false), ("25", true), ("26", true), ("34", true), ("35", true), ("36", false),
  ])
  func `age bounds are inclusive`(age: String, expected: Bool) {
    #expect(matches(UserFilter(minAge: 25, maxAge: 35), { $0[.age] = .text(age) }) == expected)
  }

  @Test func `either age bound works alone`() {
    #expect(matches(UserFilter(minAge: 30)))
    #expect(!matches(UserFilter(minAge: 31)))
    #expect(matches(UserFilter(maxAge: 30)))
    #expect(!matches(UserFilter(maxAge: 29)))
  }

  @Test(arguments: ["", "old", "30.0", " 30"])
  func `who has no readable age matches no age criterion`(age: String) {
    #expect(!matches(UserFilter(minAge: 18), { $0[.age] = .text(age) }))
    #expect(!matches(UserFilter(maxAge: 99), { $0[.age] = .text(age) }))
    #expect(matches(UserFilter(country: "Spain"), { $0[.age] = .text(age) }))
  }

  @Test func `nearby means the profile's own city`() {
    let filter = UserFilter(isNearbyOnly: true)
    #expect(matches(filter))
    #expect(!matches(filter, { $0[.city] = "Lisbon" }))
    #expect(!matches(filter, { $0[.city] = "" }, city: ""))
    #expect(!matches(filter, city: nil))
  }

  @Test func `all criteria must hold: one that fails is enough`() {
    let filter = UserFilter(
      gender: .female, country: "Spain", language: "Spanish", minAge: 18, maxAge: 40,
      isNearbyOnly: true)
    #expect(matches(filter))
    #expect(!matches(filter, { $0[.gender] = "Male" }))
    #expect(!matches(filter, { $0[.country] = "Italy" }))
    #expect(!matches(filter, { $0[.language] = "Italian" }))
    #expect(!matches(filter, { $0[.age] = "41" }))
    #expect(!matches(filter, { $0[.city] = "Rome" }))
  }
}
