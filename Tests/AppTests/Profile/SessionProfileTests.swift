import Fixtures
import Jobs
import Store
import Testing
@testable import App
@testable import Model

@Suite("A session's profile")
struct SessionProfileTests {
  @Test func `a profile that was never saved reads with its defaults`() throws {
    let workspace = try SessionStore()
    #expect(try workspace.session(profile: "ana").profile() == Profile(name: "ana"))
    #expect(try workspace.store.read { try $0.profiles() } == [])
  }

  @Test func `a change is kept, touches no other profile and cannot rename`() throws {
    let workspace = try SessionStore()
    let changed = try workspace.session(profile: "ana").updateProfile {
      $0.city = "Madrid"
      $0.name = "bob"
    }
    #expect(changed == Profile(name: "ana", city: "Madrid"))
    #expect(try workspace.session(profile: "ana").profile() == changed)
    #expect(try workspace.session().profile() == Profile())
  }

  @Test func `a change that throws stores nothing`() throws {
    let workspace = try SessionStore()
    #expect(throws: Interruption.self) {
      try workspace.session().updateProfile { profile in
        profile.city = "Madrid"
        throw Interruption()
      }
    }
    #expect(try workspace.store.read { try $0.profiles() } == [])
  }

  @Test(arguments: Tier.allCases)
  func `an upgrade queues parked moments again, a downgrade does not`(tier: Tier) throws {
    let workspace = try SessionStore()
    try workspace.store.write { writer in
      let id = try writer.enqueue(
        .moment, profile: "default", payload: "{}", at: SessionStore.start)
      try writer.park(id: id, until: nil, reason: "The total is reached.")
    }
    try workspace.session().setTier(tier)
    #expect(try workspace.session().profile().tier == tier)
    #expect(try workspace.outbox().map(\.state) == [tier.isSubscribed ? .queued : .parked])
  }

  @Test func `a profile is made once; the second attempt changes nothing`() throws {
    let workspace = try SessionStore()
    let session = workspace.session(profile: "ana")
    #expect(try session.createProfile { $0.tier = .lite } == Profile(name: "ana", tier: .lite))
    #expect(try session.createProfile { $0.tier = .pro } == nil)
    #expect(try session.profile().tier == .lite)
  }

  @Test
  func `whoever a profile says that it is, from now on, is no user of the local copy`() throws {
    let workspace = try SessionStore()
    let ids = ["u-1", "u-2", "u-3"]
    try workspace.store.write { writer in
      var rows = TableRows.users()
      for id in ids {
        rows.append(
          OnlineUser([.userId: .text(id), .name: "User"]), updateTimeMicroseconds: 1)
      }
      _ = try writer.upsert(rows, into: .onlineUsers, at: SessionStore.start)
      try writer.recordWhetherEmpty()
    }
    func left() throws -> [String] {
      try workspace.store.read { reader in try ids.filter { try reader.userExists(id: $0) } }
    }
    let session = workspace.session()
    try session.updateProfile { $0.city = "Madrid" }
    #expect(try left() == ids)
    try session.updateProfile { $0.userId = "u-2" }
    #expect(try left() == ["u-1", "u-3"])
    _ = try workspace.session(profile: "ana").createProfile { $0.userId = "u-1" }
    #expect(try left() == ["u-3"])
    #expect(try !workspace.store.read { try $0.usersWereEmptied() })
    try session.updateProfile { $0.userId = "u-3" }
    #expect(try left() == [])
    #expect(try !workspace.store.read { try $0.usersWereEmptied() }, "nobody took them away")
  }

  @Test(arguments: [false, true])
  func `signing out clears users, filter, refresh time and cursors; clearing users less`(
    keepsFilter: Bool
  ) throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    let usersKey = SyncCursor.usersKeyPrefix + "k"
    let other = Profile(
      name: "ana", filter: UserFilter(country: "Spain"), usersRefreshedAt: SessionStore.start)
    try workspace.store.write { writer in
      try writer.save(other)
      let cursor = SyncCursor(value: "{}", startedAt: SessionStore.start)
      for key in [usersKey, "k"] { try writer.setCursor(cursor, job: "load", key: key) }
      var rows = TableRows.users()
      for id in ["u-1", "u-2"] {
        rows.append(
          OnlineUser([.userId: .text(id), .name: "User"]), updateTimeMicroseconds: 1)
      }
      _ = try writer.upsert(rows, into: .onlineUsers, at: SessionStore.start)
    }
    try session.updateProfile {
      $0.tier = .plus
      $0.filter = UserFilter(country: "Spain")
      $0.usersRefreshedAt = SessionStore.start
    }
    _ = try session.use(.refresh, now: SessionStore.start)
    let events = try workspace.events()
    #expect(try session.clearUsers(keepingFilter: keepsFilter) == 2)
    let filter = keepsFilter ? UserFilter(country: "Spain") : .none
    #expect(try session.profile() == Profile(tier: .plus, filter: filter))
    #expect(try workspace.session(profile: "ana").profile() == other)
    #expect(try workspace.events() == events)
    try workspace.store.read { reader in
      let usersCount = try reader.usersCount()
      #expect(usersCount == 0)
      let gone = try reader.cursor(job: "load", key: usersKey)
      #expect(gone == nil)
      let kept = try reader.cursor(job: "load", key: "k")
      #expect(kept != nil)
    }
  }
}
