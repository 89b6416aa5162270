import Fixtures
import StoreTesting
import Testing

@testable import Model
@testable import Store

@Suite struct ProfileStateTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private let full = Profile(
    name: "work", userId: "u'1", tier: .plus, city: "Zürich", gender: "Female", country: "Chile",
    appVersion: "2.1", firstAccountCreatedAt: Instant(microseconds: 1_700_000_000_123_456),
    timeZone: "Europe/Zurich", price: "$2.99/week",
    filter: UserFilter(
      gender: .female, country: "Japan", language: "German", minAge: 18, maxAge: 99,
      isNearbyOnly: true),
    usersRefreshedAt: .morning,
    rating: RatingCounters(sent: -999_999_999, received: 4, tries: 2))

  @Test func `a profile comes back with everything it had, and with nothing it had not`() throws {
    let empty = Profile(name: "empty")
    try store.write { try $0.save(full) }
    try store.write { try $0.save(empty) }
    #expect(try store.read { try $0.profile(named: "work") } == full)
    #expect(try store.read { try $0.profile(named: "empty") } == empty)
    #expect(try store.read { try $0.profile(named: "none") } == nil)
  }

  @Test func `saving again replaces the whole profile`() throws {
    try store.write { try $0.save(full) }
    var changed = Profile(name: "work")
    changed.tier = .pro
    try store.write { try $0.save(changed) }
    #expect(try store.read { try $0.profiles() } == [changed])
  }

  @Test func `the default profile comes first, then the others by name`() throws {
    for name in ["zoe", "amy", "default"] { try store.write { try $0.save(Profile(name: name)) } }
    #expect(try store.read { try $0.profiles().map(\.name) } == ["default", "amy", "zoe"])
  }

  @Test func `features and profiles never touch each other's limit state`() throws {
    let state = LimitState(usage: 2, cooldownStartedAt: Instant(microseconds: 1_500_000))
    try store.write { try $0.setLimitState(state, profile: "a", feature: .refresh) }
    try store.read { reader throws in
      #expect(try reader.limitState(profile: "a", feature: .refresh) == state)
      for feature in Feature.allCases where feature != .refresh {
        #expect(try reader.limitState(profile: "a", feature: feature) == .initial)
      }
      #expect(try reader.limitState(profile: "b", feature: .refresh) == .initial)
      #expect(try reader.limitStates(profile: "a") == [.refresh: state])
    }
    try store.write { try $0.setLimitState(.initial, profile: "a", feature: .refresh) }
    #expect(try store.read { try $0.limitState(profile: "a", feature: .refresh) } == .initial)
  }

  @Test func `a pending use is listed until one of two finishes it`() throws {
    let id = try store.write {
      try $0.beginPendingUse(
        profile: "default", feature: .refresh, at: .morning, owner: "host:42")
    }
    #expect(
      try store.read { try $0.pendingUses() } == [
        PendingUse(
          id: id, profile: "default", feature: .refresh, startedAt: .morning, owner: "host:42")
      ])
    #expect(try store.write { try $0.finishPendingUse(id: id) })
    #expect(try store.write { try $0.finishPendingUse(id: id) } == false)
    #expect(try store.read { try $0.pendingUses() } == [])
  }

  @Test func `the id of a finished use is never given again`() throws {
    let ids = try (0..<3).map { _ in
      try store.write { writer in
        let id = try writer.beginPendingUse(
          profile: "default", feature: .filter, at: .morning, owner: "x")
        try writer.finishPendingUse(id: id)
        return id
      }
    }
    #expect(Set(ids).count == 3)
  }
}
