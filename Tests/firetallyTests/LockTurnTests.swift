import Emulator
import Firestore
import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Testing
import Workspace

/// Who cannot get the lock: docs/running.md#lock.
@Suite struct LockTurnTests {
  /// A workspace in which a process is at a job, and the process.
  private func held(
    _ arguments: [String], at path: String, at now: Instant = TemporaryWorkspace.morning
  ) async throws -> (TemporaryWorkspace, Running) {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.delay(.seconds(60)), times: nil, matching: path)
    let running = try workspace.start(arguments, at: now)
    while !workspace.server.requests.contains(where: { $0.path.contains(path) }) {
      try await Task.sleep(for: .milliseconds(10))
    }
    return (workspace, running)
  }

  private func outcomes(_ workspace: TemporaryWorkspace) throws -> [String: Run.Outcome] {
    try workspace.store().read { try $0.lastRuns() }.mapValues(\.outcome)
  }

  @Test
  func `while another does the same job or a needed one, a run is recorded and all is well`()
    async throws
  {
    let (workspace, holder) = try await held(["run", "settings"], at: "AppSettings")
    defer { holder.kill() }
    for job in ["settings", "online-users"] {
      let result = try await workspace.run("run", job, "--lock-wait", "0")
      #expect(result.status == 0 && result.errors.isEmpty && result.output.isEmpty, "\(result)")
      let run = try #require(try workspace.store().read { try $0.lastRuns() }[job])
      #expect(run.outcome == .locked && run.refusedBy == .lock && run.endedAt != nil)
      #expect(run.error?.contains("pid \(holder.process.processIdentifier)") == true)
    }
    let status = try await workspace.run("status")
    #expect(status.output.contains(/settings +Running/) && !status.output.contains("interrupted"))
    let json = try await workspace.run("run", "settings", "--lock-wait", "0", "--json")
    #expect(json.output.contains(#""outcome":"locked""#))
  }

  @Test
  func `while another does something else, it is 75 and both are named, and it is no outage`()
    async throws
  {
    let (workspace, holder) = try await held(["run", "settings"], at: "AppSettings")
    let first = try await workspace.run("run", "maintain", "--lock-wait", "0")
    #expect(
      first.status == 75 && first.errors.contains("maintain: Not run: the job settings of pid"))
    #expect(try outcomes(workspace)["maintain"] == .locked)
    let second = try await workspace.run("run", "maintain", "--lock-wait", "0")
    #expect(second.status == 75)
    #expect(
      second.errors.hasSuffix(
        "error: maintain: Still failing, incident 1: maintain cannot run, the workspace is locked. "
          + "`firetally incidents` has the reason.\n"))
    #expect(second.errors.split(separator: "\n").count == 1, "\(second.errors)")
    let quiet = try await workspace.run("run", "maintain", "--lock-wait", "0", "--quiet")
    #expect(quiet.status == 75 && quiet.errors.isEmpty, "it is told once")
    let status = try await workspace.run("status")
    #expect(
      status.output.contains(
        "lock     held by the job settings of pid \(holder.process.processIdentifier)"))
    holder.kill()
    _ = try await holder.wait()
    let after = try await workspace.run("run", "maintain", at: .morning + .seconds(60))
    #expect(after.status == 0 && after.errors.contains("The workspace is free again"))
    #expect(try await !workspace.run("status").output.contains("held by"))
  }

  @Test
  func `after a locked run no hook tells of a recovery, and an outage before it goes on`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(
      """
      kind: sync-settings
      hooks:
        on_success: {command: "echo ok $FIRETALLY_FAILURES >> heard", once_per_outage: true}
        on_failure: {command: "echo failed $FIRETALLY_FAILURES >> heard"}
      """, to: "jobs/settings.yml")
    func locked(at now: Instant) async throws {
      let lock = try await WorkspaceLock.acquire(
        Workspace(root: workspace.folder.path), for: .thisProcess(command: "c", since: .morning),
        wait: .zero, sleep: { _ in })
      let result = try await workspace.run("run", "settings", "--lock-wait", "0", at: now)
      #expect(result.status == 75)
      lock.release()
    }
    func heard() throws -> String {
      let file = workspace.folder.appendingPathComponent("heard")
      guard FileManager.default.fileExists(atPath: file.path) else { return "" }
      return try String(contentsOf: file, encoding: .utf8)
    }
    try await locked(at: .morning)
    let run = try await workspace.run("run", "settings", at: .morning + .seconds(60))
    #expect(run.status == 0 && run.errors.contains("The workspace is free again"))
    #expect(try heard().isEmpty)
    workspace.server.inject(.status(.permissionDenied), times: 1, matching: "AppSettings")
    _ = try await workspace.run("run", "settings", at: .morning + .seconds(120))
    try await locked(at: .morning + .seconds(180))
    let back = try await workspace.run("run", "settings", at: .morning + .seconds(240))
    #expect(back.errors.contains("settings: Works again, after 1 run that failed"))
    #expect(try heard() == "failed 1\nok 1\n")
  }

  @Test func `a holder that is older than its own timeout covers nothing`() async throws {
    let (workspace, holder) = try await held(["run", "settings"], at: "AppSettings")
    defer { holder.kill() }
    let morning = TemporaryWorkspace.morning
    // The shipped file says 5m.
    let young = try await workspace.run(
      "run", "settings", "--lock-wait", "0", at: morning + .seconds(290))
    #expect(young.status == 0)
    let old = try await workspace.run(
      "run", "settings", "--lock-wait", "0", at: morning + .seconds(310))
    #expect(old.status == 75 && old.errors.contains("longer than its timeout of 5m allows"))
  }

  @Test
  func `of several jobs each is judged, the report is written, and they stay due`() async throws {
    let (workspace, holder) = try await held(["run", "settings"], at: "AppSettings")
    let result = try await workspace.run("run", "--due", "--lock-wait", "0")
    #expect(result.status == 75)
    let outcomes = try outcomes(workspace)
    // The run of settings that goes on has met its schedule.
    for job in ["online-users", "events", "maintain", "upload-feedback"] {
      #expect(outcomes[job] == .locked, "\(job)")
    }
    #expect(outcomes["report"] == .ok)
    let told = result.errors.split(separator: "\n")
    #expect(told.count == 1 && told[0].contains("events: Not run: the job settings"), "\(told)")
    holder.kill()
    _ = try await holder.wait()
    let due = try await workspace.run("run", "--due", "--dry-run")
    #expect(due.output.contains("maintain: ") && due.output.contains("online-users: "))
  }

  @Test
  func `a refresh that cannot get the lock is recorded, costs nothing and ends with 75`()
    async throws
  {
    let (workspace, holder) = try await held(["run", "settings"], at: "AppSettings")
    defer { holder.kill() }
    let result = try await workspace.run("refresh", "--lock-wait", "0")
    #expect(result.status == 75 && result.errors.contains("online-users: Not run: "))
    #expect(try outcomes(workspace)["online-users"] == .locked)
    let usage = try workspace.store().read {
      try $0.limitState(profile: "default", feature: .refresh)
    }.usage
    #expect(usage == 0)
  }

  @Test func `without a terminal a command waits for its turn longer than on one`() async throws {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.delay(.seconds(12)), matching: "AppSettings")
    let first = try workspace.start(["run", "settings"])
    while workspace.server.requests.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    let second = try await workspace.run("run", "events")
    #expect(second.status == 0 && second.errors.isEmpty)
    #expect(try await first.wait().status == 0)
    #expect(try outcomes(workspace)["events"] == .fresh || outcomes(workspace)["events"] == .ok)
  }
}
