import Jobs
import Store
import Testing

@testable import App
@testable import Model

/// What moments leave in the ledger: docs/moments.md#events.
@Suite struct SessionPaywallTests {
  private func events(_ workspace: SessionStore) throws -> [Event] {
    var events: [Event] = []
    try workspace.store.read { try $0.forEachEvent { events.append($0) } }
    return events
  }

  @Test func `a moment leaves an event with the counts before it`() throws {
    let workspace = try SessionStore()
    for second in 0..<2 {
      _ = try workspace.session().addMoment(
        "a", clientId: "id\(second)", now: SessionStore.start + .seconds(second))
    }
    let events = try events(workspace)
    #expect(events.map(\.name) == ["moment_added", "moment_added"])
    #expect(events.map { $0.parameters["ios_moments_today"] } == [.integer(0), .integer(1)])
    #expect(events.allSatisfy { $0.parameters["ios_subscription_status"] == .string("free") })
    #expect(events.allSatisfy { $0.parameters["ios_paywall_trigger"] == nil })
  }

  @Test func `a refused moment leaves the refusal and the paywall, a wrong text nothing`() throws {
    let workspace = try SessionStore()
    try workspace.store.write {
      try $0.setReachedMomentLimits(
        ReachedMomentLimits(isTotalLimitReached: true), profile: "default")
    }
    _ = try workspace.session().addMoment("", clientId: "id", now: SessionStore.start)
    #expect(try events(workspace).isEmpty)
    _ = try workspace.session().addMoment("a", clientId: "id", now: SessionStore.start)
    let events = try events(workspace)
    #expect(events.map(\.name) == ["moment_refused", "paywall_shown"])
    #expect(
      events.allSatisfy { $0.parameters["ios_paywall_trigger"] == .string("total_limit_reached") })
  }

  @Test func `the offer leaves an event, the card of thanks none`() throws {
    let workspace = try SessionStore()
    _ = try workspace.session().showPaywall(now: SessionStore.start)
    #expect(try events(workspace).map(\.name) == ["paywall_shown"])
    try workspace.session().setTier(.lite)
    #expect(try workspace.session().showPaywall(now: SessionStore.start).tier == .lite)
    #expect(try events(workspace).count == 1)
  }

  @Test func `another tier leaves an event, the same one none`() throws {
    let workspace = try SessionStore()
    for tier in [Tier.free, .lite, .lite, .free] {
      try workspace.session().changeTier(tier, now: SessionStore.start)
    }
    let events = try events(workspace)
    #expect(events.map(\.name) == ["tier_changed", "tier_changed"])
    #expect(
      events.map { $0.parameters["ios_previous_subscription_status"] }
        == [.string("free"), .string("lite")])
  }
}
