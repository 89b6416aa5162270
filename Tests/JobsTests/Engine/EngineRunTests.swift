import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import Store
import Sync
import SyncTesting
import Synchronization
import Testing
import Workspace
@testable import App

/// Hooks, timeouts, budgets and announcements of single runs.
struct EngineRunTests {
  private static let hooks = """
    hooks:
      on_start: {ping: "https://h/start"}
      on_success: {ping: "https://h/success"}
      on_failure: {ping: "https://h/failure"}

    """

  private func workspace(_ more: String = "") throws -> TestWorkspace {
    let workspace = try TestWorkspace(jobs: [
      "settings": "kind: sync-settings\n\(Self.hooks)\(more)"
    ])
    try workspace.fill(users: 30)
    return workspace
  }

  @Test func `the hooks of a run are called at its beginning and at its end`() async throws {
    let workspace = try workspace()
    try await workspace.run(.all)
    #expect(workspace.pinged == ["https://h/start", "https://h/success"])
    workspace.services.failFirestore(with: FirestoreError.refusal(.unavailable))
    try await workspace.run(.all)
    #expect(workspace.pinged.suffix(2) == ["https://h/start", "https://h/failure"])
  }

  @Test func `an interrupted run calls the hook of a failure`() async throws {
    let workspace = try workspace()
    workspace.services.failFirestore(with: CancellationError())
    try await workspace.run(.all)
    #expect(workspace.pinged == ["https://h/start", "https://h/failure"])
  }

  @Test func `a hook that fails is an alert, and not a failure`() async throws {
    let workspace = try workspace()
    let reports = try await workspace.scheduler(hookStatus: 500).run(JobRequest(.all))
    #expect(reports[0].run.outcome == .ok)
    #expect(reports[0].alerts.count == 2)
    #expect(reports[0].alerts.allSatisfy { $0.contains("got status 500 from h") })
    #expect(reports[0].run.warnings.suffix(2) == reports[0].alerts.suffix(2))
  }

  @Test func `a locked out job calls no hook`() async throws {
    let workspace = try workspace()
    let lock = try await WorkspaceLock.acquire(
      workspace.folder, for: .thisProcess(command: "other", since: .morning), wait: .zero,
      sleep: { _ in })
    defer { lock.release() }
    try await workspace.run(.all)
    #expect(workspace.pinged.isEmpty)
  }

  @Test func `a job is stopped when its time is up`() async throws {
    let workspace = try workspace("timeout: 90s\n")
    let services = ScriptedServices(HangingFirestore()).services()
    let clock = ManualClock(start: .morning)
    let scheduler = try workspace.scheduler(at: clock, services: services)
    async let running = scheduler.run(JobRequest(.all))
    while clock.sleeps == 0 { await Task.yield() }
    clock.advance(by: .milliseconds(89_999))
    #expect(workspace.pinged == ["https://h/start"])
    clock.advance(by: .milliseconds(1))
    let reports = try await running
    #expect(reports[0].error as? WorkspaceError == .timedOut(after: .seconds(90)))
    #expect(reports[0].run.outcome == .failed)
    #expect(reports[0].run.endedAt == .morning + .seconds(90))
  }

  /// 30 users are read 10 at a time: a budget of 29 ends within the last page.
  @Test(arguments: [(29, "blocked"), (36, "blocked"), (37, "ok")])
  func `a run ends at its read budget, and the next one goes on`(
    reads: Int, outcome: String
  ) async throws {
    let workspace = try TestWorkspace(jobs: [
      "orders": """
      kind: sync-collection
      collection: Orders
      page_size: 10
      max_reads: \(reads)

      """
    ])
    let documents = (10..<46).map { ("Orders/o\($0)", ["n": Value.integer(Int64($0))]) }
    workspace.firestore.put(Dictionary(uniqueKeysWithValues: documents))
    let first = try await workspace.run(.all)
    #expect(first[0].run.outcome.rawValue == outcome)
    if outcome == "blocked" {
      guard case WorkspaceError.readBudget? = first[0].error else {
        Issue.record("\(String(describing: first[0].error))")
        return
      }
      let second = try await workspace.run(.all)
      #expect(second[0].run.outcome == .ok)
      #expect(first[0].run.counts.inserted + second[0].run.counts.inserted == 36)
    }
  }

  @Test func `what a day may read ends the runs of the day`() async throws {
    let workspace = try TestWorkspace(
      jobs: ["settings": "kind: sync-settings\n"],
      configuration: "app: {name: Chat, bundle_id: com.example.app}\ncost: {max_reads_per_day: 1}\n"
    )
    try workspace.fill(users: 0)
    #expect(try await workspace.run(.all)[0].run.outcome == .ok)
    try workspace.store.write { writer in
      var run = Run(job: "other", kind: "sync-users", trigger: .manual, startedAt: .morning)
      run.id = try writer.begin(run)
      run.endedAt = .morning
      run.counts.billedReads = 1
      try writer.finish(run)
    }
    let again = try await workspace.run(.all)
    #expect(again[0].run.outcome == .blocked)
    let tomorrow = try await workspace.run(.all, at: .morning + .seconds(86_400))
    #expect(tomorrow[0].run.outcome == .ok)
  }

  @Test func `an allowance that is back is announced once`() async throws {
    let workspace = try TestWorkspace(jobs: [
      "settle": "kind: settle\non_reset: {ping: \"https://h/reset\"}\n"
    ])
    let session = try workspace.session()
    // Two uses reach the limit, the third tap starts the cooldown of 120 seconds.
    for _ in 1...3 { _ = try session.use(.refresh, now: .morning) }
    let end = Instant.morning + .seconds(120)
    let early = try await workspace.run(.all, at: end - .microseconds(1_000_001))
    #expect(early[0].run.outcome == .fresh && workspace.pinged.isEmpty)
    let reports = try await workspace.run(.all, at: end)
    #expect(reports[0].run.counts.updated == 1)
    #expect(workspace.pinged == ["https://h/reset"])
    try await workspace.run(.all, at: end)
    #expect(workspace.pinged == ["https://h/reset"])
  }
}

/// A Firestore that never answers.
private struct HangingFirestore: FirestorePort {
  func page(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?,
    scan: (inout [UInt8]) throws -> ScannedPage
  ) async throws {
    try await hang()
  }

  func count(
    of query: StructuredQuery, under parent: String?, readTime: Timestamp?
  ) async throws -> Int {
    try await hang()
    return 0
  }

  func document(at path: String, readTime: Timestamp?) async throws -> Document? {
    try await hang()
    return nil
  }

  func documents(at paths: [String]) async throws -> [String: Document] {
    try await hang()
    return [:]
  }

  func create(documentId: String, in collection: String, fields: [String: Value]) async throws {
    try await hang()
  }

  func create(_ documents: [String: [String: Value]]) async throws -> [String: FirestoreError] {
    try await hang()
    return [:]
  }

  /// Until the task is cancelled.
  private func hang() async throws {
    try await Task.sleep(for: .seconds(3_600))
  }
}
