import Foundation
import Model
import Store
import StoreTesting
import Testing

/// One job file that is wrong stops that job alone: docs/jobs.md#job-files.
@Suite struct BadJobFileTests {
  private func workspace() async throws -> TemporaryWorkspace {
    let workspace = try await TemporaryWorkspace()
    try workspace.write("kind: maintain\nkeep_backup: 1\n", to: "jobs/bad.yml")
    return workspace
  }

  private static let problem = "jobs/bad.yml:2:1: keep_backup: unknown key"

  @Test func `run --all runs the others, says what is wrong, and ends with 65`() async throws {
    let workspace = try await workspace()
    let result = try await workspace.run("run", "--all")
    #expect(result.status == 65 && result.errors.contains("bad: \(Self.problem)"))
    let runs = try workspace.store().read { try $0.lastRuns() }
    #expect(runs["bad"]?.outcome == .failed && runs["bad"]?.error?.contains("keep_backup") == true)
    for job in ["settings", "online-users", "events", "upload-feedback", "maintain", "report"] {
      #expect(runs[job].map { [.ok, .partial, .fresh].contains($0.outcome) } == true, "\(job)")
    }
    let due = try await workspace.run("run", "--due")
    #expect(due.status == 65 && !due.errors.contains(Self.problem), "it is told once a day")
  }

  @Test func `it is not run by its name, and others are by theirs`() async throws {
    let workspace = try await workspace()
    #expect(try await workspace.run("run", "settings").status == 0)
    let bad = try await workspace.run("run", "bad")
    #expect(bad.status == 65 && bad.errors.contains(Self.problem))
    let dry = try await workspace.run("run", "settings", "bad", "--dry-run")
    #expect(dry.status == 65 && dry.output.contains("settings: ") && dry.output.contains("bad: "))
  }

  @Test func `what needs it is blocked with it, and the report is written`() async throws {
    let workspace = try await workspace()
    try workspace.write("kind: maintain\nneeds: [bad]\n", to: "jobs/needy.yml")
    try workspace.write("kind: report\nneeds: [bad]\n", to: "jobs/report.yml")
    #expect(try await workspace.run("run", "--all").status == 65)
    let runs = try workspace.store().read { try $0.lastRuns() }
    #expect(runs["needy"]?.outcome == .blocked && runs["report"]?.outcome == .ok)
    #expect(runs["report"]?.warnings.first?.contains("bad (failed), needy (blocked)") == true)
    #expect(try await workspace.run("run", "needy").status == 0)
  }

  @Test func `status, jobs, plan and report work and name it`() async throws {
    let workspace = try await workspace()
    let status = try await workspace.run("status")
    #expect(status.status == 1 && status.output.contains("Error: bad cannot run: \(Self.problem)"))
    let jobs = try await workspace.run("jobs")
    #expect(jobs.status == 0 && jobs.output.contains("broken"))
    #expect(jobs.output.contains(Self.problem) && jobs.output.contains("settings"))
    let json = try await workspace.run("jobs", "--json")
    #expect(json.output.split(separator: "\n").count == 9 && json.output.contains("keep_backup"))
    let plan = try await workspace.run("plan")
    #expect(plan.status == 65 && plan.output.contains("online-users: "))
    #expect(plan.output.contains("bad: Would fail, because its file is wrong: \(Self.problem)"))
    #expect(try await workspace.run("plan", "settings").status == 0)
    #expect(try await workspace.run("report").status == 0)
    let page = workspace.folder.appendingPathComponent("output/runs.html")
    #expect(try String(contentsOf: page, encoding: .utf8).contains("bad cannot run: "))
  }

  @Test
  func `a load by hand works with another's file, and says what is wrong with its own`()
    async throws
  {
    let workspace = try await workspace()
    #expect([0, 3].contains(try await workspace.run("refresh").status))
    try workspace.write("kind: sync-users\npage_sise: 5\n", to: "jobs/online-users.yml")
    let result = try await workspace.run("refresh")
    #expect(result.status == 65 && result.errors.contains("jobs/online-users.yml:2:1: page_sise"))
    #expect(try await workspace.run("settings", "sync").status == 0)
  }
}
