import Emulator
import Model
import Store
import Testing

/// Who keeps the timeout of a job: `docs/jobs.md#job-files`.
@Suite struct TimeoutTests {
  @Test(arguments: [
    ["run", "online-users", "--force"], ["refresh"], ["filter", "apply", "--country", "Germany"],
  ])
  func `a job, a refresh and a filter that take too long are stopped, and leave all as it was`(
    arguments: [String]
  ) async throws {
    let stage = try await FilterStage()
    #expect(try await stage.run("filter", "apply", "--gender", "male").status == 0)
    try stage.workspace.write("kind: sync-users\ntimeout: 1s\n", to: "jobs/online-users.yml")
    let before = try stage.state()
    stage.workspace.server.inject(.delay(.seconds(60)), matching: ":runQuery")
    let running = try stage.workspace.start(arguments, at: TemporaryWorkspace.morning + .seconds(1))
    let result = try await running.wait()
    #expect(result.status == 1)
    #expect(result.errors.contains("reached its timeout of 1s"))
    #expect(try stage.state() == before)
    #expect(try stage.lastRun()?.outcome == .failed)
    #expect(try await stage.run("users", "count", after: 2).status == 0)
  }
}
