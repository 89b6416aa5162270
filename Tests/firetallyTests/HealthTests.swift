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

  @Test
  func `a lost role is one incident and one finding, whatever path each job asked for`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "documents")
    let begin = morning + .seconds(3_600)
    for offset in [0, 1_200, 2_400] {
      let result = try await workspace.run(
        "run", "settings", "feedback", "-v", at: begin + .seconds(offset))
      #expect(result.status == 77)
    }
    let now = begin + .seconds(2_410)
    let incidents = try await workspace.run("incidents", "--json", at: now)
    let lines = incidents.output.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].contains(#""jobs":["feedback","settings"]"#))
    let status = try await workspace.run("status", at: now)
    #expect(
      status.output.contains(
        "Error: settings and feedback have failed since 09:00, last just now, for one reason: ")
        || status.output.contains(
          "Error: feedback and settings have failed since 09:00, last just now, for one reason: "),
      "\(status.output)")
    #expect(status.output.components(separatedBy: "Error: ").count == 2)
    #expect(status.output.contains("open     1 incident\n"))
    #expect(status.output.contains("since 09:00 (40 min, 6 runs), "))
    #expect(status.output.contains("Failed since 09:00"))
    #expect(!status.output.contains("Overdue"))
    let json = try JSONSerialization.jsonObject(
      with: Data(try await workspace.run("status", "--json", at: now).output.utf8))
    let jobs = try #require((json as? [String: Any])?["jobs"] as? [[String: Any]])
    let settings = jobs.first { $0["job"] as? String == "settings" }
    let since = settings?["failingSince"] as? String
    #expect(since?.hasPrefix("2026-01-31T09:00:0") == true, "\(since ?? "")")
    #expect(settings?["failedRuns"] as? Int == 3)
    let next = settings?["nextRunAt"] as? String
    #expect(next?.hasPrefix("2026-01-31T10:03:00") == true, "\(next ?? "")")
    let page = try await workspace.run("report", "--text", "index", at: now)
    let words = page.output.replacing(/\s+/, with: " ")
    #expect(words.components(separatedBy: "have failed since").count == 2, "\(page.output)")
  }

  @Test func `a run that took a while under --now was just now, not in a while`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    _ = try await workspace.run("run", "settings", at: morning + .seconds(19))
    let status = try await workspace.run("status")
    #expect(status.output.contains("just now"))
    #expect(!status.output.contains("in 19 s  "))
  }

  @Test func `a variable of a hook that only the crontab sets stops no command without hooks`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.add("notify: ${SLACK_WEBHOOK}")
    try workspace.write(
      """
      kind: settle
      on_reset: {command: "tell ${OTHER_HOOK}"}
      hooks: {on_failure: {ping: "${PING_ADDRESS}"}}

      """, to: "jobs/settle.yml")
    for command in [
      ["status"], ["findings"], ["jobs"], ["sql", "SELECT 1"], ["schedule", "next"], ["runs"],
      ["incidents"], ["limits", "list"],
    ] {
      let result = try await workspace.run(command)
      #expect(!result.errors.contains("SLACK_WEBHOOK") && result.status < 2, "\(command)")
      #expect(!result.output.contains("broken") && !result.output.contains("cannot run"))
    }
    let run = try await workspace.run("run", "settings")
    #expect(
      run.status == 65 && run.errors.contains("notify: the environment variable SLACK_WEBHOOK"))
    let hooks = try await workspace.run("hooks", "test")
    #expect(hooks.status == 65)
    let doctor = try await workspace.run("doctor", "--offline")
    #expect(doctor.status == 0, "\(doctor.output)")
    for name in ["SLACK_WEBHOOK", "OTHER_HOOK", "PING_ADDRESS"] {
      #expect(doctor.output.contains("the environment variable \(name) is not set"))
    }
    #expect(!doctor.output.contains("Nobody is told"))
    // What is no hook is needed by all.
    try workspace.add("time_zone: ${ZONE}")
    #expect(try await workspace.run("status").status == 65)
  }

  @Test func `lists show times in time_zone, all in one form`() async throws {
    let workspace = try await TemporaryWorkspace(users: 2)
    let file = workspace.folder.appending(path: "firetally.yml")
    let text = try String(contentsOf: file, encoding: .utf8)
    try workspace.write(
      text.replacing("time_zone: UTC", with: "time_zone: Europe/Berlin"), to: "firetally.yml")
    _ = try await workspace.run("run", "online-users", "settings", "maintain")
    for command in [
      ["jobs"], ["users", "list"], ["backup", "list"], ["runs"], ["settings", "show"],
      ["profile", "list"], ["search", "a"],
    ] {
      let result = try await workspace.run(command)
      #expect(result.output.contains("2026-01-31 0") || command[0] == "search", "\(command)")
      #expect(result.output.contains(" +01:00") || command[0] == "search", "\(command)")
      #expect(!result.output.contains(/\dT\d\d:\d\d/), "\(command): \(result.output)")
    }
  }

  @Test func `a run that failed says what came of it, not that it failed`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    let result = try await workspace.run("run", "settings", "-v")
    #expect(result.output.contains("settings           failed       Nothing was fetched."))
    #expect(!result.output.contains("Failed."))
  }

  @Test func `a folder inside of a workspace is told which it is`() async throws {
    let workspace = try await TemporaryWorkspace(users: 0)
    let jobs = workspace.folder.appending(path: "jobs").path
    let result = try await workspace.program.run("status", "-C", jobs)
    #expect(result.status == 78)
    #expect(
      result.errors.contains(
        "\(jobs) is a folder of the workspace \(workspace.folder.path), and none itself. "),
      "\(result.errors)")
    let other = try await workspace.program.run("status", "-C", "/usr")
    #expect(other.errors.contains("Type `firetally init` there"))
  }

  @Test func `a demo's project is told as nobody's, and what works is named`() async throws {
    let workspace = try await TemporaryWorkspace(users: 0)
    let program = BuiltProgram(environment: ["FIRESTORE_EMULATOR_HOST": ""])
    let result = try await program.run("run", "settings", "-C", workspace.folder.path)
    #expect(result.status == 78, "\(result.errors)")
    for words in ["nobody can have at Google", "firetally emulator", "`firetally status`"] {
      #expect(result.errors.contains(words), "\(result.errors)")
    }
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
    for minute in [1, 2, 34, 62] {
      let again = try await run(minute)
      #expect(
        again.hasSuffix(
          " error: settings: Still failing, incident 1: settings fails. `firetally incidents` has "
            + "the reason.\n"), "\(again)")
    }
    // Its schedule, 3-59/30, may have started these; --quiet is the wish for silence.
    for minute in [3, 33] { #expect(try await run(minute).isEmpty) }
    #expect(try await run(4, "--quiet").isEmpty)
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
