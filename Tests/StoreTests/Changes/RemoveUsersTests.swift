import Fixtures
import StoreTesting
import Testing

@testable import Model
@testable import Store

@Suite struct RemoveUsersTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  @Test(arguments: [
    ("", "Ann", true), ("ab", "Ann", true), ("abc", "Ann", false), ("abc", "", true),
    ("abc", "A", false), ("x_ad_1", "Ann", true), ("_ad_", "Ann", true), ("x_AD_1", "Ann", false),
    ("x-ad-1", "Ann", false), ("roadie", "Ann", false), ("vladimir", "_ad_", false),
  ])
  func `a row is corrupted by its id or its name`(
    id: String, name: String, isCorrupted: Bool
  ) throws {
    try store.merge([OnlineUser([.userId: .text(id), .name: .text(name)])])
    #expect(try store.write { try $0.removeCorruptedUsers() } == (isCorrupted ? 1 : 0))
    #expect(try store.read { try $0.usersCount() } == (isCorrupted ? 0 : 1))
  }

  @Test(arguments: [true, false])
  func `removed rows make every profile's next load a first one, no row removed leaves all`(
    isCorrupted: Bool
  ) throws {
    try store.merge([
      OnlineUser([.userId: isCorrupted ? "ab" : "abc", .name: "Ann"]), .numbered(1),
    ])
    let filter = UserFilter(country: "Spain")
    for name in ["default", "ana"] {
      let profile = Profile(name: name, filter: filter, usersRefreshedAt: .morning)
      try store.write { try $0.save(profile) }
    }
    try store.write { _ = try $0.removeCorruptedUsers() }
    for profile in try store.read({ try $0.profiles() }) {
      #expect(profile.usersRefreshedAt == (isCorrupted ? nil : .morning))
      #expect(profile.filter == filter)
    }
  }

  @Test func `removing everybody says how many those were`() throws {
    try store.merge((1...7).map { .numbered($0) })
    #expect(try store.write { try $0.deleteAllUsers() } == 7)
    #expect(try store.write { try $0.deleteAllUsers() } == 0)
  }

  @Test func `a new user never gets the id of a removed one`() throws {
    try store.merge([.numbered(1)])
    try store.write { _ = try $0.deleteAllUsers() }
    try store.merge([.numbered(2)])
    #expect(try store.read { try $0.reader.count("SELECT id FROM OnlineUsers") } == 2)
  }
}
