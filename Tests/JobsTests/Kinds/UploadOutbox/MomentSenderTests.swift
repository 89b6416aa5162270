import Emulator
import Feeds
import Firestore
import Fixtures
import Foundation
import JobsTesting
import Store
import SyncTesting
import Testing

@testable import Jobs
@testable import Model
@testable import Sync

/// Deliveries over real HTTP to the embedded moments service.
@Suite struct MomentSenderTests {
  private static let tomorrow = Instant.morning + .seconds(16 * 3_600)
  private static let post = "POST /moments"

  private static func ask(_ number: Int) -> String {
    "GET /moments/by-client-id/\(TestMoments.clientId(number))"
  }

  @Test
  func `a moment goes out with the headers and the body that the service wants`() async throws {
    let moments = try await TestMoments()
    let ids = try moments.enqueue(1...2)
    #expect(try await moments.upload().delivered == 2)
    let request = try #require(moments.server.requests.first)
    #expect(request.headers["x-app-token-code"] == "t0ken")
    #expect(request.headers["x-user-id"] == "u1")
    #expect(
      try request.json()
        == .object([
          "clientId": .string(TestMoments.clientId(1)), "text": .string("moment 1"),
          "submittedAt": .string("2026-01-31T08:00:00Z"), "tz": .string("UTC"),
          "timeAgo": .integer(0),
        ]))
    #expect(moments.requests() == [Self.post, Self.post])
    let item = try moments.item(ids[1])
    #expect((item.state, item.remoteName) == (.delivered, "moments/moment-2"))
    #expect(try await moments.upload().delivered == 0)
  }

  @Test
  func `the daily limit marks the day, parks the moment until midnight, and spares the others`()
    async throws
  {
    let moments = try await TestMoments()
    let ids = try moments.enqueue(1...6)
    let result = try await moments.upload()
    #expect((result.delivered, result.parked, result.requeued, result.rejected) == (3, 3, 0, 0))
    #expect(result.problems.isEmpty && result.stoppedBy == nil)
    #expect(moments.requests().count == 4)
    #expect(
      try moments.reached
        == ReachedMomentLimits(
          dailyLimitDay: "2026-01-31", dailyLimit: 3, dailyMessage: "The daily limit is reached."))
    for id in ids[3...] {
      let item = try moments.item(id)
      #expect((item.state, item.nextAttemptAt) == (.parked, Self.tomorrow))
      #expect(item.lastError?.contains("(3 a day)") == true)
      #expect(item.lastError?.hasSuffix(" It says: The daily limit is reached.") == true)
      #expect(!item.mayHaveArrived)
    }
    _ = try await moments.upload(at: Self.tomorrow - .microseconds(1))
    #expect(moments.requests().isEmpty)
    #expect(try await moments.upload(at: Self.tomorrow).delivered == 3)
    #expect(moments.requests() == [Self.post, Self.post, Self.post])
    #expect(moments.taken == (1...6).map(TestMoments.clientId))
  }

  @Test func `the total limit parks until an upgrade, whatever day it is`() async throws {
    let moments = try await TestMoments()
    var quotas = MomentAllowance.builtIn
    quotas.freePerDay = 100
    moments.server.moments.setQuotas(quotas)
    let ids = try moments.enqueue(1...12)
    let result = try await moments.upload()
    #expect((result.delivered, result.parked) == (10, 2))
    #expect(moments.requests().count == 11)
    #expect(
      try moments.reached
        == ReachedMomentLimits(
          isTotalLimitReached: true, totalLimit: 10, totalMessage: "The total limit is reached."))
    let item = try moments.item(ids[11])
    #expect((item.state, item.nextAttemptAt) == (.parked, nil))
    #expect(item.lastError?.contains("(10 in all)") == true)
    _ = try await moments.upload(at: Self.tomorrow + .seconds(400 * 86_400))
    #expect(moments.requests().isEmpty)
  }

  @Test
  func `after an upgrade the rest is delivered, when the service knows of it too`() async throws {
    let moments = try await TestMoments()
    var quotas = MomentAllowance.builtIn
    quotas.freePerDay = 100
    quotas.premiumPerDay = 100
    moments.server.moments.setQuotas(quotas)
    let ids = try moments.enqueue(1...12)
    _ = try await moments.upload()
    moments.server.moments.setPremium(true, userId: "u1")
    try moments.setProfile { $0.tier = .plus }
    try moments.store.write { writer in
      try writer.setReachedMomentLimits(.none, profile: "default")
      try writer.requeueParked(kind: .moment, profile: "default")
    }
    try moments.enqueue(13...13)
    #expect(try await moments.upload().delivered == 3)
    #expect(try moments.states(ids).allSatisfy { $0 == .delivered })
    #expect(moments.taken == (1...13).map(TestMoments.clientId))
  }

  @Test func `a limit told in an HTTP 200 parks the moment, and delivers nothing`() async throws {
    let moments = try await TestMoments()
    let body = #"{"error":{"code":"DAILY_LIMIT_REACHED","message":"Enough for now"}}"#
    let server = try ScriptedServer { _ in .json(body) }
    let id = try moments.enqueue(1...1)[0]
    #expect(try await moments.upload(through: server.url).parked == 1)
    let item = try moments.item(id)
    #expect((item.state, item.mayHaveArrived) == (.parked, false))
    #expect(item.lastError?.hasSuffix("It says: Enough for now") == true)
    #expect(try moments.reached.dailyMessage == "Enough for now")
  }

  @Test(arguments: ["TOTAL_LIMIT_REACHED", "DAILY_LIMIT_REACHED"])
  func `a limit that the service told before an upgrade parks nothing after it`(code: String)
    async throws
  {
    let moments = try await TestMoments()
    let server = try ScriptedServer { request in
      do {
        try moments.store.write { writer in
          var profile = try writer.profile(named: "default") ?? Profile()
          profile.tier = .lite
          try writer.save(profile)
          try writer.setReachedMomentLimits(.none, profile: "default")
          try writer.requeueParked(kind: .moment, profile: "default")
        }
      } catch {
        Issue.record(error)
      }
      return .json(#"{"error":{"code":"\#(code)","message":"no"}}"#, status: 429)
    }
    let id = try moments.enqueue(1...1)[0]
    _ = try await moments.upload(through: server.url)
    #expect(server.requests.count == 1)
    let item = try moments.item(id)
    #expect((item.state, item.nextAttemptAt, item.mayHaveArrived) == (.queued, nil, false))
    #expect(try moments.reached == .none)
    moments.server.moments.setPremium(true, userId: "u1")
    #expect(try await moments.upload().delivered == 1)
  }

  @Test func `a subscriber's total is asked about again, a limit of the day is not`() async throws {
    let moments = try await TestMoments()
    try moments.setProfile { $0.tier = .lite }
    try moments.store.write {
      try $0.setReachedMomentLimits(
        ReachedMomentLimits(isTotalLimitReached: true), profile: "default")
    }
    moments.server.moments.setPremium(true, userId: "u1")
    try moments.enqueue(1...12)
    let result = try await moments.upload()
    #expect((result.delivered, result.parked) == (10, 2))
    #expect(moments.requests().count == 11)
    #expect(try moments.reached.dailyLimit == 10)
  }

  @Test func `one profile's limit is nobody else's`() async throws {
    let moments = try await TestMoments()
    try moments.enqueue(1...4)
    let others = try moments.enqueue(5...6, profile: "ana", userId: "u2")
    let result = try await moments.upload()
    #expect((result.delivered, result.parked) == (5, 1))
    #expect(try moments.states(others) == [.delivered, .delivered])
  }

  @Test(arguments: [
    ("Pacific/Kiritimati", true), ("Pacific/Honolulu", true), ("Europe/Berlin", false),
  ])
  func `a move to another time zone makes parked moments due by its calendar`(
    zone: String, isDue: Bool
  ) async throws {
    let moments = try await TestMoments()
    try moments.enqueue(1...4)
    _ = try await moments.upload()
    _ = moments.requests()
    try moments.setProfile { $0.timeZone = zone }
    // 10:00 in Kiritimati is on the next day already from 10:00 UTC on; Honolulu is behind.
    let now = zone == "Pacific/Kiritimati" ? Instant.morning + .seconds(2 * 3_600) : .morning
    _ = try await moments.upload(at: now)
    #expect(moments.requests() == (isDue ? [Self.post] : []))
  }

  @Test
  func `a profile without a user id keeps its moments, and is told how to set it`() async throws {
    let moments = try await TestMoments()
    let id = try moments.enqueue(1...1, userId: nil)[0]
    let others = try moments.enqueue(2...2, profile: "ana")
    let result = try await moments.upload()
    #expect((result.delivered, result.requeued) == (1, 1))
    #expect(try moments.states(others) == [.delivered])
    let item = try moments.item(id)
    #expect((item.state, item.attempts, item.nextAttemptAt) == (.queued, 0, nil))
    #expect(
      item.lastError
        == "The profile 'default' has no user id: the moments service needs one. Set it with "
        + "`firetally profile set --user-id ID`, then run again.")
    try moments.setProfile { $0.userId = "u9" }
    #expect(try await moments.upload().delivered == 1)
    #expect(moments.server.moments.entries.last?.moment.userId == "u9")
  }

  @Test
  func `a payload that is no moment is rejected without a request, the rest goes`() async throws {
    let moments = try await TestMoments()
    let bad = try ["", "{}", "null", #"{"clientId":"../x","text":"a","tz":"UTC","timeAgo":0}"#]
      .map { try moments.enqueue(payload: $0) }
    try moments.enqueue(1...1)
    let result = try await moments.upload()
    #expect((result.delivered, result.rejected) == (1, 4))
    #expect(try moments.states(bad).allSatisfy { $0 == .rejected })
    #expect(moments.requests() == [Self.post])
  }

  @Test
  func `after an answer that was lost the service is asked before anything is posted again`()
    async throws
  {
    for fault in [Fault.lostAnswer, .cut(afterBytes: 5), .garbage(), .status(.internal)] {
      let moments = try await TestMoments()
      let id = try moments.enqueue(1...1)[0]
      moments.server.inject(fault)
      #expect(try await moments.upload().requeued == 1)
      #expect(try moments.item(id).nextAttemptAt == .morning + .seconds(60))
      let arrived = moments.taken.count
      _ = moments.requests()
      #expect(try await moments.upload(at: .morning + .seconds(60)).delivered == 1)
      #expect(moments.requests() == [Self.ask(1)] + (arrived == 0 ? [Self.post] : []))
      #expect(moments.taken == [TestMoments.clientId(1)])
    }
  }

  @Test
  func `a refused token and somebody else's answer keep all moments as they are`() async throws {
    for status in [RPCStatus.unauthenticated, .notFound] {
      let moments = try await TestMoments()
      let ids = try moments.enqueue(1...3)
      moments.server.inject(.status(status), times: nil)
      let result = try await moments.upload()
      #expect(result.stoppedBy is MomentRefusal)
      #expect(result.delivered + result.requeued + result.rejected + result.parked == 0)
      #expect(try moments.states(ids) == [.queued, .queued, .queued])
      #expect(try ids.map { try moments.item($0).attempts } == [1, 0, 0])
      moments.server.clearFaults()
      #expect(try await moments.upload().delivered == 3)
    }
  }

  @Test
  func `a Retry-After beyond the backoff is obeyed, and a rate is no unknown outcome`() async throws
  {
    let moments = try await TestMoments()
    let id = try moments.enqueue(1...1)[0]
    moments.server.inject(.status(.resourceExhausted, retryAfterSeconds: 7_200))
    #expect(try await moments.upload().requeued == 1)
    let item = try moments.item(id)
    #expect(item.nextAttemptAt == .morning + .seconds(7_200))
    #expect(!item.mayHaveArrived)
    _ = moments.requests()
    #expect(try await moments.upload(at: .morning + .seconds(7_200)).delivered == 1)
    #expect(moments.requests() == [Self.post])
  }

  @Test func `three failures in a row end the run, a poisoned first item does not`() async throws {
    let moments = try await TestMoments()
    let ids = try moments.enqueue(1...5)
    moments.server.inject(.drop, times: 3)
    let result = try await moments.upload()
    #expect((result.requeued, result.delivered) == (3, 0))
    #expect(result.stoppedBy != nil)
    #expect(try moments.states(ids) == Array(repeating: .queued, count: 5))
    let other = try await TestMoments()
    try other.enqueue(1...3)
    other.server.inject(.drop, times: 2)
    #expect(try await other.upload().delivered == 1)
  }
}
