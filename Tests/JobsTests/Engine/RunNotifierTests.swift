import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import Store
import SyncTesting
import Synchronization
import Testing
import Workspace

/// The hooks that a run runs: those of the workspace, those of the job, and those that run once per
/// outage.
struct RunNotifierTests {
  private static let app = "app: {name: Chat, bundle_id: com.example.app}\n"
  private static let defaults = """
    hooks:
      on_start: {ping: "https://all/start"}
      on_success: {ping: "https://all/{job}"}
      on_failure: {ping: "https://all/fail"}

    """
  private static let once = """
    hooks:
      on_success: {ping: "https://h/works", once_per_outage: true}
      on_failure: {ping: "https://h/fails", once_per_outage: true}

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

  /// Runs jobs as the program does, which records its messages.
  private func run(
    _ workspace: TestWorkspace, _ choice: JobRequest.Choice = .all, after minutes: Int = 0,
    hookStatus: Int = 200
  ) async throws {
    let now = Instant.morning + .seconds(60 * minutes)
    _ = try await workspace.scheduler(
      at: ManualClock(start: now), hookStatus: hookStatus,
      ended: { report in RunPrintout(of: report.notices.filter { !$0.isDelivered }) }
    ).run(JobRequest(choice))
  }

  @Test func `a job without hooks has those of the workspace`() async throws {
    let workspace = try workspace(all: Self.defaults)
    try await run(workspace)
    #expect(workspace.pinged == ["https://all/start", "https://all/settings"])
  }

  @Test func `a job's own hook of an event wins, and none switches it off`() async throws {
    let workspace = try workspace(
      job: "hooks: {on_start: none, on_success: {ping: \"https://own\"}}\n", all: Self.defaults)
    try await run(workspace)
    fail(workspace)
    try await run(workspace)
    #expect(workspace.pinged == ["https://own", "https://all/fail"])
  }

  @Test func `a job whose file is wrong tells the workspace's hook of failures`() async throws {
    let workspace = try workspace(all: Self.defaults)
    try workspace.write("kind: nothing\nhooks: {on_failure: none}\n", to: "jobs/broken.yml")
    try await workspace.run(.named(["broken"]))
    #expect(workspace.pinged == ["https://all/fail"])
  }

  @Test func `an outage is told once, and once that it is over`() async throws {
    let workspace = try workspace(job: Self.once)
    try await run(workspace)
    #expect(workspace.pinged.isEmpty)
    fail(workspace)
    for _ in 1...3 { try await run(workspace) }
    #expect(workspace.pinged == ["https://h/fails"])
    workspace.services.failFirestore(with: nil)
    for _ in 1...3 { try await run(workspace) }
    #expect(workspace.pinged == ["https://h/fails", "https://h/works"])
    // A failure that comes back at once is the same incident, with a message after an hour at the
    // earliest.
    fail(workspace)
    try await run(workspace)
    #expect(workspace.pinged == ["https://h/fails", "https://h/works"])
  }

  @Test func `an end is left to hooks where every job has one, else to notify`() async throws {
    for often in ["", Self.once] {
      let workspace = try TestWorkspace(
        jobs: [
          "often": "kind: sync-settings\n\(often)", "rare": "kind: sync-settings\n\(Self.once)",
        ],
        configuration: Self.app + "notify: {ping: https://ntfy.sh/x, body: text}\n")
      try workspace.fill(users: 0)
      fail(workspace)
      try await run(workspace, .named(["often", "rare"]))
      workspace.services.failFirestore(with: nil)
      try await run(workspace, .named(["often"]), after: 5)
      let subjects = workspace.posted.map { String($0.prefix { $0 != "\n" }) }
      let told = ["Chat: no answer from Firestore", "Chat: Firestore answers again"]
      #expect(subjects == (often.isEmpty ? told : []))
    }
  }

  @Test func `what could not be told is told with the next run`() async throws {
    let workspace = try workspace(job: Self.once)
    fail(workspace)
    for _ in 1...2 { try await run(workspace, hookStatus: 500) }
    for _ in 1...2 { try await run(workspace) }
    #expect(workspace.pinged == Array(repeating: "https://h/fails", count: 3))
    workspace.services.failFirestore(with: nil)
    try await run(workspace, hookStatus: 500)
    for _ in 1...2 { try await run(workspace) }
    #expect(
      workspace.pinged.suffix(3) == ["https://h/fails", "https://h/works", "https://h/works"])
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
    #expect(workspace.pinged == ["https://h/works"])
  }

  @Test func `a job that comes and goes is told to work again, once it is quiet`() async throws {
    let workspace = try workspace(job: Self.once)
    try workspace.write("kind: settle\n", to: "jobs/settle.yml")
    let told = ["https://h/fails", "https://h/works", "https://h/fails", "https://h/works"]
    for (minute, works, count) in [
      (0, false, 1), (5, true, 2), (10, false, 2), (65, false, 3), (70, true, 3), (124, true, 3),
      (125, true, 4), (130, true, 4),
    ] {
      workspace.services.failFirestore(
        with: works ? nil : FirestoreError.refusal(.unavailable))
      try await run(workspace, .named(["settings"]), after: minute)
      // A command of other jobs leaves it to the hook.
      if minute == 124 { try await run(workspace, .named(["settle"]), after: 125) }
      #expect(workspace.pinged == Array(told.prefix(count)), "\(minute)")
    }
  }

  @Test func `what a hook is about to tell no other command may tell`() async throws {
    let workspace = try workspace(job: Self.once)
    fail(workspace)
    let free = Mutex<[Bool]>([])
    let hooks = HookRunner(
      workspace: workspace.folder, environment: [:],
      ping: { [store = workspace.store] _ in
        let open = try store.read { try $0.openIncidents(at: .morning) }
        free.withLock { $0 += open.map { IncidentRule.isUnclaimed($0, at: .morning) } }
        return HookAnswer(status: 200)
      }, said: { _, _, _ in }, sleep: { _ in })
    let scheduler = JobScheduler(
      try workspace.context(at: ManualClock(start: .morning)), hooks: hooks,
      lock: LockRequest(.thisProcess(command: "t", since: .morning), wait: .zero, isPatient: true))
    _ = try await scheduler.run(JobRequest(.named(["settings"])))
    let seen = free.withLock { $0 }
    #expect(seen == [false])
  }
}
