import Emulator
import Firestore
import Foundation
import Logging
import Model
import Store
import StoreTesting
import Testing

@testable import firetally

/// Lines on standard error, as `docs/commands.md#log-lines` describes them.
@Suite struct LogLineTests {
  private static let members = [
    "message_type", "time", "level", "message", "job", "run", "code",
  ]

  private func lines(_ errors: String) throws -> [[String: Any]] {
    try errors.split(separator: "\n").map { line in
      try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
  }

  @Test
  func `with --log-format json every line has all members, a job's its job, run and code`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(
      """
      kind: sync-settings
      hooks: {on_start: {command: "echo begins; echo again >&2"}, on_failure: {command: "exit 3"}}
      """, to: "jobs/settings.yml")
    workspace.server.inject(.garbage(), times: nil)
    let result = try await workspace.run("run", "--all", "--log-format", "json", "--verbose")
    #expect(result.status == 69)
    let lines = try lines(result.errors)
    for line in lines { #expect(Set(line.keys).isSuperset(of: Self.members), "\(line)") }
    #expect(lines.allSatisfy { ($0["time"] as? String)?.hasPrefix("2026-01-31T08:") == true })
    let run = try #require(try workspace.store().read { try $0.lastRuns() }["settings"]?.id)
    let ofSettings = lines.filter { $0["job"] as? String == "settings" }
    #expect(ofSettings.allSatisfy { $0["run"] as? Int64 == run })
    #expect(
      ofSettings.prefix(2).map { $0["message"] as? String }
        == ["settings: begins", "settings: again"])
    #expect(ofSettings.prefix(2).allSatisfy { $0["level"] as? String == "info" })
    let error = try #require(ofSettings.first { $0["level"] as? String == "error" })
    #expect(error["message_type"] as? String == "error")
    #expect(error["code"] as? Int == 69)
    let others = ofSettings.filter { $0["level"] as? String != "error" }
    #expect(others.allSatisfy { $0["code"] is NSNull })
  }

  @Test func `a server's line break begins no line, and NUL ends no text`() async throws {
    let workspace = try await TemporaryWorkspace(users: 5)
    try workspace.add("notify: 'cat >> told.txt; echo \"$FIRETALLY_ERROR\" >> told.txt'")
    let forged = "2026-01-31T08:00:00Z error: forged: all is lost"
    workspace.server.inject(
      .status(.permissionDenied, message: "No.\n\(forged)\r\n\(forged)\0after"), times: nil)
    let result = try await workspace.run("run", "online-users", "-v")
    #expect(result.status == 77)
    let lines = result.errors.split(whereSeparator: \.isNewline)
    #expect(lines.allSatisfy { !$0.hasPrefix(forged) })
    #expect(result.errors.contains("all is lost␀after"))
    let stored = try workspace.store().read { try $0.lastRuns() }["online-users"]?.error
    #expect(stored?.contains("\(forged) \(forged)␀after") == true)
    let told = try String(
      contentsOf: workspace.folder.appendingPathComponent("told.txt"), encoding: .utf8)
    #expect(told.components(separatedBy: "\(forged)␀after").count == 3)
    #expect(!told.split(whereSeparator: \.isNewline).contains { $0.hasPrefix(forged) })
  }

  @Test func `further lines of a message are indented`() {
    let line = LogLine(.error, "one\ntwo\n2026", job: "j")
    #expect(
      line.text(at: TemporaryWorkspace.morning)
        == "2026-01-31T08:00:00Z error: j: one\n  two\n  2026")
  }

  @Test(arguments: [
    (["run", "--log-format", "json"], 64), (["run", "--forse", "--log-format=json"], 64),
    (["--log-format", "json", "no-such-command"], 64),
    (["status", "-C", "/nonexistent", "--log-format", "json"], 78),
    (["limits", "check", "dance", "--json"], 64), (["--json", "help", "nosuch"], 64),
  ])
  func `with --log-format json an error of the command line is JSON too, in either spelling`(
    arguments: [String], status: Int
  ) async throws {
    let result = try await BuiltProgram().run(arguments)
    #expect(Int(result.status) == status)
    #expect(result.output.isEmpty)
    let line = try #require(try lines(result.errors).first)
    #expect(try lines(result.errors).count == 1)
    #expect(Set(line.keys) == Set(Self.members))
    #expect(line["code"] as? Int == status)
    #expect(line["level"] as? String == "error")
    #expect(line["job"] is NSNull)
    #expect(line["run"] is NSNull)
  }

  @Test func `text log lines begin with the time, those of jobs and of their hooks`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(
      "kind: sync-settings\nhooks: {on_start: {command: echo begins}}\n", to: "jobs/settings.yml")
    let result = try await workspace.run("run", "settings", "online-users", "--verbose")
    #expect(result.status == 3)
    let lines = result.errors.split(separator: "\n")
    #expect(lines.count > 1)
    for line in lines { #expect(line.hasPrefix("2026-01-31T08:0"), "\(line)") }
    #expect(lines.contains { $0.hasSuffix("Z info: settings: begins") })
    #expect(lines.contains { $0.contains("Z warning: online-users: ") })
  }

  @Test
  func `lines of a file that cannot be used are JSON with --log-format json alone`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write("x\n", to: "uses.ndjson")
    let result = try await workspace.run(
      "limits", "replay", workspace.folder.appending(path: "uses.ndjson").path, "--log-format",
      "json")
    let lines = try lines(result.errors)
    #expect(lines.contains { $0["message_type"] as? String == "bad_line" })
    for line in lines { #expect(Set(line.keys).isSuperset(of: Self.members), "\(line)") }
  }

  @Test(arguments: [
    ("run --json", true), ("run --log-format json", true), ("run --log-format=json", true),
    ("run --log-format text", false), ("run json --log-format", false), ("", false),
  ])
  func `the raw arguments say whether JSON is wanted`(arguments: String, isWanted: Bool) {
    #expect(
      LineLog.isJSONWanted(in: arguments.split(separator: " ").map(String.init)) == isWanted)
  }
}
