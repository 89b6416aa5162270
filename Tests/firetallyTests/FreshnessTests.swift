import Foundation
import Model
import Store
import Testing

/// The state of jobs in commands and on pages: docs/reports.md#freshness.
@Suite struct FreshnessTests {
  /// Enters a run that has begun and not ended.
  private func begin(_ job: String, _ kind: String, in workspace: TemporaryWorkspace) throws {
    let store = try Store.open(
      path: workspace.folder.appendingPathComponent("data/firetally.sqlite").path)
    let run = Run(
      job: job, kind: kind, trigger: .scheduled, startedAt: TemporaryWorkspace.morning)
    _ = try store.write { try $0.begin(run) }
  }

  private func limitSnapshot(
    of job: String, in workspace: TemporaryWorkspace, at now: Instant
  ) async throws -> [String: String] {
    #expect(try await workspace.run("report", "runs", at: now).status == 0)
    let pages = workspace.folder.appendingPathComponent("output/runs.csv")
    let lines = try String(contentsOf: pages, encoding: .utf8).split(separator: "\r\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let row = lines.first { $0[1] == "jobs" && $0[3] == "job" && $0[4] == job }?[2]
    let cells = lines.filter { $0[1] == "jobs" && $0[2] == row }
    return Dictionary(cells.map { ($0[3], $0[4]) }) { first, _ in first }
  }

  @Test
  func `on Monday a job of working days that last ran on Friday has missed one start`() async throws
  {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(
      "kind: sync-settings\nschedule: \"0 6 * * mon-fri\"\n", to: "jobs/settings.yml")
    let friday = try #require(Instant(iso8601: "2026-01-30T06:00:00Z"))
    _ = try await workspace.run("run", "settings", at: friday)
    let monday = friday + .seconds(3 * 86_400)
    for (seconds, words) in [
      (899, "On time"), (900, "Late"), (87_299, "Late"), (87_300, "Overdue"),
    ] {
      let cells = try await limitSnapshot(
        of: "settings", in: workspace, at: monday + .seconds(seconds))
      #expect(cells["state.words"] == words, "\(cells)")
    }
  }

  @Test func `a report whose row has no end runs, until its timeout has passed`() async throws {
    let workspace = try await TemporaryWorkspace()
    let morning = TemporaryWorkspace.morning
    _ = try await workspace.run("run", "report", at: morning - .seconds(86_400))
    try begin("report", "report", in: workspace)
    let status = try await workspace.run("status", at: morning + .seconds(5))
    #expect(status.status == 0 && status.output.contains("running"))
    let jobs = try await workspace.run("jobs", at: morning + .seconds(5))
    #expect(jobs.output.contains("running"))
    let cells = try await limitSnapshot(of: "report", in: workspace, at: morning + .seconds(5))
    // The grace of 06:35 is past, and the run began after it.
    #expect(cells["state.words"] == "Running" && cells["last_outcome.words"] == "running")
    let later = try await workspace.run("status", at: morning + .seconds(611))
    #expect(later.status == 1 && later.output.contains("interrupted"))
  }

  @Test func `a killed load is interrupted, whatever its timeout`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "settings")
    try begin("settings", "sync-settings", in: workspace)
    let status = try await workspace.run("status", at: TemporaryWorkspace.morning + .seconds(5))
    #expect(status.status == 1 && status.output.contains("interrupted"))
  }
}
