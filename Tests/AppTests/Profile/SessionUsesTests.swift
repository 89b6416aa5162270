import App
import Dispatch
import Model
import Store
import Synchronization
import Testing

@Suite("Uses that take time")
struct SessionUsesTests {
  private let now = SessionStore.start

  private func begin(
    _ session: ProfileSession, at instant: Instant = SessionStore.start, owner: String = "100"
  ) throws -> UseTicket {
    try #require(try session.beginUse(.refresh, now: instant, owner: owner).ticket)
  }

  @Test func `a granted use is reserved at once and performed when it succeeded`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    let ticket = try begin(session)
    #expect(try workspace.state().usage == 1)
    #expect(try workspace.pendingUses().map(\.owner) == ["100"])
    #expect(try !workspace.eventNames().contains("ios_refresh_performed"))

    try session.finishUse(ticket, succeeded: true, now: now + .seconds(3))
    #expect(try workspace.state().usage == 1)
    #expect(try workspace.pendingUses() == [])
    let performed = try #require(workspace.events().last)
    #expect(performed.name == "ios_refresh_performed")
    #expect(performed.at == now + .seconds(3))
    #expect(performed.parameters["ios_current_usage"] == .integer(1))
  }

  @Test func `a failed use costs nothing and is not performed`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    try session.finishUse(try begin(session), succeeded: false, now: now)
    #expect(try workspace.state() == .initial)
    #expect(try workspace.pendingUses() == [])
    #expect(
      try workspace.eventNames() == ["ios_refresh_button_tapped", "ios_refresh_popup_shown"])
  }

  @Test func `finishing twice gives back once`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    _ = try session.use(.refresh, now: now)
    let ticket = try begin(session)
    try session.finishUse(ticket, succeeded: false, now: now)
    try session.finishUse(ticket, succeeded: false, now: now)
    #expect(try workspace.state().usage == 1)
  }

  @Test func `a use under a bypass reserves nothing, and its end is still an event`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    try session.setTier(.lite)
    let ticket = try begin(session)
    #expect(try workspace.pendingUses() == [])
    try session.finishUse(ticket, succeeded: true, now: now)
    #expect(try workspace.state().usage == 0)
    #expect(try workspace.eventNames().last == "ios_refresh_performed")
  }

  @Test func `a blocked use shows the popup and reserves nothing`() throws {
    let workspace = try SessionStore()
    let session = workspace.session(set: [.refreshLimit: "1"])
    _ = try session.use(.refresh, now: now)
    let (answer, ticket) = try session.beginUse(.refresh, now: now, owner: "100")
    #expect(ticket == nil)
    #expect(answer.popup?.timeLeftText == "Time remaining: 2:00")
    #expect(try workspace.pendingUses() == [])
    #expect(try workspace.state() == LimitState(usage: 1, cooldownStartedAt: now))
  }

  @Test func `the end of a use joins the caller's transaction, and is undone with it`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    let ticket = try begin(session)
    #expect(throws: Interruption.self) {
      try workspace.store.write { writer in
        try session.updateProfile(in: writer) { $0.usersRefreshedAt = now }
        try writer.apply(
          try session.effects(ofEnding: ticket, succeeded: true, now: now, in: writer))
        throw Interruption()
      }
    }
    #expect(try workspace.pendingUses().count == 1)
    #expect(try !workspace.eventNames().contains("ios_refresh_performed"))
    #expect(try session.profile().usersRefreshedAt == nil)

    try workspace.store.write { writer in
      try session.updateProfile(in: writer) { $0.usersRefreshedAt = now }
      try writer.apply(
        try session.effects(ofEnding: ticket, succeeded: true, now: now, in: writer))
    }
    #expect(try session.profile().usersRefreshedAt == now)
    #expect(try workspace.state().usage == 1)
    #expect(try workspace.eventNames().last == "ios_refresh_performed")
  }

  @Test func `uses of dead owners are given back once, those of the living stay`() throws {
    let workspace = try SessionStore()
    _ = try begin(workspace.session(), owner: "dead")
    _ = try begin(workspace.session(profile: "ana", id: "s2"), owner: "dead")
    _ = try begin(workspace.session(id: "s3"), owner: "alive")
    let isAlive = { (owner: String) in owner == "alive" }
    #expect(try workspace.store.refundAbandonedUses(isAlive: isAlive) == 2)
    #expect(try workspace.store.refundAbandonedUses(isAlive: isAlive) == 0)
    #expect(try workspace.state().usage == 1)
    #expect(try workspace.state(profile: "ana").usage == 0)
    #expect(try workspace.pendingUses().map(\.owner) == ["alive"])
  }

  @Test
  func `whoever asks next gives back the uses of the dead, and who only looks counts them so`()
    throws
  {
    let workspace = try SessionStore()
    let isDead: @Sendable (String) throws -> Bool = { $0 != "dead" }
    _ = try workspace.session().use(.refresh, now: now)
    _ = try begin(workspace.session(), owner: "dead")
    _ = try begin(workspace.session(profile: "ana"), owner: "alive")
    let stuck = try workspace.session().peek(.refresh, now: now)
    #expect(!stuck.result.canProceed)
    let looked = try workspace.session(isOwnerAlive: isDead).peek(.refresh, now: now)
    #expect(looked.result.canProceed && looked.result.currentUsage == 1)
    #expect(looked.popup?.remainingText == "1 left")
    #expect(try workspace.state().usage == 2)
    #expect(try workspace.pendingUses().count == 2)
    let checked = try workspace.session(isOwnerAlive: isDead).check(.refresh, now: now)
    #expect(checked.result.canProceed && checked.result.currentUsage == 1)
    #expect(try workspace.state().usage == 1)
    #expect(try workspace.pendingUses().map(\.owner) == ["alive"])
    #expect(
      try workspace.session(profile: "ana", isOwnerAlive: isDead).peek(.refresh, now: now).result
        .currentUsage == 1)
  }

  @Test
  func `a use that fails after its allowance was reset leaves the new allowance alone`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    _ = try session.use(.refresh, now: now)
    let slow = try begin(session)
    _ = try session.check(.refresh, now: now)
    let later = now + .seconds(119)
    #expect(try session.use(.refresh, now: later).result.justReset)
    #expect(try workspace.pendingUses() == [])
    try session.finishUse(slow, succeeded: false, now: later)
    #expect(try workspace.state().usage == 1)
  }

  @Test(arguments: 1...10)
  func `of two processes that want the last use exactly one gets it`(round: Int) throws {
    let workspace = try SessionStore()
    _ = try workspace.session().use(.refresh, now: now)
    let stores = [try workspace.reopened(), try workspace.reopened()]
    let outcomes = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      let session = workspace.session(on: stores[index], id: "racer-\(index)")
      let outcome: String
      do {
        let ticket = try session.beginUse(.refresh, now: now, owner: "\(index)").ticket
        outcome = ticket == nil ? "blocked" : "granted"
      } catch {
        outcome = "\(error)"
      }
      outcomes.withLock { $0.append(outcome) }
    }
    #expect(outcomes.withLock { $0.sorted() } == ["blocked", "granted"])
    #expect(try workspace.state().usage == 2)
    #expect(try workspace.pendingUses().count == 1)
  }
}
