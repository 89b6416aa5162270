import Emulator
import Firestore
import Foundation
import Model
import Testing

/// What an operator sees who looks after a failure, a missing variable, or in the wrong folder:
/// docs/running.md#status.
@Suite struct StatusCommandTests {
  private let morning = TemporaryWorkspace.morning

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
    let text = try await workspace.run("report", "--text", "runs", at: now).output
    let pages = text.components(separatedBy: "\nRuns · ChatHub\n===")
    #expect(pages.count == 2, "\(text)")
    // Each of the two pages says it once.
    for page in pages {
      let words = page.replacing(/\s+/, with: " ")
      #expect(words.components(separatedBy: "have failed since").count == 2, "\(page)")
    }
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
      ["incidents"], ["limits", "show"],
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
    #expect(!doctor.output.contains("Nobody gets a message"))
    // What is no hook is needed by all.
    let file = workspace.folder.appending(path: "firetally.yml")
    let text = try String(contentsOf: file, encoding: .utf8)
    try workspace.write(
      text.replacing("time_zone: UTC", with: "time_zone: ${ZONE}"), to: "firetally.yml")
    let status = try await workspace.run("status")
    #expect(status.status == 65 && status.errors.contains("time_zone: the environment variable"))
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
}
