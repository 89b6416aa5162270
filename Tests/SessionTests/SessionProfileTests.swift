import Model
import Session
import Store
import Testing

@Suite("A session's profile")
struct SessionProfileTests {
  @Test("a profile that was never saved reads with its defaults")
  func defaults() throws {
    let workspace = try Workspace()
    #expect(try workspace.session(profile: "ana").profile() == Profile(name: "ana"))
    #expect(try workspace.store.read { try $0.profiles() } == [])
  }

  @Test("a change is kept, touches no other profile and cannot rename")
  func update() throws {
    let workspace = try Workspace()
    let changed = try workspace.session(profile: "ana").updateProfile {
      $0.city = "Madrid"
      $0.name = "bob"
    }
    #expect(changed == Profile(name: "ana", city: "Madrid"))
    #expect(try workspace.session(profile: "ana").profile() == changed)
    #expect(try workspace.session().profile() == Profile())
  }

  @Test("a change that throws stores nothing")
  func failure() throws {
    let workspace = try Workspace()
    #expect(throws: Interruption.self) {
      try workspace.session().updateProfile { profile in
        profile.city = "Madrid"
        throw Interruption()
      }
    }
    #expect(try workspace.store.read { try $0.profiles() } == [])
  }

  @Test("an upgrade queues parked moments again, a downgrade does not", arguments: Tier.allCases)
  func tier(tier: Tier) throws {
    let workspace = try Workspace()
    try workspace.store.write { writer in
      let id = try writer.enqueue(
        .moment, profile: "default", payload: "{}", at: Workspace.start)
      try writer.park(id: id, until: nil, reason: "The total is reached.")
    }
    try workspace.session().setTier(tier)
    #expect(try workspace.session().profile().tier == tier)
    #expect(try workspace.outbox().map(\.state) == [tier.isSubscribed ? .queued : .parked])
  }
}
