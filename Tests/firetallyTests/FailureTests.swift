import ArgumentParser
import Emulator
import Firestore
import Foundation
import Model
import Store
import Testing

@testable import firetally

/// Each trouble gives one clear error and the exit status of `docs/commands.md#exit-codes`.
@Suite struct FailureTests {
  @Test func `a wrong job file names file, line and key, and ends with 65`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write("kind: sync-users\npage_sise: 50\n", to: "jobs/online-users.yml")
    let result = try await workspace.run("run", "--all")
    #expect(result.status == 65)
    #expect(result.errors.contains("jobs/online-users.yml:2"))
    #expect(result.errors.contains("page_sise"))
    #expect(result.errors.contains("page_size"))
    #expect(result.output.isEmpty)
    #expect(workspace.userRequests == 0)
  }

  @Test func `a wrong firetally.yml ends with 78`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write("app: [1, 2]\n", to: "firetally.yml")
    let result = try await workspace.run("run", "--all")
    #expect(result.status == 78)
    #expect(result.errors.contains("firetally.yml:1"))
  }

  @Test func `a key file that others can read is a warning of the run that used it`() async throws {
    let workspace = try await TemporaryWorkspace()
    let key = """
      {"type": "authorized_user", "client_id": "a", "client_secret": "b", "refresh_token": "c",
      "token_uri": "http://\(workspace.server.address)/token"}
      """
    try workspace.write(key, to: "key.json")
    try workspace.write(
      """
      app: {name: Chat, bundle_id: com.peppty.ChatApp}
      firestore: {project: demo, credentials: key.json, base_url: "http://\(workspace.server.address)"}
      """, to: "firetally.yml")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644],
      ofItemAtPath: workspace.folder.appendingPathComponent("key.json").path)
    let path = workspace.folder.path
    for arguments in [
      ["run", "settings"], ["settings", "sync"], ["refresh"], ["plan", "online-users"],
      ["filter", "preview", "--country", "Spain"],
    ] {
      let result = try await BuiltProgram().run(arguments + ["-C", path])
      #expect(result.errors.contains("key.json can be read by others (mode 644)"))
    }
    let again = try await BuiltProgram().run("run", "settings", "-C", path, "--quiet")
    #expect(again.errors.isEmpty, "cron is told once: docs/incidents.md#kinds")
    let byHand = try await BuiltProgram().run("run", "settings", "-C", path)
    #expect(!byHand.errors.contains("key.json"), "\(byHand.errors)")
    for run in try workspace.store().read({ try $0.runs(from: Instant(unixSeconds: 0)) }) {
      #expect(run.warnings.contains { $0.contains("key.json") })
      #expect(!run.warnings.contains { $0.contains("refresh_token") })
    }
  }

  @Test(arguments: [
    (["--cacert", "flag.pem", "run", "settings"], "flag.pem"),
    (["run", "settings", "--cacert", "flag.pem"], "flag.pem"),
    (["run", "settings"], "config.pem"),
  ])
  func `certificate authorities come from --cacert, before or after, else from ca_file`(
    arguments: [String], file: String
  ) async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(
      """
      app: {name: Chat, bundle_id: com.peppty.ChatApp}
      firestore:
        project: demo
        token_command: echo token
        base_url: https://\(workspace.server.address)
        ca_file: config.pem
      """, to: "firetally.yml")
    let result = try await BuiltProgram().run(arguments + ["-C", workspace.folder.path])
    #expect(result.status == 69)
    #expect(result.errors.contains(file))
    #expect(result.errors.contains("--cacert or firestore.ca_file"))
  }

  @Test(arguments: [
    ("0", 0), ("90", 90), ("86400", 86_400), ("1s", 1), ("90s", 90), ("5m", 300), ("24h", 86_400),
    ("1d", 86_400),
  ])
  func `--lock-wait takes no second to a day`(text: String, seconds: Int) throws {
    #expect(try LockOptions.parse(["--lock-wait=\(text)"]).lockWait == .seconds(seconds))
  }

  @Test(arguments: ["-1", "86401", "86401s", "25h", "2d", "0s", "1.5s", "m"])
  func `--lock-wait that is no such time ends with 64`(text: String) async throws {
    for command in [["run", "--all"], ["refresh"]] {
      let arguments = command + ["--lock-wait=\(text)"]
      let result = try await BuiltProgram().run(arguments)
      #expect(result.status == 64)
      #expect(
        result.errors.contains("--lock-wait takes 0 to 86400 seconds, or a time such as 90s or 5m.")
      )
    }
  }

  @Test func `a folder that is no workspace ends with 78 and names init`() async throws {
    let result = try await BuiltProgram().run("run", "--all", "-C", "/nonexistent")
    #expect(result.status == 78)
    #expect(result.errors.contains("firetally init"))
  }

  @Test
  func `an unreachable server ends with 69, rows and refresh time as they were`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "online-users")
    let before = try workspace.userIds()
    try await workspace.server.stop()
    let later = TemporaryWorkspace.morning + .seconds(3_000)
    let result = try await workspace.run("run", "online-users", at: later)
    #expect(result.status == 69)
    #expect(result.errors.split(separator: "\n").count == 1)
    #expect(try workspace.userIds() == before)
    let profile = try workspace.store().read { try $0.profile(named: "default") }
    #expect(profile?.usersRefreshedAt == TemporaryWorkspace.morning)
  }

  @Test func `a server that answers garbage ends with 69 and stores nothing`() async throws {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.garbage(), times: nil)
    let result = try await workspace.run("run", "online-users")
    #expect(result.status == 69)
    #expect(try workspace.userIds().isEmpty)
  }

  @Test func `a truncated array is a failure, never a short list`() async throws {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.truncatedArray, times: nil, matching: ":runQuery")
    let result = try await workspace.run("run", "online-users")
    #expect(result.status == 69)
    #expect(try workspace.userIds().isEmpty)
  }

  @Test func `a database that is none ends with 65 and says what to do`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(String(repeating: "no database ", count: 500), to: "data/firetally.sqlite")
    let result = try await workspace.run("run", "--all")
    #expect(result.status == 65)
    #expect(result.errors.contains("data/firetally.sqlite"))
    #expect(result.errors.contains("move the file away"))
    #expect(result.errors.split(separator: "\n").count == 1)
  }

  @Test func `output that cannot be written ends with 1 and names the file`() async throws {
    let workspace = try await TemporaryWorkspace()
    let output = workspace.folder.appendingPathComponent("output")
    try FileManager.default.removeItem(at: output)
    try workspace.write("a file where the folder should be", to: "output")
    let result = try await workspace.run("report")
    #expect(result.status == 1)
    #expect(result.errors.contains("output"))
  }

  @Test
  func `without credentials it ends with 77 and says where they are looked for`() async throws {
    let workspace = try await TemporaryWorkspace()
    var program = workspace.program
    program.environment = ["GCE_METADATA_HOST": "127.0.0.1:1"]
    // The workspace's own project is the demo's, which asks nobody.
    let result = try await program.run(
      "run", "online-users", "-C", workspace.folder.path, "--project", "shop-1")
    #expect(result.status == 77)
    #expect(result.errors.contains("GOOGLE_APPLICATION_CREDENTIALS"))
  }

  @Test func `another project's data is not mixed in: 78`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "online-users")
    let result = try await workspace.run("run", "online-users", "--force", "--project", "other")
    #expect(result.status == 78)
    #expect(result.errors.contains("'demo'"))
    #expect(result.errors.contains("'other'"))
  }

  @Test func `a lock that another process holds ends with 75 and names the holder`() async throws {
    let workspace = try await TemporaryWorkspace()
    workspace.server.inject(.delay(.seconds(30)), matching: ":runQuery")
    let first = try workspace.start(["run", "online-users"])
    while workspace.userRequests == 0 { try await Task.sleep(for: .milliseconds(20)) }
    let second = try await workspace.run("run", "settings", "--lock-wait", "0")
    #expect(second.status == 75)
    #expect(second.errors.contains("pid \(first.process.processIdentifier)"))
    let report = try await workspace.run("report")
    #expect(report.status == 0)
    first.kill()
    _ = try await first.wait()
    #expect(try await workspace.run("run", "settings", "--lock-wait", "0").status == 0)
  }

  @Test(arguments: [
    ["run"], ["run", "--all", "--due"], ["runn"], ["run", "no-such-job"],
    ["users", "list", "--limit", "251"],
    ["users", "list", "--min-age", "17"], ["limits", "check", "dance"],
    ["rating", "submit", "6"],
    ["rating", "submit", "1", "--feedback", "short"], ["status", "--now", "yesterday"],
  ])
  func `wrong words on the command line end with 64`(arguments: [String]) async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "settings")
    let result = try await workspace.program.run(arguments + ["-C", workspace.folder.path])
    #expect(result.status == 64)
    #expect(!result.errors.isEmpty)
  }
}
