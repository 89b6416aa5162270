import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import Store
import StoreTesting
import SyncTesting
import Testing
import Workspace

/// Selecting, ordering, blocking and recording, without a process.
struct JobSchedulerTests {
  private static let settings = "kind: sync-settings\n"
  private static let users = "kind: sync-users\nneeds: [settings]\n"
  private static let report = "kind: report\nneeds: [settings, users]\nformats: [text]\n"

  private func workspace() throws -> TestWorkspace {
    let workspace = try TestWorkspace(jobs: [
      "settings": Self.settings, "users": Self.users, "report": Self.report,
    ])
    try workspace.fill(users: 30)
    return workspace
  }

  private func outcomes(_ reports: [JobReport]) -> [String] {
    reports.map { "\($0.run.job) \($0.run.outcome.rawValue)" }
  }

  @Test func `all jobs run in the order of their needs, and each has its row`() async throws {
    let workspace = try workspace()
    let reports = try await workspace.run(.all)
    #expect(outcomes(reports) == ["settings ok", "users partial", "report ok"])
    #expect(reports.map(\.run.trigger) == [.scheduled, .firstLoad, .scheduled])
    let stored = try workspace.store.read { try $0.lastRuns() }
    #expect(Set(stored.keys) == ["settings", "users", "report"])
    #expect(stored.values.allSatisfy { $0.endedAt != nil })
  }

  @Test func `named jobs run alone, and with their needs when asked`() async throws {
    let workspace = try workspace()
    #expect(outcomes(try await workspace.run(.named(["users"]))) == ["users partial"])
    let reports = try await workspace.run(.named(["users"]), withNeeds: true)
    #expect(outcomes(reports) == ["settings ok", "users fresh"])
  }

  @Test func `a name without a job is refused before anything runs`() async throws {
    let workspace = try workspace()
    await #expect(
      throws: WorkspaceError.unknownJob(
        name: "user", closest: "users", known: ["report", "settings", "users"])
    ) { try await workspace.run(.named(["settings", "user"])) }
    #expect(try workspace.store.read { try $0.lastRuns() }.isEmpty)
  }

  @Test func `a job that fails blocks those that need it, and never the report`() async throws {
    let workspace = try workspace()
    workspace.services.failFirestore(with: FirestoreError.refusal(.unavailable))
    let reports = try await workspace.run(.all)
    #expect(outcomes(reports) == ["settings failed", "users blocked", "report ok"])
    #expect(reports[1].run.refusedBy == .need && reports[1].error == nil)
    #expect(reports[1].summary.contains("needs the job 'settings'"))
    #expect(reports[2].run.warnings.joined().contains("settings (failed), users (blocked)"))
  }

  @Test func `a job whose file is wrong fails first, and blocks those that need it`() async throws {
    let workspace = try TestWorkspace(jobs: [
      "settings": "kind: sync-settings\nodd: 1\n", "users": Self.users,
      "maintain": "kind: maintain\nkeep_backups: 0\n",
    ])
    let reports = try await workspace.run(.all)
    #expect(outcomes(reports) == ["settings failed", "users blocked", "maintain ok"])
    guard case WorkspaceError.jobFiles? = reports[0].error else {
      Issue.record("\(String(describing: reports[0].error))")
      return
    }
  }

  @Test func `a cancelled job is interrupted, and nothing runs after it`() async throws {
    let workspace = try workspace()
    workspace.services.failFirestore(with: CancellationError())
    let reports = try await workspace.run(.all)
    #expect(outcomes(reports) == ["settings interrupted"])
    #expect(reports[0].error as? WorkspaceError == .interrupted)
  }

  @Test func `a plan changes nothing and asks for nothing`() async throws {
    let workspace = try workspace()
    let scheduler = try workspace.scheduler()
    let selection = try scheduler.selection(JobRequest(.all))
    let plans = try scheduler.plan(selection)
    #expect(plans.map(\.job.name) == ["settings", "users", "report"])
    #expect(plans[1].plan.contains("Would fetch up to 250 documents of Users"))
    #expect(workspace.firestore.calls.isEmpty)
    #expect(try workspace.store.read { try $0.lastRuns() }.isEmpty)
  }

  /// The staleness limit is 1,800 seconds: at it the copy is fresh, above it stale.
  @Test(arguments: [
    (Int64(0), "fresh"), (1_799, "fresh"), (1_800, "fresh"), (1_801, "stale"),
  ])
  func `users are loaded when the copy is older than the limit`(
    seconds: Int64, trigger: String
  ) async throws {
    let workspace = try workspace()
    try await workspace.run(.named(["users"]))
    let later = Instant.morning + .seconds(seconds)
    let reports = try await workspace.run(.named(["users"]), at: later)
    #expect(reports[0].run.trigger.rawValue == trigger)
    let forced = try await workspace.run(
      .named(["users"]), at: later, options: RunOptions(isForced: true))
    #expect(forced[0].run.trigger == .forced)
  }

  @Test func `whoever warns of credentials does so at each run that used them`() async throws {
    let workspace = try workspace()
    workspace.services.warn(of: ["others can read the key"])
    let unused = try await workspace.run(.named(["report"]))
    #expect(unused[0].alerts.isEmpty)
    workspace.services.failFirestore(with: FirestoreError.refusal(.unavailable))
    for _ in 1...2 {
      let reports = try await workspace.run(.named(["settings"]))
      #expect(reports[0].alerts == ["others can read the key"])
      #expect(reports[0].run.warnings == ["others can read the key"])
    }
  }
}
