import Jobs
import Model
import Testing
@testable import App

@Suite struct SessionFiltersTests {
  private let now = SessionStore.start
  private let filter = UserFilter(gender: .female, country: "Germany", minAge: 25, maxAge: 35)

  @Test func `saving changes the filter of its own profile, and nothing else`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    try session.updateProfile { $0.usersRefreshedAt = now }
    let before = try session.profile()
    try session.saveFilter { profile, _ in
      #expect(profile == before)
      return filter
    }
    var expected = before
    expected.filter = filter
    #expect(try session.profile() == expected)
    #expect(try workspace.session(profile: "ana").profile().filter == .none)
    #expect(try workspace.events() == [])
  }

  @Test
  func `clearing forgets the filter and when the users were fetched, without an event`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    try session.updateProfile { profile in
      profile.city = "Bonn"
      profile.filter = filter
      profile.usersRefreshedAt = now
    }
    try session.clearFilter()
    #expect(try session.profile() == Profile(city: "Bonn"))
    #expect(try workspace.events() == [])
    #expect(try workspace.state(.filter) == .initial)
  }

  static let criteria: [(UserFilter, String, Int64)] = [
    (.none, "", 0), (UserFilter(gender: .male), "gender Male", 1),
    (UserFilter(minAge: 18), "age 18+", 1), (UserFilter(maxAge: 99), "age up to 99", 1),
    (UserFilter(minAge: 25, maxAge: 35), "age 25-35", 1),
    (UserFilter(isNearbyOnly: true), "nearby", 1),
    (
      UserFilter(
        gender: .female, country: "Germany", language: "German", minAge: 20, isNearbyOnly: true),
      "gender Female, country Germany, language German, age 20+, nearby", 5
    ),
  ]

  @Test(arguments: criteria)
  func `the events of a filter say its criteria and their number`(
    filter: UserFilter, criteria: String, count: Int64
  ) throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    let start = try session.beginUse(
      .filter, now: now, owner: "100", details: filter.eventDetails)
    try session.finishUse(#require(start.ticket), succeeded: true, now: now)
    let events = try workspace.events()
    #expect(
      events.map(\.name) == [
        "ios_filter_button_tapped", "ios_filter_popup_shown", "ios_filter_performed",
      ])
    for event in events {
      #expect(event.parameters["ios_filter_criteria"] == .string(criteria))
      #expect(event.parameters["ios_filter_count"] == .integer(count))
      #expect(event.parameters["ios_filter_gender"] == .string(filter.gender?.rawValue ?? ""))
      #expect(event.parameters["ios_filter_country"] == .string(filter.country ?? ""))
      #expect(event.parameters["ios_filter_language"] == .string(filter.language ?? ""))
    }
  }
}
