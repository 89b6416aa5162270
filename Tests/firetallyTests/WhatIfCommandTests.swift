import Foundation
import Model
import StoreTesting
import Testing

@Suite struct WhatIfCommandTests {
  private func attempts(in workspace: TemporaryWorkspace) throws -> String {
    let lines = (0..<4).map {
      #"{"at":\#($0),"user":"u\#($0 / 3)","feature":"search","verb":"use"}"#
    }
    try workspace.write(lines.joined(separator: "\n"), to: "attempts.ndjson")
    return workspace.folder.path + "/attempts.ndjson"
  }

  private func objects(_ result: BuiltProgram.Result) throws -> [[String: Any]] {
    try result.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test
  func `a file under two scenarios: one object for each, the settings in force first`() async throws
  {
    let workspace = try await TemporaryWorkspace()
    let path = try attempts(in: workspace)
    let result = try await workspace.run(
      "limits", "what-if", "--file", path, "--json", "--set", "search.limit=1", "--set",
      "search.limit=3,search.cooldown=60")
    #expect(result.status == 0)
    let objects = try objects(result)
    #expect(
      objects.map { "\($0["scenario"] ?? "") \($0["feature"] ?? "") \($0["blocked"] ?? "")" } == [
        "in force search 1", "in force all 1", "search.limit=1 search 2", "search.limit=1 all 2",
        "search.limit=3,search.cooldown=60 search 0", "search.limit=3,search.cooldown=60 all 0",
      ])
    #expect(objects.allSatisfy { $0["message_type"] as? String == "what_if" })
    #expect(objects.map { $0["usersBlocked"] as? Int } == [1, 1, 1, 1, 0, 0])
    #expect(objects.map { $0["usersAffected"] as? Int } == [0, 0, 1, 1, 1, 1])
    #expect(objects.last?["users"] as? Int == 2)
    #expect(objects[4]["cooldownSeconds"] as? Int == 60)
    #expect(
      !FileManager.default.fileExists(atPath: workspace.folder.path + "/data/firetally.sqlite"))
  }

  @Test
  func `the table has a column for each scenario, every share its denominator, and definitions`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    let path = try attempts(in: workspace)
    let result = try await workspace.run(
      "limits", "what-if", "--file", path, "--set", "search.limit=1", "--from", "1970-01-01",
      "--to", "1970-01-01T00:00:03Z")
    #expect(result.output.hasPrefix("SEARCH"))
    #expect(result.output.contains("in force"))
    #expect(result.output.contains("1 of 3 (33%)"))
    #expect(result.output.contains("2 of 3 (67%)"))
    #expect(result.output.contains("Users blocked: users with at least one blocked attempt"))
  }

  @Test
  func `the ledger is compared, with the taps of commands, and what they did is in force`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    for second in 0..<3 {
      _ = try await workspace.run(
        "limits", "use", "filter", at: TemporaryWorkspace.morning + .seconds(second))
    }
    _ = try await workspace.run("limits", "subscribe", "filter")
    let compared = try await objects(
      workspace.run("limits", "what-if", "--json", "--set", "filter.limit=1"))
    let inForce = try #require(compared.first)
    #expect(inForce["attempts"] as? Int == 3)
    #expect(inForce["performed"] as? Int == 2)
    #expect(inForce["blocked"] as? Int == 1)
    #expect(compared[2]["performed"] as? Int == 1)
    let replayed = try await workspace.run("limits", "replay", "--from-events")
    #expect(replayed.status == 0)
    #expect(
      replayed.output.split(separator: "\n").map { $0.contains("\"canProceed\":true") }
        == [true, true, false])
  }

  @Test func `the ledger begins with the last change of a limit, and says so`() async throws {
    let workspace = try await TemporaryWorkspace()
    for second in [0, 10, 20] {
      _ = try await workspace.run(
        "limits", "use", "filter", at: TemporaryWorkspace.morning + .seconds(second))
    }
    let change = TemporaryWorkspace.morning + .seconds(10)
    try SQLiteFile.execute(
      workspace.folder.appending(path: "data/firetally.sqlite").path,
      "INSERT INTO settings_history (source, wire_name, old_value, new_value, changed_at) "
        + "VALUES ('app-settings', 'freeFilterLimit', '5', '2', \(change.microseconds))")
    let now = TemporaryWorkspace.morning + .seconds(60)
    let command = ["limits", "what-if", "--set", "filter.limit=1"]
    let table = try await workspace.run(command, at: now)
    #expect(
      table.output.hasPrefix(
        "Attempts since the limits last changed: filter limit 5 -> 2 at \(change.iso8601).\n"
          + "Give --from"))
    let lines = try objects(try await workspace.run(command + ["--json"], at: now))
    #expect(lines.map { $0["attempts"] as? Int } == [2, 2, 2, 2])
    #expect(lines[0]["from"] as? String == change.iso8601)
    #expect(lines[0]["lastChange"] as? String == change.iso8601)
    #expect(lines[0]["platform"] as? String == "ios")
    let all = try await workspace.run(command + ["--from", "1970-01-01"], at: now)
    #expect(all.output.hasPrefix("Limits changed in this time: filter limit 5 -> 2 at "))
    let every = try objects(
      try await workspace.run(command + ["--from", "1970-01-01", "--json"], at: now))
    #expect(every.map { $0["attempts"] as? Int } == [3, 3, 3, 3])
    let later = try await workspace.run(command + ["--from", change.iso8601], at: now)
    #expect(later.output.hasPrefix("FILTER"), "the change is no part of the time")
    let android = try await workspace.run(command + ["--platform", "android"], at: now)
    #expect(android.output.hasPrefix("No attempts to compare.\nAttempts since"))
    let file = try await workspace.run(command + ["--platform", "ios", "--file", "x"], at: now)
    #expect(file.status == 64)
  }

  @Test func `nothing to compare, nothing to compare with, and a bad period`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write("", to: "empty.ndjson")
    let path = workspace.folder.path + "/empty.ndjson"
    let empty = try await workspace.run(
      "limits", "what-if", "--file", path, "--set", "refresh.limit=1")
    #expect(empty.status == 0)
    #expect(empty.output == "No attempts to compare.\n")
    #expect(try await workspace.run("limits", "what-if", "--file", path).status == 64)
    let none = try await workspace.run("limits", "what-if", "--set", "refresh.limit=1")
    #expect(none.status == 78)
    for period in [["--from", "yesterday"], ["--from", "2026-01-02", "--to", "2026-01-02"]] {
      let result = try await workspace.run(
        ["limits", "what-if", "--file", path, "--set", "refresh.limit=1"] + period,
        at: TemporaryWorkspace.morning
      )
      #expect(result.status == 64)
    }
    try workspace.write("x\n", to: "bad.ndjson")
    let bad = try await workspace.run(
      "limits", "what-if", "--file", workspace.folder.path + "/bad.ndjson", "--set",
      "refresh.limit=1")
    #expect(bad.status == 65)
  }

  @Test
  func `a good line outside of the time is a good line: status 3 beside a bad one, not 65`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    let path = try attempts(in: workspace)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for (lines, status) in [(text, 0), (text + "\nx\n", 3), ("x\n", 65)] {
      try workspace.write(lines, to: "attempts.ndjson")
      let result = try await workspace.run(
        "limits", "what-if", "--file", path, "--set", "search.limit=1", "--from", "2026-01-01")
      #expect(result.status == status, "\(result.errors)")
    }
  }
}
