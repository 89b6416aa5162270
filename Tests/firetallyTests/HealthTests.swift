import Emulator
import Firestore
import Foundation
import Model
import Store
import StoreTesting
import Testing

/// What `status` and the pages judge, and what cron's log hears: docs/jobs.md, docs/reports.md.
@Suite struct HealthTests {
  private let morning = TemporaryWorkspace.morning

  private func index(_ workspace: TemporaryWorkspace) throws -> String {
    let page = workspace.folder.appendingPathComponent("output/index.txt")
    return try String(contentsOf: page, encoding: .utf8).replacing(/\s+/, with: " ")
  }

  private func lastRun(_ job: String, _ workspace: TemporaryWorkspace) throws -> Run {
    try #require(try workspace.store().read { try $0.lastRuns() }[job])
  }

  private func lines(_ text: String) -> [Substring] { text.split(separator: "\n") }

  @Test func `what reads works on a database of an older release, which stays as it is`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    let path = workspace.folder.appending(path: "data/firetally.sqlite").path
    try ReleasedDatabase.make(at: path)
    let status = try await workspace.run("status", "--json")
    #expect(status.output.contains(#""message_type":"status""#), "\(status.errors)")
    #expect(status.errors.contains("schema \(ReleasedDatabase.schema), of an older firetally"))
    #expect(try await workspace.run("users", "count").status == 0)
    let doctor = try await workspace.run("doctor", "--offline")
    #expect(
      doctor.output.contains("has schema \(ReleasedDatabase.schema), of an older firetally"))
    #expect(!doctor.output.contains("the database cannot be read"))
    let backup = try await workspace.run("backup")
    #expect(backup.status == 78 && backup.errors.contains("firetally run maintain"))
    #expect(!backup.errors.contains("--all"))
    #expect(try SQLiteFile.integers(path, "PRAGMA user_version") == [23])
    #expect(workspace.server.requests.isEmpty)
  }

  @Test
  func `a failed job makes the status 1, with the page's sentence in full, its cause first`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    #expect(try await workspace.run("run", "--all").status == 77)
    let reason = try #require(try lastRun("settings", workspace).error)
    #expect(reason.count > 100)
    let status = try await workspace.run("status")
    #expect(status.status == 1)
    #expect(status.output.contains("Error: settings failed just now: \(reason)"))
    let findings = lines(status.output).drop { $0 != "Needs attention" }.dropFirst()
      .filter { !$0.hasPrefix("  More: ") }
    #expect(findings.map { $0.split(separator: " ")[1] } == ["settings"])
    let page = try index(workspace)
    #expect(page.contains("settings failed just now"))
    // What only waits for it is named, and has no finding of its own.
    #expect(page.contains("need attention: settings, online-users"))
    #expect(!page.contains("online-users is overdue"))
    let json = try await workspace.run("status", "--json")
    #expect(json.status == 1)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let jobs = try #require(object?["jobs"] as? [[String: Any]])
    let names = jobs.compactMap { $0["job"] as? String }
    #expect(names.filter { ["settings", "online-users"].contains($0) }.first == "settings")
    let settings = jobs.first { $0["job"] as? String == "settings" }
    #expect(settings?["reason"] as? String == "settings failed just now: \(reason)")
    #expect(settings?["error"] as? String == reason)
    #expect(object?["isWell"] as? Bool == false)
  }

  @Test
  func `a job that missed two starts makes the status 1, one that missed one does not`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    for job in ["settings", "online-users", "events", "maintain", "report", "upload-feedback"]
    where job != "settings" {
      try FileManager.default.removeItem(
        at: workspace.folder.appendingPathComponent("jobs/\(job).yml"))
    }
    #expect(try await workspace.run("status").status == 0)
    _ = try await workspace.run("run", "settings")
    for (seconds, status, words) in [
      (180, 0, "On time"), (1_079, 0, "On time"), (1_080, 0, "Late"), (2_879, 0, "Late"),
      (2_880, 1, "Overdue"),
    ] as [(Int, Int32, String)] {
      let result = try await workspace.run("status", at: morning + .seconds(seconds))
      #expect(result.status == status && result.output.contains(words), "\(seconds)")
    }
    let late = try await workspace.run("status", at: morning + .seconds(7_300))
    #expect(
      late.output.contains(
        "Error: settings is overdue: due 09:33, not started; last success 2 hours ago, expected "
          + "every 30 minutes."
      ))
  }

  @Test func `a rejected item makes the status 1, and its reason is told`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    _ = try await workspace.run("profile", "create", "ana")
    #expect(try await workspace.run("status").status == 0)
    let store = try Store.open(
      path: workspace.folder.appendingPathComponent("data/firetally.sqlite").path)
    try store.write { writer in
      let id = try writer.enqueue(.feedback, profile: "default", payload: "{}", at: morning)
      try writer.reject(id: id, reason: "The text is too odd.")
    }
    let status = try await workspace.run("status")
    #expect(status.status == 1)
    #expect(status.output.contains("Error: 1 outbox item was rejected"))
    #expect(status.output.contains("says why.\n  feedback 1: The text is too odd."))
    #expect(try await workspace.run("status", "--json").output.contains("The text is too odd."))
  }

  @Test func `the report is written although other jobs failed, and names them`() async throws {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    for arguments in [["run", "--all"], ["run", "--due"], ["run", "report", "settings"]] {
      _ = try await workspace.run(arguments, at: morning + .seconds(86_400))
      let run = try lastRun("report", workspace)
      #expect(run.outcome == .ok)
      #expect(run.warnings.first?.contains("settings (failed)") == true)
      #expect(try index(workspace).contains("settings failed just now"))
      let output = workspace.folder.appendingPathComponent("output")
      try FileManager.default.removeItem(at: output)
      try FileManager.default.removeItem(
        at: workspace.folder.appendingPathComponent("data/firetally.sqlite"))
    }
  }

  @Test
  func `one outage is told at its start and at its end, and the status tells of each run`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    func run(_ minutes: Int, _ options: String...) async throws -> BuiltProgram.Result {
      try await workspace.run(
        ["run", "settings"] + options, at: morning + .seconds(60 * minutes)
      )
    }
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    // At the minutes of its schedule, as cron starts it.
    let first = try await run(3)
    #expect(first.status == 77 && lines(first.errors).count == 1)
    for minute in [33, 63, 93] {
      let again = try await run(minute)
      #expect(again.status == 77 && again.errors.isEmpty && again.output.isEmpty)
    }
    #expect(try await run(94, "--json").errors.contains(#""code":77"#))
    #expect(try await !run(95, "--verbose").errors.isEmpty)
    workspace.server.clearFaults()
    let end = try await run(123)
    #expect(end.status == 0 && lines(end.errors).count == 1)
    #expect(
      end.errors.contains(
        "settings: Works again, after 6 runs that failed since 2026-01-31T08:03:00Z."))
    #expect(try await run(124).errors.isEmpty)
  }

  @Test func `a job that is run by hand without a terminal says each time that it still fails`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    func run(_ minutes: Int, _ options: String...) async throws -> String {
      let result = try await workspace.run(
        ["run", "settings"] + options, at: morning + .seconds(60 * minutes))
      #expect(result.status == 77)
      return result.errors
    }
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    #expect(try await run(0).contains(" error: settings: Firestore"))
    for (minute, isOfSchedule) in [
      (1, false), (2, false), (3, true), (33, true), (34, false), (62, false),
    ] {
      let again = try await run(minute)
      // Its schedule, 3-59/30, may have started these.
      guard !isOfSchedule else {
        #expect(again.isEmpty)
        continue
      }
      #expect(
        again.hasSuffix(
          " error: settings: Still failing, incident 1: settings fails. `firetally incidents` has "
            + "the reason.\n"), "\(again)")
    }
    // The wish for silence.
    #expect(try await run(64, "--quiet").isEmpty)
  }

  @Test func `a run by hand that leaves the same out again says so`() async throws {
    let workspace = try await TemporaryWorkspace()
    func run(_ minutes: Int) async throws -> BuiltProgram.Result {
      try await workspace.run(
        ["run", "online-users", "--force"], at: morning + .seconds(60 * minutes))
    }
    #expect(try await run(1).errors.contains("online-users: Partial: "))
    let again = try await run(2)
    #expect(again.status == 3)
    #expect(
      again.errors.contains("warning: online-users: Still leaves something out, incident 1: "))
    #expect(try await run(10).errors.isEmpty)
  }

  @Test func `a command that somebody waits for tells each failure, also in a pipe`() async throws {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    #expect(try await workspace.run("run", "settings").errors.contains(" error: settings: "))
    #expect(try await workspace.run("run", "settings", "--quiet").errors.isEmpty)
    for _ in 1...2 {
      let result = try await workspace.run("settings", "sync")
      #expect(result.status == 77 && result.errors.contains(" error: settings: "))
    }
  }

  @Test func `with --quiet a failing hook is told, and what it prints is not`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(
      "kind: sync-settings\nhooks: {on_success: {command: \"echo chatter; exit 3\"}}\n",
      to: "jobs/settings.yml")
    let result = try await workspace.run("run", "settings", "--quiet")
    #expect(result.status == 0 && !result.errors.contains("chatter"))
    #expect(result.errors.contains(" warning: settings: The on_success hook"))
  }

  @Test func `each problem of a job file is a line of the log with a time`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write("kind: sync-users\na: 1\nb: 2\n", to: "jobs/bad.yml")
    let result = try await workspace.run("run", "bad")
    let lines = lines(result.errors)
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.contains("Z error: bad: jobs/bad.yml:") }, "\(lines)")
  }

  @Test
  func `a partial run says why in one line, and only its status does with --quiet`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write("no event\n{\n", to: "data/exports/bad.ndjson")
    try workspace.write("no event either\n", to: "data/exports/worse.ndjson")
    let result = try await workspace.run("run", "events")
    #expect(result.status == 3 && lines(result.errors).count == 1)
    #expect(result.errors.contains("events: Partial: "))
    #expect(result.errors.contains("bad.ndjson") && result.errors.contains("worse.ndjson"))
    try workspace.write("no event now\n", to: "data/exports/third.ndjson")
    let quiet = try await workspace.run("run", "events", "--quiet")
    #expect(quiet.status == 3 && quiet.errors.isEmpty && quiet.output.isEmpty)
  }

  @Test
  func `a load that leaves unreadable documents out names their fields, in log and status`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    let result = try await workspace.run("run", "online-users")
    #expect(result.status == 3 && lines(result.errors).count == 1)
    let reason = "1 user left out: `last_time_seen` is unreadable."
    #expect(result.errors.contains("online-users: Partial: \(reason)"))
    let status = try await workspace.run("status")
    #expect(status.status == 0 && status.output.contains(reason))
  }

  @Test func `a failing hook is told, also of a run that did well`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(
      """
      kind: sync-settings
      hooks:
        on_success: {command: "exit 4"}
      """, to: "jobs/settings.yml")
    let result = try await workspace.run("run", "settings")
    #expect(result.status == 0 && lines(result.errors).count == 1)
    #expect(result.errors.contains("The on_success hook of the job 'settings'"))
  }

  @Test func `a hook hears how often its job has failed in a row`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(
      """
      kind: sync-settings
      hooks:
        on_failure: {command: "echo failed $FIRETALLY_FAILURES >> heard"}
        on_success: {command: "echo ok $FIRETALLY_FAILURES >> heard"}
      """, to: "jobs/settings.yml")
    workspace.server.inject(.status(.permissionDenied), times: 2, matching: "AppSettings")
    for _ in 0..<4 { _ = try await workspace.run("run", "settings") }
    let heard = workspace.folder.appendingPathComponent("heard")
    #expect(
      try String(contentsOf: heard, encoding: .utf8) == "failed 1\nfailed 2\nok 2\nok 0\n")
  }

  @Test func `a backup holds no unfinished run`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "settings")
    #expect(try await workspace.run("run", "maintain").status == 0)
    let restored = workspace.folder.path + "/restored"
    #expect(try await workspace.run("restore", "latest", "--into", restored).status == 0)
    let copy = try Store.open(path: restored + "/data/firetally.sqlite", mode: .readOnly)
    let runs = try copy.read { try $0.runs(from: morning - .seconds(1)) }
    #expect(runs.map(\.job) == ["settings"] && runs.allSatisfy { $0.endedAt != nil })
  }
}
