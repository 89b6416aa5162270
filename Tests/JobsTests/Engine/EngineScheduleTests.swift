import Fixtures
import JobsTesting
import Model
import Store
import Testing

@testable import Jobs
@testable import Workspace

/// What is due, who has the lock, and what that makes of a run.
struct EngineScheduleTests {
  private static let hourly = "schedule: \"0 * * * *\"\n"

  private func workspace() throws -> TestWorkspace {
    try TestWorkspace(jobs: [
      "clean": "kind: maintain\nkeep_backups: 0\n\(Self.hourly)",
      "settle": "kind: settle\nneeds: [clean]\n\(Self.hourly)",
      "report": "kind: report\nformats: [text]\n\(Self.hourly)",
      "by-hand": "kind: maintain\nkeep_backups: 0\n",
    ])
  }

  private func names(_ reports: [JobReport]) -> [String] { reports.map(\.run.job) }

  /// Another process, as the lock file names it.
  private func holder(of jobs: [String], at now: Instant = .morning) -> LockOwner {
    var owner = LockOwner(pid: 4711, host: "mars", since: now, command: "firetally run --all")
    owner.jobs = jobs
    return owner
  }

  private func hold(
    _ workspace: TestWorkspace, for jobs: [String]
  ) async throws -> WorkspaceLock {
    try await WorkspaceLock.acquire(
      workspace.folder, for: holder(of: jobs), wait: .zero, sleep: { _ in })
  }

  /// The hour is 08:00: a job that ran at it is due again at 09:00, not a second before.
  @Test func `a job is due when its schedule came since it last began`() async throws {
    let workspace = try workspace()
    #expect(names(try await workspace.run(.due)) == ["clean", "settle", "report"])
    #expect(try await workspace.run(.due).isEmpty)
    let hour = Instant.morning + .seconds(3_600)
    #expect(try await workspace.run(.due, at: hour - .seconds(1)).isEmpty)
    #expect(names(try await workspace.run(.due, at: hour)) == ["clean", "settle", "report"])
  }

  @Test func `a job whose file is wrong is always due`() async throws {
    let workspace = try TestWorkspace(jobs: ["odd": "kind: maintain\nodd: 1\n"])
    for _ in 1...2 { #expect(names(try await workspace.run(.due)) == ["odd"]) }
  }

  @Test func `jobs that write are locked out, and reports run`() async throws {
    let workspace = try workspace()
    let lock = try await hold(workspace, for: ["events"])
    let reports = try await workspace.run(.all)
    #expect(
      reports.map { "\($0.run.job) \($0.run.outcome.rawValue)" } == [
        "by-hand locked", "clean locked", "settle locked", "report ok",
      ])
    #expect(reports.prefix(3).allSatisfy { $0.run.refusedBy == .lock && $0.error != nil })
    lock.release()
    #expect(try await workspace.run(.all).allSatisfy(\.succeeded))
  }

  @Test func `who does the same job, or one that it needs, covers it`() async throws {
    let workspace = try workspace()
    let lock = try await hold(workspace, for: ["clean"])
    defer { lock.release() }
    let reports = try await workspace.run(.named(["clean", "settle", "by-hand"]))
    #expect(
      reports.map { "\($0.run.job) \($0.error == nil)" } == [
        "by-hand false", "clean true", "settle true",
      ])
  }

  @Test func `a run waits for its turn, and runs what is due then`() async throws {
    let workspace = try workspace()
    let lock = try await hold(workspace, for: ["events"])
    let clock = ManualClock(start: .morning)
    let scheduler = try workspace.scheduler(at: clock, wait: .seconds(60))
    async let waiting = scheduler.run(JobRequest(.due))
    while clock.sleeps == 0 { await Task.yield() }
    // What the holder ran in the meantime is not due any more.
    try end("clean", in: workspace)
    lock.release()
    clock.advance(by: .milliseconds(100))
    #expect(names(try await waiting) == ["settle", "report"])
  }

  @Test func `what a job that is still due needs runs after the wait, and no other need`()
    async throws
  {
    let workspace = try TestWorkspace(jobs: [
      "clean": "kind: maintain\nkeep_backups: 0\n",
      "settle": "kind: settle\nneeds: [clean]\n\(Self.hourly)",
      "other": "kind: maintain\nkeep_backups: 0\n",
      "later": "kind: settle\nneeds: [other]\n\(Self.hourly)",
    ])
    let lock = try await hold(workspace, for: ["events"])
    let clock = ManualClock(start: .morning)
    let scheduler = try workspace.scheduler(at: clock, wait: .seconds(60))
    async let waiting = scheduler.run(JobRequest(.due, withNeeds: true))
    while clock.sleeps == 0 { await Task.yield() }
    try end("later", in: workspace)
    lock.release()
    clock.advance(by: .milliseconds(100))
    #expect(names(try await waiting) == ["clean", "settle"])
  }

  /// Records that another process ran the job meanwhile.
  private func end(_ job: String, in workspace: TestWorkspace) throws {
    try workspace.store.write { writer in
      var run = Run(job: job, kind: "maintain", trigger: .scheduled, startedAt: .morning)
      run.id = try writer.begin(run)
      run.endedAt = .morning
      run.outcome = .ok
      try writer.finish(run)
    }
  }

  @Test func `who has waited long enough gives up`() async throws {
    let workspace = try workspace()
    let lock = try await hold(workspace, for: ["events"])
    defer { lock.release() }
    let clock = ManualClock(start: .morning, skipsPauses: true)
    let reports = try await workspace.scheduler(at: clock, wait: .seconds(60))
      .run(JobRequest(.named(["clean"])))
    #expect(reports[0].run.outcome == .locked)
    #expect(clock.elapsed == .seconds(60))
    #expect(reports[0].summary.contains("pid 4711 (firetally run --all) on mars"))
  }

  @Test func `a single job that is asked for by name of its kind needs the lock`() async throws {
    let workspace = try workspace()
    let job = try #require(try workspace.folder.jobs().jobs.first { $0.name == "clean" })
    let lock = try await hold(workspace, for: ["events"])
    await #expect(throws: WorkspaceError.lockHeld(by: holder(of: ["events"]), waited: .zero)) {
      try await workspace.scheduler().run(job, trigger: .manual)
    }
    lock.release()
    let reports = try await workspace.scheduler().run(job, trigger: .manual)
    #expect(reports.map(\.run.trigger) == [.manual])
  }
}
