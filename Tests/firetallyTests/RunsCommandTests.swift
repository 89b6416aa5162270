import Emulator
import Firestore
import Foundation
import Model
import Store
import Testing

/// `firetally runs`; see `docs/runs.md#the-list`.
@Suite struct RunsCommandTests {
  private let morning = TemporaryWorkspace.morning

  private static func objects(_ output: String) throws -> [[String: Any]] {
    try output.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  /// A workspace after a night: settings failed, then worked; users are partial; a hook speaks.
  private func afterNight() async throws -> TemporaryWorkspace {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(
      """
      kind: sync-settings
      hooks:
        on_start: {command: "echo hello from the hook"}
      """, to: "jobs/settings.yml")
    workspace.server.inject(.status(.permissionDenied), times: 1, matching: "AppSettings")
    #expect(try await workspace.run("run", "settings").status == 77)
    _ = try await workspace.run("run", "settings", at: morning + .seconds(60))
    _ = try await workspace.run("run", "online-users", at: morning + .seconds(120))
    return workspace
  }

  @Test
  func `runs come newest first, a line each, with the first line of the reason`() async throws {
    let workspace = try await afterNight()
    let result = try await workspace.run("runs")
    #expect(result.status == 0 && result.errors.isEmpty)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("RUN  JOB"))
    #expect(lines[1].contains("online-users") && lines[1].contains(" partial "))
    #expect(lines[1].contains("2026-01-31 08:02:00 +00:00"))
    #expect(lines[1].contains("1 user left out: `last_time_seen` is unreadable."))
    #expect(lines[3].contains("settings") && lines[3].contains(" failed "))
    #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
    #expect(try await workspace.run("runs", "list").output == result.output)
    #expect(try await workspace.run("runs", "settings").output.split(separator: "\n").count == 3)
    #expect(try await workspace.run("runs", "--limit", "1").output.contains("online-users"))
    let failed = try await workspace.run("runs", "--failed").output.split(separator: "\n")
    #expect(failed.count == 2 && failed[1].contains("settings"))
  }

  @Test func `an audit log is imported once, and the report says who reads`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    func entry(_ id: Int, _ project: String = "demo") -> String {
      #"{"insertId":"\#(id)","timestamp":"2026-01-30T07:00:00Z","protoPayload":{"methodName":"#
        + #""google.firestore.v1.Firestore.RunQuery","resourceName":"projects/\#(project)/"#
        + #"databases/(default)","numResponseItems":"3"}}"#
    }
    try workspace.write([entry(1), entry(2), "{}"].joined(separator: "\n"), to: "a.ndjson")
    let file = "\(workspace.folder.path)/a.ndjson"
    let first = try await workspace.run("runs", "import-audit", file)
    #expect(first.status == 3)
    #expect(
      first.output == "\(file): 2 added, 0 known, 0 of other databases or no reads, 1 rejected\n")
    #expect(first.errors.contains("a.ndjson: 1 entry could not be read. The first is line 3: no m"))
    let again = try await workspace.run("runs", "import-audit", file, "--json")
    let object = try #require(try Self.objects(again.output).first)
    #expect(object["known"] as? Int == 2 && object["added"] as? Int == 0)
    let text = try await workspace.run("report", "runs", "--text").output
    #expect(text.contains("Who reads") && text.contains("Beside the runs of this workspace"))
    try workspace.write(entry(1, "other-app"), to: "b.ndjson")
    let other = try await workspace.run("runs", "import-audit", "\(workspace.folder.path)/b.ndjson")
    #expect(other.status == 0)
    #expect(other.errors.contains("b.ndjson is about projects/other-app/databases/(default), not"))
    #expect(try await workspace.run("runs", "import-audit", "none.ndjson").status == 65)
  }

  @Test func `fresh runs of a job are one line, and each an object of JSON`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    for minute in 0..<4 {
      _ = try await workspace.run("run", "online-users", at: morning + .seconds(60 * minute))
    }
    let lines = try await workspace.run("runs").output.split(separator: "\n")
    #expect(lines.count == 3, "\(lines)")
    #expect(lines[1].contains("2026-01-31 08:03:00") && lines[1].contains(" fresh "))
    #expect(lines[1].hasSuffix("the last of 3 since 2026-01-31 08:01:00 +00:00"))
    #expect(lines[2].contains("2026-01-31 08:00:00"))
    let newest = try await workspace.run("runs", "--limit", "1")
    #expect(newest.output.split(separator: "\n").count == 3)
    #expect(newest.output.hasSuffix("\nmore: --limit 10\n"))
    #expect(try await !workspace.run("runs", "--limit", "2").output.contains("more:"))
    let cut = try await workspace.run("runs", "--json", "--limit", "1")
    #expect(try Self.objects(cut.output).count == 1)
    #expect(try Self.objects(try await workspace.run("runs", "--json").output).count == 4)
  }

  @Test func `options that stand before the command reach the usual list`() async throws {
    let workspace = try await afterNight()
    let program = workspace.program
    let result = try await program.run("-C", workspace.folder.path, "runs")
    #expect(result.status == 0 && result.output.contains("online-users"))
    let json = try await program.run("-C", workspace.folder.path, "--json", "runs", "settings")
    #expect(try Self.objects(json.output).count == 2)
  }

  @Test func `the list as JSON has every member, null where it does not apply`() async throws {
    let workspace = try await afterNight()
    let runs = try Self.objects(try await workspace.run("runs", "--json").output)
    #expect(runs.count == 3)
    #expect(runs.allSatisfy { $0["message_type"] as? String == "run_record" })
    #expect(Set(runs.map { Set($0.keys) }).count == 1)
    let users = try #require(runs.first)
    #expect(users["fetched"] as? Int == 60)
    #expect(users["exitStatus"] as? Int == 3)
    #expect(users["localStartedAt"] as? String == "2026-01-31T08:02:00+00:00")
    let skipped = try #require(users["skippedByReason"] as? [String: Int])
    #expect(skipped.values.reduce(0, +) == users["skipped"] as? Int)
    let failed = try #require(runs.last)
    #expect(failed["exitStatus"] as? Int == 77)
    #expect(failed["isRunning"] as? Bool == false)
    #expect(failed["refusedBy"] is NSNull)
    #expect(runs[1]["reason"] is NSNull)
  }

  @Test func `one run is shown with its error, its skips, its status and its log`() async throws {
    let workspace = try await afterNight()
    let error = try #require(try workspace.store().read { try $0.run(id: 1) }?.error)
    let failed = try await workspace.run("runs", "show", "1")
    #expect(failed.status == 0)
    #expect(failed.output.hasPrefix("run 1  settings (sync-settings, scheduled)\n"))
    #expect(failed.output.contains("\nexit status  77\n"))
    #expect(failed.output.contains("\nError\n  \(error)\n"))
    #expect(failed.output.contains(" info: hello from the hook\n"))
    #expect(failed.output.contains(" error: \(error)\n"))
    let users = try await workspace.run("runs", "show", "3").output
    #expect(users.contains("\nskipped      "))
    #expect(users.contains("bad-field:last_time_seen 1"))
    #expect(users.contains("\nWarnings\n  1 user left out: `last_time_seen` is unreadable."))
    #expect(users.contains(" info: 60 fetched"))
    let json = try Self.objects(try await workspace.run("runs", "show", "1", "--json").output)
    let log = try #require(json.first?["log"] as? [[String: String]])
    #expect(log.first?["message"] == "hello from the hook")
    #expect(log.first?["level"] == "info")
    #expect(json.first?["error"] as? String == error)
    #expect(json.first?["omittedLogLines"] as? Int == 0)
  }

  @Test func `a run that goes on is running, and neither failed nor ended`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "settings")
    let store = try Store.open(
      path: workspace.folder.appendingPathComponent("data/firetally.sqlite").path)
    let run = Run(
      job: "report", kind: "report", trigger: .scheduled, startedAt: morning + .seconds(5))
    let id = try store.write { try $0.begin(run) }
    func outcome(at seconds: Int) async throws -> [String] {
      try await workspace.run("runs", "report", at: morning + .seconds(seconds))
        .output.split(separator: "\n").dropFirst().map { String($0.split(separator: " ")[6]) }
    }
    #expect(try await outcome(at: 10) == ["running"])
    let failed = try await workspace.run("runs", "--failed", at: morning + .seconds(10))
    #expect(failed.output == "No such run has failed.\n")
    // After its timeout it was killed.
    #expect(try await outcome(at: 86_400) == ["interrupted"])
    #expect(try await workspace.run("runs", "show", "\(id)").output.contains("Nothing was logged."))
  }

  @Test
  func `wrong names, ids and numbers end with 64; a new workspace has no runs`() async throws {
    let workspace = try await TemporaryWorkspace(users: 0)
    let empty = try await workspace.run("runs")
    #expect(empty.status == 0 && empty.output == "No run is recorded yet.\n")
    #expect(try await workspace.run("runs", "--json").output.isEmpty)
    let name = try await workspace.run("runs", "setings")
    #expect(name.status == 64 && name.errors.contains("Did you mean 'settings'?"))
    let id = try await workspace.run("runs", "show", "1")
    #expect(id.status == 64 && id.errors.contains("There is no run 1"))
    for arguments in [["--limit", "0"], ["--limit", "10001"], ["show"], ["show", "x"]] {
      #expect(try await workspace.run(["runs"] + arguments).status == 64)
    }
  }

  @Test func `the runs of a job whose file is gone are still listed`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "settings")
    try FileManager.default.removeItem(
      at: workspace.folder.appendingPathComponent("jobs/settings.yml"))
    let result = try await workspace.run("runs", "settings")
    #expect(result.status == 0 && result.output.contains("settings"))
  }

  @Test func `status names the command that shows more of a run that went wrong`() async throws {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    _ = try await workspace.run("run", "settings")
    let status = try await workspace.run("status")
    #expect(status.output.contains("\n  More: firetally runs show 1\n"))
    let object = try #require(
      try Self.objects(try await workspace.run("status", "--json").output).first)
    let jobs = try #require(object["jobs"] as? [[String: Any]])
    #expect(jobs.first { $0["job"] as? String == "settings" }?["troubledRun"] as? Int == 1)
    #expect(jobs.first { $0["job"] as? String == "report" }?["troubledRun"] == nil)
  }
}
