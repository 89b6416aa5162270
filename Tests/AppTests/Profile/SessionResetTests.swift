import Jobs
import Model
import Store
import Testing
@testable import App

@Suite("A session's resets by hand")
struct SessionResetTests {
  private let now = SessionStore.start

  @Test
  func `a reset ends the cooldown and empties the count of what is named, and of nothing else`()
    throws
  {
    let workspace = try SessionStore()
    let session = workspace.session()
    for _ in 1...3 { _ = try session.use(.refresh, now: now) }
    _ = try session.use(.filter, now: now)
    _ = try workspace.session(profile: "ana").use(.refresh, now: now)
    let answers = try session.reset([.refresh], now: now + .seconds(5))
    #expect(answers.map(\.popup?.remainingText) == ["2 left"])
    #expect(try workspace.state(.refresh) == .initial)
    #expect(try workspace.state(.filter).usage == 1)
    #expect(try workspace.state(.refresh, profile: "ana").usage == 1)
  }

  @Test func `it leaves one event a feature, which says that a person did it, and no tap`() throws {
    let workspace = try SessionStore()
    try workspace.session().reset([.search, .refresh], now: now)
    let events = try workspace.events()
    #expect(events.map(\.name) == ["ios_search_limit_reset", "ios_refresh_limit_reset"])
    for event in events {
      #expect(event.parameters["ios_reset_reason"] == .string("manual"))
      #expect(event.parameters["ios_current_usage"] == .integer(0))
    }
  }

  @Test
  func `a running use is settled: when it fails, the fresh allowance neither loses nor gains`()
    throws
  {
    let workspace = try SessionStore()
    let session = workspace.session()
    let start = try session.beginUse(.refresh, now: now, owner: "me")
    let ticket = try #require(start.ticket)
    _ = try session.beginUse(.filter, now: now, owner: "me")
    try session.reset([.refresh], now: now)
    #expect(try workspace.pendingUses().map(\.feature) == [.filter])
    _ = try session.use(.refresh, now: now)
    try session.finishUse(ticket, succeeded: false, now: now)
    #expect(try workspace.state(.refresh).usage == 1)
  }

  @Test func `no feature, no change: not even an event`() throws {
    let workspace = try SessionStore()
    #expect(try workspace.session().reset([], now: now) == [])
    #expect(try workspace.events() == [])
  }
}
