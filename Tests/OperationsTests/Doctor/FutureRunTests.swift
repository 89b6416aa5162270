import Fixtures
import Foundation
import JobsTesting
import Model
import Store
import Testing

@testable import Jobs
@testable import Operations
@testable import Workspace

/// What a run dated in the future keeps from happening, which is nothing:
/// docs/running.md#times-in-the-future.
@Suite struct FutureRunTests {
  private let workspace: TestWorkspace
  private let now = Instant.morning

  init() throws {
    workspace = try TestWorkspace(
      jobs: ["settle": "kind: settle\nschedule: 0 * * * *\n"],
      configuration: """
        app: {name: Chat, bundle_id: com.example.app}
        cost: {max_reads_per_day: 100}

        """)
  }

  private func ran(at start: Instant, reads: Int = 0) throws {
    var run = Run(job: "settle", kind: "settle", trigger: .scheduled, startedAt: start)
    run.id = try workspace.store.write { try $0.begin(run) }
    run.outcome = .ok
    run.endedAt = start
    run.counts.billedReads = reads
    try workspace.store.write { [run] in try $0.finish(run) }
  }

  @Test(arguments: [(Duration.seconds(300), true), (.seconds(300) + .microseconds(1), false)])
  func `a schedule is met by a run up to 300 seconds ahead`(ahead: Duration, isMet: Bool)
    async throws
  {
    try ran(at: now + ahead)
    #expect(try await workspace.run(.due).isEmpty == isMet)
  }

  @Test func `after three hours back every tick runs, and says why`() async throws {
    for hour in 0...3 { try ran(at: now + .seconds(3_600 * hour)) }
    for hour in 0..<3 {
      let reports = try await workspace.run(.due, at: now - .seconds(10_800 - 3_600 * hour))
      #expect(reports.map(\.run.outcome) == [.fresh], "\(hour)")
      #expect(
        reports[0].run.warnings.contains { $0.hasPrefix("The clock was wrong: 4 runs are dated") }
          || hour > 0)
    }
  }

  @Test(arguments: [(Duration.seconds(300), 40), (.seconds(300) + .microseconds(1), 0)])
  func `reads of a run up to 300 seconds ahead count for the day`(ahead: Duration, reads: Int)
    throws
  {
    try ran(at: now + ahead, reads: 40)
    let context = try workspace.context(at: ManualClock(start: now))
    let budget = try workspace.store.read { try context.readBudget(maxPerRun: nil, $0) }
    #expect(budget.readToday == reads)
  }

  @Test(arguments: [
    (Duration.seconds(-1), DoctorFinding.Verdict.ok), (.zero, .ok), (.seconds(1), .warn),
    (.seconds(300), .warn), (.seconds(301), .ok),
  ])
  func `doctor tells unrecorded runs since the newest run, up to 300 seconds ahead`(
    after: Duration, verdict: DoctorFinding.Verdict
  ) async throws {
    let stage = try DoctorStage(jobs: ["settle": "kind: settle\nschedule: 0 * * * *\n"])
    try stage.ran("settle", at: now)
    UnrecordedRuns.leaveNote(
      in: stage.workspace.folder, at: now + after, toldAt: now + after)
    #expect(try await stage.findings(of: RecentRunsCheck.self).map(\.verdict) == [verdict])
  }

  @Test func `doctor fails on a run in the future, and says how to mend it`() async throws {
    let stage = try DoctorStage(jobs: ["settle": "kind: settle\nschedule: 0 * * * *\n"])
    try stage.ran("settle", at: now)
    try stage.ran("settle", at: now + .seconds(300))
    #expect(try await stage.findings(of: RecentRunsCheck.self).map(\.verdict) == [.ok])
    try stage.ran("settle", at: now + .seconds(301))
    let lines = try await stage.lines(of: RecentRunsCheck.self)
    #expect(lines.count == 2 && lines[0].hasPrefix("fail: The clock was wrong: run 3 of settle"))
    #expect(lines[0].hasSuffix("else remove them with `firetally runs forget`."))
    #expect(lines[1].hasPrefix("ok:"))
  }
}

/// When a missing start makes a job late: docs/reports.md#freshness.
@Suite struct GraceTests {
  private func grace(_ schedule: String, lateAfter: Duration? = nil) throws -> Duration {
    let job = Job(
      name: "j", definition: SyncSettingsOptions(), schedule: try CronSchedule(parsing: schedule),
      lateAfter: lateAfter)
    return job.grace
  }

  @Test func `the grace is 15 minutes, or what the file says`() throws {
    #expect(try grace("*/10 * * * *") == .seconds(900))
    #expect(try grace("15 3 * * *") == .seconds(900))
    #expect(try grace("15 3 * * *", lateAfter: .seconds(60)) == .seconds(60))
  }

  @Test(arguments: [
    (Duration.seconds(900) - .microseconds(1), Instant.morning - .seconds(3_600)),
    (.seconds(900), .morning),
  ])
  func `a start counts as due once its grace has passed`(after: Duration, due: Instant) throws {
    let workspace = try TestWorkspace(
      jobs: ["settle": "kind: settle\nschedule: 0 * * * *\n"])
    let jobs = try JobsData.jobs(
      try workspace.folder.jobs(), config: try workspace.folder.config(), now: .morning + after)
    #expect(jobs.map(\.lastDueAt) == [due])
    #expect(jobs.map(\.dueBeforeAt) == [due - .seconds(3_600)])
  }

  @Test func `a job file names its own grace`() throws {
    let workspace = try TestWorkspace(
      jobs: ["settle": "kind: settle\nschedule: 0 * * * *\nlate_after: 20m\n"])
    #expect(try workspace.folder.jobs().jobs.first?.lateAfter == .seconds(1_200))
  }
}
