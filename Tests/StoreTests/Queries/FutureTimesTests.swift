import Fixtures
import StoreTesting
import Testing

@testable import Model
@testable import Store

/// Held against docs/running.md#times-in-the-future.
@Suite struct FutureTimesTests {
  private let folder: TemporaryStore
  private let store: Store
  private let now = Instant.morning
  private static let last = Duration.seconds(300)
  private static let tooFar = Duration.seconds(300) + .microseconds(1)

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  @discardableResult
  private func ran(_ job: String = "users", at start: Instant, reads: Int = 0) throws -> Run {
    var run = Run(job: job, kind: "sync-users", trigger: .scheduled, startedAt: start)
    run.id = try store.write { try $0.begin(run) }
    run.outcome = .ok
    run.endedAt = start
    run.counts.billedReads = reads
    try store.write { try $0.finish(run) }
    return run
  }

  @Test(arguments: [(Self.last - .microseconds(1), true), (Self.last, true), (Self.tooFar, false)])
  func `a run counts up to 300 seconds ahead`(ahead: Duration, counts: Bool) throws {
    let older = try ran(at: now - .seconds(60))
    let ahead = try ran(at: now + ahead)
    let expected = ["users": counts ? ahead : older]
    let found = try store.read { reader in
      [
        try reader.lastRuns(at: now), try reader.lastJudgedRuns(at: now),
        try reader.lastBegunRuns(at: now), try reader.lastSuccesses(at: now),
      ]
    }
    #expect(found == Array(repeating: expected, count: 4))
    #expect(try store.read { try $0.lastRuns() } == ["users": ahead])
    let refreshedAt = try store.read { try $0.usersRefreshedAt(at: now) }
    #expect(refreshedAt == expected["users"]?.startedAt)
    let future = counts ? nil : FutureRuns(count: 1, latest: ahead)
    #expect(try store.read { try $0.futureRuns(at: now) } == future)
    #expect(try store.read { try $0.futureRuns(at: now, job: "users") } == future)
    #expect(try store.read { try $0.futureRuns(at: now, job: "other") } == nil)
    #expect(try store.write { try $0.removeFutureRuns(at: now) } == (counts ? 0 : 1))
    #expect(try store.read { try $0.lastRuns() } == expected)
  }

  @Test func `future runs are counted, and the latest is named`() throws {
    try ran("settings", at: now + .seconds(86_400))
    let latest = try ran(at: now + .seconds(2 * 86_400))
    try ran("settings", at: now + .seconds(3_600))
    #expect(
      try store.read { try $0.futureRuns(at: now) } == FutureRuns(count: 3, latest: latest))
  }

  @Test func `a report leaves out runs that count as if they were not there`() throws {
    try ran(at: now + .seconds(3_600))
    let end = now + .seconds(86_400)
    let context = ReportContext(
      appName: "Chat", now: now, timeZone: "UTC", start: now - .seconds(86_400), end: end)
    let data = try store.read { try $0.runsData(context, jobs: []) }
    #expect(data.runs == [] && data.beginsAt == nil && data.lastRuns == [:])
    #expect(data.futureRuns?.count == 1)
  }

  @Test(arguments: [(Self.last, true), (Self.tooFar, false)])
  func `a profile's refresh time counts up to 300 seconds ahead`(
    ahead: Duration, counts: Bool
  ) throws {
    try store.write { try $0.save(Profile(usersRefreshedAt: now + ahead)) }
    #expect(try store.read { try $0.usersRefreshedAt(at: now) } == (counts ? now + ahead : nil))
  }

  private func due(_ id: Int64) throws -> Bool {
    try store.read { try $0.dueOutboxItems(kind: .feedback, at: now, limit: 9) }.map(\.id) == [id]
  }

  private func failed(at time: Instant, next: Instant, isAbsent: Bool = false) throws -> Int64 {
    try store.write { writer in
      let id = try writer.enqueue(.feedback, profile: "default", payload: "{}", at: now)
      try writer.markSending(id: id, at: time)
      try writer.requeue(id: id, nextAttemptAt: next, error: "e", isAbsent: isAbsent)
      return id
    }
  }

  @Test(arguments: [(Self.last, false), (Self.tooFar, true)])
  func `an attempt more than 300 seconds ahead makes nobody wait`(
    ahead: Duration, isDue: Bool
  ) throws {
    let id = try failed(at: now + ahead, next: now + ahead + .seconds(60))
    #expect(try due(id) == isDue)
  }

  @Test(arguments: [(Self.last, false), (Self.tooFar, true)])
  func `no wait is longer than a day and 300 seconds`(more: Duration, isDue: Bool) throws {
    let id = try failed(at: now, next: now + .seconds(86_400) + more, isAbsent: true)
    #expect(try due(id) == isDue)
  }
}
