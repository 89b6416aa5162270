import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import Sync
import Synchronization
import Testing

@testable import Jobs
@testable import Workspace

/// Work that a timeout does not stop: `docs/jobs.md#job-files`; one at a time, since tasks have as
/// many threads as there are processors.
@Suite(.serialized) struct OverrunTests {
  /// Computes until it is told to end, and never looks whether it was cancelled.
  private final class Computation: JobWork {
    let isOver = Mutex(false)

    func plan() throws -> String { "Computes." }

    func perform(within budget: RunBudget) async throws -> JobResult {
      budget.meter.add(1_000)
      while !isOver.withLock(\.self) {}
      return JobResult(.ok, "Done.")
    }
  }

  /// What the end of the program would be.
  private final class Ending: Sendable {
    let report = Mutex<JobReport?>(nil)
    let isNews = Mutex<Bool?>(nil)
    let stored = Mutex<Run?>(nil)
    let pinged = Mutex<[String]>([])
    /// The messages sent by then.
    let told = Mutex<[String]>([])
  }

  private func run(
    _ work: Computation, _ workspace: TestWorkspace, _ ending: Ending
  ) async throws -> [JobReport] {
    var context = try workspace.context(at: ManualClock(start: .morning))
    context.timeoutGrace = .milliseconds(100)
    context.giveUp = { [store = workspace.store] report, isNews in
      ending.report.withLock { $0 = report }
      ending.isNews.withLock { $0 = isNews }
      let pinged = ending.pinged.withLock(\.self)
      ending.told.withLock { $0 = pinged }
      do {
        let run = try store.read { try $0.lastRuns() }["settings"]
        ending.stored.withLock { $0 = run }
      } catch {
        Issue.record(error)
      }
      work.isOver.withLock { $0 = true }
    }
    let scheduler = JobScheduler(
      context,
      hooks: HookRunner(
        workspace: workspace.folder, environment: [:],
        ping: { request in
          ending.pinged.withLock { $0.append(request.url) }
          return HookAnswer(status: 200)
        }, said: { _, _, _ in }, sleep: { _ in }),
      lock: LockRequest(.thisProcess(command: "t", since: .morning), wait: .zero, isPatient: true))
    return try await scheduler.run(try context.catalog.job(named: "settings")) { work }
  }

  private func workspace(_ more: String = "") throws -> TestWorkspace {
    try TestWorkspace(
      jobs: [
        "settings": """
        kind: sync-settings
        timeout: 1s
        hooks: {on_failure: {ping: "https://h/failure"}}
        """
      ], configuration: "app: {name: Chat, bundle_id: com.example.app}\n\(more)")
  }

  @Test func `an overrun is told to notify, and is not printed then`() async throws {
    let ending = Ending()
    let workspace = try workspace("notify: {ping: 'https://h/notify'}\n")
    _ = try await run(Computation(), workspace, ending)
    let (told, isNews) = (ending.told.withLock { $0 }, ending.isNews.withLock { $0 })
    #expect(told == ["https://h/failure", "https://h/notify"] && isNews == false)
  }

  @Test func `work that computes on is recorded as failed, told, and ends the program`()
    async throws
  {
    let ending = Ending()
    _ = try await run(Computation(), try workspace(), ending)
    let run = ending.stored.withLock { $0 }
    let stored = try #require(run)
    #expect(stored.outcome == .failed && stored.endedAt != nil)
    #expect(stored.counts.billedReads == 1_000)
    #expect(stored.estimatedCost == ReadPrice.example.cost(of: 1_000))
    #expect(stored.error?.contains("reached its timeout of 1s and could not be stopped") == true)
    let pinged = ending.pinged.withLock { $0 }
    #expect(pinged == ["https://h/failure"])
    let report = ending.report.withLock { $0 }
    #expect(report?.error as? WorkspaceError == .overrun(job: "settings", timeout: .seconds(1)))
    #expect(report?.alerts == [])
    let isNews = ending.isNews.withLock { $0 }
    #expect(isNews == true)
  }

  @Test func `work that ends in time ends nothing`() async throws {
    let ending = Ending()
    let work = Computation()
    work.isOver.withLock { $0 = true }
    let reports = try await run(work, try workspace(), ending)
    #expect(reports.map(\.run.outcome) == [.ok])
    try await Task.sleep(for: .milliseconds(1_200))
    let isEnded = ending.report.withLock { $0 != nil }
    #expect(!isEnded)
  }
}
