import Firestore
import Fixtures
import Jobs
import JobsTesting
import Model
import Store
import SyncTesting
import Testing

/// What is kept of a run's log lines: docs/runs.md#log.
struct RunLogRecorderTests {
  private func log(of workspace: TestWorkspace, run id: Int64 = 1) throws -> [String] {
    try workspace.store.read { try $0.log(ofRun: id) }.lines.map { "\($0.level): \($0.message)" }
  }

  private func workspace(_ more: String = "") throws -> TestWorkspace {
    let workspace = try TestWorkspace(jobs: ["settings": "kind: sync-settings\n\(more)"])
    try workspace.fill(users: 5)
    return workspace
  }

  @Test func `a run that did well has its summary`() async throws {
    let workspace = try workspace()
    let reports = try await workspace.run(.all)
    #expect(try log(of: workspace) == ["info: \(reports[0].summary)"])
    #expect(reports[0].run.exitStatus == nil)
  }

  @Test func `a failed run has its error before its summary, and the status of the error`()
    async throws
  {
    let workspace = try workspace()
    let error = FirestoreError.refusal(.unavailable)
    workspace.services.failFirestore(with: error)
    let reports = try await workspace.run(.all)
    #expect(try log(of: workspace) == ["error: \(error)", "error: \(reports[0].summary)"])
    #expect(try workspace.store.read { try $0.run(id: 1) }?.exitStatus == 1)
  }

  @Test func `a hook that failed is a warning before the summary`() async throws {
    let workspace = try workspace("hooks:\n  on_success: {ping: \"https://h/success\"}\n")
    let reports = try await workspace.scheduler(hookStatus: 500).run(JobRequest(.all))
    let lines = try log(of: workspace)
    #expect(lines.count == 2 && lines[0].hasPrefix("warning: The on_success hook of the job"))
    #expect(lines[1] == "info: \(reports[0].summary)")
  }

  @Test func `a blocked job has its reason once`() async throws {
    let workspace = try TestWorkspace(jobs: [
      "settings": "kind: sync-settings\n", "users": "kind: sync-users\nneeds: [settings]\n",
    ])
    workspace.services.failFirestore(with: FirestoreError.refusal(.unavailable))
    let reports = try await workspace.run(.all)
    #expect(reports.last?.run.outcome == .blocked)
    #expect(try log(of: workspace, run: 2) == ["error: \(reports.last?.summary ?? "")"])
  }

  @Test func `each run has a log of its own`() async throws {
    let workspace = try workspace()
    let first = try await workspace.run(.all)
    let second = try await workspace.run(.all)
    #expect(try log(of: workspace) == ["info: \(first[0].summary)"])
    #expect(try log(of: workspace, run: 2) == ["info: \(second[0].summary)"])
  }
}
