import Foundation
import Jobs
import Store
import Testing

@testable import App
@testable import Model

@Suite("A session's moments")
struct SessionMomentsTests {
  private static let id = "6f9619ff-8b86-4011-b42d-00c04fc964ff"

  private func reached(_ workspace: SessionStore, profile: String = "default") throws
    -> ReachedMomentLimits
  {
    try workspace.store.read { try $0.reachedMomentLimits(profile: profile) }
  }

  private func setReached(_ reached: ReachedMomentLimits, _ workspace: SessionStore) throws {
    try workspace.store.write { try $0.setReachedMomentLimits(reached, profile: "default") }
  }

  private let both = ReachedMomentLimits(
    dailyLimitDay: "2026-01-31", dailyLimit: 3, isTotalLimitReached: true, totalLimit: 10)

  @Test func `a moment is queued with what its delivery needs`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    try session.updateProfile {
      $0.userId = "u1"
      $0.timeZone = "Asia/Tokyo"
    }
    let answer = try session.addMoment(
      " I walked 🌱 ", clientId: Self.id, timeAgo: 90, now: SessionStore.start)
    let moment = Moment(
      clientId: Self.id, text: "I walked 🌱", submittedAt: SessionStore.start, tz: "Asia/Tokyo",
      timeAgo: 90, userId: "u1")
    let item = try #require(try workspace.outbox().first)
    #expect(answer == .queued(moment, outboxId: item.id))
    #expect((item.kind, item.state, item.createdAt) == (.moment, .queued, SessionStore.start))
    let payload = try JSONDecoder().decode(Moment.self, from: Data(item.payload.utf8))
    #expect(payload == moment)
  }

  @Test(arguments: ["", "  \n"])
  func `a text that cannot be is refused and stores nothing`(text: String) throws {
    let workspace = try SessionStore()
    let answer = try workspace.session().addMoment(text, clientId: Self.id, now: SessionStore.start)
    #expect(answer == .refused("A moment needs a text of 1 to 1000 characters."))
    #expect(try workspace.outbox().isEmpty)
  }

  @Test func `a known limit blocks a free profile with the paywall, and stores nothing`() throws {
    let workspace = try SessionStore()
    let session = workspace.session(set: [.freeMomentsTotal: "7"])
    let allowance = MomentAllowance(session.settings)
    try setReached(ReachedMomentLimits(dailyLimitDay: "2026-01-31"), workspace)
    #expect(
      try session.addMoment("a", clientId: Self.id, now: SessionStore.start)
        == .blocked(Paywall(.dailyLimitReached, allowance: allowance)))
    try setReached(both, workspace)
    #expect(
      try session.addMoment("a", clientId: Self.id, now: SessionStore.start)
        == .blocked(Paywall(.totalLimitReached, allowance: allowance)))
    #expect(try workspace.outbox().isEmpty)
  }

  @Test func `a restricted timeline blocks no moment, and an upgrade opens it`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    try session.updateProfile { $0.isTimelineRestricted = true }
    #expect(
      try session.momentSnapshot(now: SessionStore.start).dueTrigger == .timelineRestricted)
    let answer = try session.addMoment("a", clientId: Self.id, now: SessionStore.start)
    guard case .queued = answer else {
      Issue.record("not queued: \(answer)")
      return
    }
    try session.setTier(.free)
    #expect(try session.profile().isTimelineRestricted)
    try session.setTier(.lite)
    #expect(try !session.profile().isTimelineRestricted)
    #expect(try session.momentSnapshot(now: SessionStore.start).dueTrigger == nil)
  }

  @Test func `a daily mark from yesterday does not block, at midnight to the microsecond`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    try session.updateProfile { $0.timeZone = "America/Sao_Paulo" }
    // In 2018 the 4th of November began at one o'clock there.
    let end = try #require(Instant(iso8601: "2018-11-04T03:00:00Z"))
    try setReached(ReachedMomentLimits(dailyLimitDay: "2018-11-03"), workspace)
    let last = try session.addMoment("a", clientId: Self.id, now: end - .microseconds(1))
    guard case .blocked = last else {
      Issue.record("not blocked: \(last)")
      return
    }
    let first = try session.addMoment("a", clientId: Self.id, now: end)
    guard case .queued = first else {
      Issue.record("not queued: \(first)")
      return
    }
  }

  @Test func `our own counts are shown and block nothing`() throws {
    let workspace = try SessionStore()
    let session = workspace.session(profile: "ana")
    for number in 0..<12 {
      let at = SessionStore.start - .seconds(number < 6 ? 0 : 86_400)
      _ = try session.addMoment("\(number)", clientId: "\(number)", now: at)
    }
    _ = try workspace.session().addMoment("other", clientId: "x", now: SessionStore.start)
    let snapshot = try session.momentSnapshot(now: SessionStore.start)
    #expect((snapshot.countToday, snapshot.countTotal) == (6, 12))
    #expect((snapshot.allowance.freePerDay, snapshot.allowance.freeTotal) == (3, 10))
    #expect(snapshot.dueTrigger == nil)
    #expect(snapshot.today.text == "2026-01-31")
  }

  @Test func `a rejected moment does not count`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    for id in ["a", "b"] {
      _ = try session.addMoment(id, clientId: id, now: SessionStore.start)
    }
    let item = try #require(try workspace.outbox().first)
    try workspace.store.write { try $0.reject(id: item.id, reason: "no") }
    #expect(try session.momentSnapshot(now: SessionStore.start).countTotal == 1)
  }

  @Test(arguments: Tier.allCases)
  func `an upgrade forgets every mark and queues what was parked`(tier: Tier) throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    try setReached(both, workspace)
    try workspace.store.write { writer in
      try writer.setReachedMomentLimits(both, profile: "bob")
      for until in [nil, SessionStore.start] {
        let id = try writer.enqueue(
          .moment, profile: "default", payload: "{}", at: SessionStore.start)
        try writer.park(id: id, until: until, reason: "limit")
      }
    }
    try session.setTier(tier)
    #expect(try reached(workspace) == (tier.isSubscribed ? .none : both))
    #expect(try reached(workspace, profile: "bob") == both)
    let state: OutboxItem.State = tier.isSubscribed ? .queued : .parked
    #expect(try workspace.outbox().map(\.state) == [state, state])
  }

  @Test func `a subscriber may always log, and falls back to no reached`() throws {
    let workspace = try SessionStore()
    let session = workspace.session()
    try session.setTier(.lite)
    try setReached(both, workspace)
    guard case .queued = try session.addMoment("a", clientId: Self.id, now: SessionStore.start)
    else {
      Issue.record("a subscriber was held up")
      return
    }
    try session.setTier(.free)
    #expect(try reached(workspace) == both)
    let snapshot = try session.momentSnapshot(now: SessionStore.start)
    #expect(snapshot.dueTrigger == .totalLimitReached)
  }
}
