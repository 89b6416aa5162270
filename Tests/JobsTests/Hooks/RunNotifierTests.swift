import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import SyncTesting
import Testing

/// Whom a run tells: hooks of the workspace, of the job, once an outage.
struct RunNotifierTests {
  private static let app = "app: {name: Chat, bundle_id: com.example.app}\n"
  private static let defaults = """
    hooks:
      on_start: {ping: "http://all/start"}
      on_success: {ping: "http://all/{job}"}
      on_failure: {ping: "http://all/fail"}

    """
  private static let once = """
    hooks:
      on_success: {ping: "http://h/works", once_per_outage: true}
      on_failure: {ping: "http://h/fails", once_per_outage: true}

    """

  private func workspace(job: String = "", all: String = "") throws -> TestWorkspace {
    let workspace = try TestWorkspace(
      jobs: ["settings": "kind: sync-settings\n\(job)"], configuration: Self.app + all)
    try workspace.fill(users: 1)
    return workspace
  }

  private func fail(_ workspace: TestWorkspace) {
    workspace.services.failFirestore(with: FirestoreError.refusal(.unavailable))
  }

  /// Runs the job as the program does, which remembers what it has told.
  private func run(_ workspace: TestWorkspace, hookStatus: Int = 200) async throws {
    let ledger = IncidentLedger(workspace.store)
    _ = try await workspace.engine(
      hookStatus: hookStatus,
      ended: { report in
        try ledger.remember(report.notices.filter { !$0.isTold }, at: .morning)
      }
    ).run(JobRequest(.all))
  }

  @Test func `a job without hooks has those of the workspace`() async throws {
    let workspace = try workspace(all: Self.defaults)
    try await run(workspace)
    #expect(workspace.pinged == ["http://all/start", "http://all/settings"])
  }

  @Test func `a job's own hook of an event wins, and none switches it off`() async throws {
    let workspace = try workspace(
      job: "hooks: {on_start: none, on_success: {ping: \"http://own\"}}\n", all: Self.defaults)
    try await run(workspace)
    fail(workspace)
    try await run(workspace)
    #expect(workspace.pinged == ["http://own", "http://all/fail"])
  }

  @Test func `a job whose file is wrong tells the workspace's hook of failures`() async throws {
    let workspace = try workspace(all: Self.defaults)
    try workspace.write("kind: nothing\nhooks: {on_failure: none}\n", to: "jobs/broken.yml")
    try await workspace.run(.named(["broken"]))
    #expect(workspace.pinged == ["http://all/fail"])
  }

  @Test func `an outage is told once, and once that it is over`() async throws {
    let workspace = try workspace(job: Self.once)
    try await run(workspace)
    #expect(workspace.pinged.isEmpty)
    fail(workspace)
    for _ in 1...3 { try await run(workspace) }
    #expect(workspace.pinged == ["http://h/fails"])
    workspace.services.failFirestore(with: nil)
    for _ in 1...3 { try await run(workspace) }
    #expect(workspace.pinged == ["http://h/fails", "http://h/works"])
    // What comes back at once is the same incident, and is told an hour later at the earliest.
    fail(workspace)
    try await run(workspace)
    #expect(workspace.pinged == ["http://h/fails", "http://h/works"])
  }

  @Test func `what could not be told is told with the next run`() async throws {
    let workspace = try workspace(job: Self.once)
    fail(workspace)
    for _ in 1...2 { try await run(workspace, hookStatus: 500) }
    for _ in 1...2 { try await run(workspace) }
    #expect(workspace.pinged == Array(repeating: "http://h/fails", count: 3))
    workspace.services.failFirestore(with: nil)
    try await run(workspace, hookStatus: 500)
    for _ in 1...2 { try await run(workspace) }
    #expect(workspace.pinged.suffix(3) == ["http://h/fails", "http://h/works", "http://h/works"])
  }

  @Test func `a recovery that is told late says after how many failures`() async throws {
    let workspace = try workspace(
      job: Self.once.replacing("works\", once", with: "works\", body: text, once"))
    fail(workspace)
    for _ in 1...2 { try await run(workspace) }
    workspace.services.failFirestore(with: nil)
    try await run(workspace, hookStatus: 500)
    for _ in 1...3 { try await run(workspace) }
    #expect(workspace.posted.count == 2)
    for text in workspace.posted {
      #expect(text.contains("settings works again, after 2 runs that failed."))
    }
  }

  @Test func `an interruption is no outage`() async throws {
    let workspace = try workspace(job: Self.once)
    workspace.services.failFirestore(with: CancellationError())
    try await run(workspace)
    workspace.services.failFirestore(with: nil)
    try await run(workspace)
    #expect(workspace.pinged.isEmpty)
  }

  @Test func `a hook that is added during an outage hears of its end`() async throws {
    let workspace = try workspace()
    fail(workspace)
    for _ in 1...2 { try await run(workspace) }
    try workspace.write("kind: sync-settings\n\(Self.once)", to: "jobs/settings.yml")
    try await run(workspace)
    workspace.services.failFirestore(with: nil)
    try await run(workspace)
    #expect(workspace.pinged == ["http://h/works"])
  }
}
