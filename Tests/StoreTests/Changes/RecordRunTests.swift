import Fixtures
import GRDB
import Model
import StoreTesting
import Testing

@testable import Store

@Suite struct RecordRunTests {
  let folder: TemporaryStore
  let store: Store

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func ran(
    _ job: String, _ outcome: Run.Outcome, at seconds: Int, trigger: Run.Trigger = .scheduled
  ) throws -> Run {
    var run = Run(
      job: job, kind: "sync-users", trigger: trigger, startedAt: .morning + .seconds(seconds))
    run.id = try store.write { try $0.begin(run) }
    run.outcome = outcome
    run.endedAt = run.startedAt + .seconds(2)
    try store.write { try $0.finish(run) }
    return run
  }

  @Test func `a run that never ended is in the ledger as interrupted`() throws {
    var run = Run(job: "users", kind: "sync-users", trigger: .firstLoad, startedAt: .morning)
    run.id = try store.write { try $0.begin(run) }
    let found = try store.read { try $0.lastRuns() }
    #expect(found == ["users": run])
    #expect(found["users"]?.outcome == .interrupted)
    #expect(found["users"]?.endedAt == nil)
    #expect(try store.read { try $0.lastSuccesses() } == [:])
  }

  @Test func `a finished run comes back with all its numbers, warnings and skips`() throws {
    var run = Run(job: "users", kind: "sync-users", trigger: .stale, startedAt: .morning)
    run.id = try store.write { try $0.begin(run) }
    run.endedAt = Instant.morning + .milliseconds(1_500)
    run.outcome = .partial
    run.counts = RunCounts(
      fetched: 1, inserted: 2, updated: 3, unchanged: 4, deleted: 5,
      skipped: ["bad-field:User_age": 6, "a \"quoted\" / reason": 1], billedReads: 7, bytes: 8,
      requests: 9, retries: 10)
    run.estimatedCost = Money(amount: 0.0000042, currency: "USD")
    run.readTime = Instant(microseconds: 1_700_000_000_000_001)
    run.warnings = ["first", "zweite ü\n"]
    run.error = "it's over"
    try store.write { try $0.finish(run) }
    #expect(try store.read { try $0.runs(from: .morning) } == [run])
  }

  @Test func `the reads of a time are those of the runs that began in it, also of killed ones`()
    throws
  {
    for (seconds, reads) in [(-1, 1_000), (0, 100), (59, 10), (60, 1)] {
      let run = Run(
        job: "users", kind: "sync-users", trigger: .stale, startedAt: .morning + .seconds(seconds))
      let id = try store.write { try $0.begin(run) }
      try store.write { try $0.setBilledReads(reads, ofRun: id) }
    }
    let end = Instant.morning + .seconds(60)
    #expect(try store.read { try $0.billedReads(from: .morning, to: end) } == 110)
    #expect(try store.read { try $0.billedReads(from: end, to: end) } == 0)
  }

  @Test(arguments: Run.Outcome.allCases)
  func `only ok, partial and fresh runs are successes`(outcome: Run.Outcome) throws {
    let first = try ran("users", .ok, at: 0)
    let second = try ran("users", outcome, at: 10)
    let isSuccess: Set<Run.Outcome> = [.ok, .partial, .fresh]
    #expect(try store.read { try $0.lastRuns() } == ["users": second])
    #expect(
      try store.read { try $0.lastSuccesses() }
        == ["users": isSuccess.contains(outcome) ? second : first])
  }

  @Test func `every job has its own last run`() throws {
    let users = try ran("users", .ok, at: 0)
    let settings = try ran("settings", .failed, at: 1)
    #expect(try store.read { try $0.lastRuns() } == ["users": users, "settings": settings])
    #expect(try store.read { try $0.lastSuccesses() } == ["users": users])
  }

  @Test(arguments: Run.Refusal.allCases)
  func `a run that was refused is the last one, and not the last that began`(
    refusal: Run.Refusal
  ) throws {
    let begun = try ran("users", .blocked, at: 0)
    var refused = try ran("users", .blocked, at: 10)
    refused.refusedBy = refusal
    try store.write { [refused] in try $0.finish(refused) }
    #expect(try store.read { try $0.lastRuns() } == ["users": refused])
    #expect(try store.read { try $0.lastBegunRuns() } == ["users": begun])
  }

  @Test func `runs of a period come newest first, its start included, its end not`() throws {
    let runs = try (0..<4).map { try ran("users", .ok, at: $0 * 10) }
    let found = try store.read {
      try $0.runs(from: .morning + .seconds(10), to: .morning + .seconds(30))
    }
    #expect(found == [runs[2], runs[1]])
    #expect(try store.read { try $0.runs(from: .morning + .seconds(31)) } == [])
  }

  @Test func `an unreadable list of warnings is damage, not an empty list`() throws {
    _ = try ran("users", .ok, at: 0)
    try store.write { _ = try $0.run("UPDATE sync_runs SET warnings = 'nonsense'") }
    #expect(
      throws: StoreError.unreadableCell(
        path: folder.path, table: "sync_runs", column: "warnings", value: "nonsense")
    ) { try store.read { try $0.lastRuns() } }
  }
}
