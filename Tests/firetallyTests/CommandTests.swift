import Emulator
import Firestore
import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Testing

@Suite struct CommandTests {
  @Test func `init writes a workspace and leaves what is there`() async throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.url.appending(path: "workspace")
    let program = BuiltProgram()
    let first = try await program.run("init", folder.path, "--json")
    #expect(first.status == 0)
    #expect(first.output.contains(#""path":"firetally.yml""#))
    let config = folder.appendingPathComponent("firetally.yml")
    try Data("app: {name: Mine, bundle_id: com.example.mine}\n".utf8).write(to: config)
    let second = try await program.run("init", folder.path, "--json")
    #expect(!second.output.contains(#""written":true"#))
    #expect(try String(contentsOf: config, encoding: .utf8).contains("Mine"))
  }

  @Test func `users are listed newest first, in pages that do not overlap`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "online-users")
    let all = try await Self.objects(workspace.run("users", "list", "--json", "--limit", "250"))
    let times = all.compactMap { $0["lastSeenAtSeconds"] as? Int }
    #expect(times == times.sorted(by: >))
    let count = try await workspace.run("users", "count")
    #expect(count.output == "\(all.count)\n")
    let first = try workspace.store().read { try $0.users(limit: 10) }
    let next = try #require(first.next)
    let second = try await Self.objects(
      workspace.run(
        "users", "list", "--json", "--after", "\(next.lastSeenAtSeconds):\(next.id)"))
    let shown = Set(first.users.map(\.userId))
    #expect(second.allSatisfy { !shown.contains($0["userId"] as? String ?? "") })
    let id = try #require(all.first?["userId"] as? String)
    #expect(try await workspace.run("users", "show", id).output.contains(id))
    #expect(try await workspace.run("users", "show", "nobody").status == 1)
  }

  @Test(arguments: [true, false])
  func `a script goes through all users by the cursor that ends each page`(isJSON: Bool)
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 300)
    try workspace.write(
      "kind: sync-users\nmax_documents: all\npage_size: 300\n", to: "jobs/online-users.yml")
    _ = try await workspace.run("run", "online-users")
    let expected = try workspace.userIds()
    #expect(expected.count > 250)
    var met: [String] = []
    var cursor: [String] = []
    repeat {
      let page = try await workspace.run(
        ["users", "list", "--limit", "250"] + cursor + (isJSON ? ["--json"] : [])
      )
      if isJSON {
        let lines = try Self.objects(page)
        met += lines.compactMap { $0["userId"] as? String }
        let next = lines.last { $0["message_type"] as? String == "next_page" }
        cursor = (next?["after"] as? String).map { ["--after", $0] } ?? []
      } else {
        let lines = page.output.split(separator: "\n").dropFirst()
        let more = lines.last { $0.hasPrefix("more: ") }
        met += lines.filter { $0 != more }.compactMap { $0.split(separator: " ").first }.map(
          String.init)
        cursor = more.map { $0.dropFirst(6).split(separator: " ").map(String.init) } ?? []
      }
    } while !cursor.isEmpty
    #expect(met.sorted() == expected)
  }

  @Test func `the list takes the filter's criteria`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "online-users")
    let women = try await Self.objects(
      workspace.run("users", "list", "--json", "--limit", "250", "--gender", "female"))
    #expect(!women.isEmpty)
    #expect(women.allSatisfy { ($0["gender"] as? String)?.lowercased() == "female" })
    let nearby = try await workspace.run("users", "list", "--nearby")
    #expect(nearby.status == 64)
    #expect(nearby.errors.contains("--city"))
  }

  @Test
  func `the refresh limit: three of the settings' three, 75 with the popup, then free again`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    let morning = TemporaryWorkspace.morning
    _ = try await workspace.run("run", "settings")
    for use in 0..<3 {
      let result = try await workspace.run("refresh", at: morning + .seconds(use))
      #expect(result.status == 0 || result.status == 3)
    }
    let requests = workspace.userRequests
    let blocked = try await workspace.run("refresh", at: morning + .seconds(10))
    #expect(blocked.status == 75)
    #expect(blocked.errors.contains("You've used your 3 free refreshes."))
    #expect(blocked.errors.contains("Time remaining: 2:00"))
    #expect(workspace.userRequests == requests)
    let almost = try await workspace.run(
      "limits", "check", "refresh", at: morning + .milliseconds(128_999))
    #expect(almost.status == 75)
    let over = try await workspace.run("limits", "check", "refresh", at: morning + .seconds(129))
    #expect(over.status == 0)
    let run = try workspace.store().read { try $0.runs(from: morning) }
      .first { $0.outcome == .blocked }
    #expect(run?.trigger == .manual)
  }

  @Test func `a refresh that fails costs nothing`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "settings")
    workspace.server.inject(.status(.permissionDenied), times: nil, matching: ":runQuery")
    #expect(try await workspace.run("refresh").status == 77)
    let state = try workspace.store().read {
      try $0.limitState(profile: "default", feature: .refresh)
    }
    #expect(state.usage == 0)
  }

  @Test func `--explain says the steps, limits show changes nothing`() async throws {
    let workspace = try await TemporaryWorkspace()
    let explained = try await workspace.run("limits", "check", "refresh", "--explain")
    #expect(
      explained.output.hasPrefix(
        "1. clock-sanity: No cooldown seems to begin in the future.\n"
          + "2. expiry: No cooldown runs.\n3. subscribed: "))
    #expect(explained.output.contains("\n5. under-limit: 0 of 2 used: may proceed."))
    let before = try await workspace.run("limits", "show", "--json")
    let after = try await workspace.run("limits", "show", "--json")
    #expect(before.output == after.output)
    #expect(before.output.split(separator: "\n").count == 5)
  }

  @Test func `a rating with feedback waits in the outbox and is listed`() async throws {
    let workspace = try await TemporaryWorkspace()
    let text = "Zu viele Grenzen — \"ehrlich\" 😕"
    let result = try await workspace.run("rating", "submit", "2", "--feedback", text, "--json")
    #expect(result.status == 0)
    let items = try await Self.objects(workspace.run("outbox", "list", "--json"))
    #expect(items.map { $0["state"] as? String } == ["queued"])
    let feedback = try await Self.objects(workspace.run("feedback", "list", "--json"))
    #expect((feedback.first?["feedback"] as? [String: Any])?["text"] as? String == text)
    _ = try await workspace.run("run", "upload-feedback")
    let delivered = try #require(try workspace.deliveredFeedback().first)
    #expect(delivered.id == "1769846400")
    #expect(delivered.fields["feedback"] == .string(text))
    #expect(delivered.fields["rating"] == .double(2))
    let after = try await Self.objects(workspace.run("outbox", "list", "--json"))
    #expect(after.map { $0["state"] as? String } == ["delivered"])
  }

  @Test func `status tells how the jobs ended, and ends with 1 when one failed`() async throws {
    let workspace = try await TemporaryWorkspace()
    #expect(try await workspace.run("status").status == 0)
    workspace.server.inject(.status(.permissionDenied), times: nil)
    _ = try await workspace.run("run", "settings")
    let result = try await workspace.run("status")
    #expect(result.status == 1)
    #expect(result.output.contains("failed"))
    let jobs = try await Self.objects(workspace.run("jobs", "--json"))
    #expect(jobs.count == 8)
  }

  @Test func `the profile's own user is never stored`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "online-users")
    let own = try #require(try workspace.userIds().first)
    let other = try await TemporaryWorkspace()
    _ = try await other.run("profile", "set", "--user-id", own, "--tier", "lite")
    #expect(try await other.run("profile", "show").output.contains("lite"))
    _ = try await other.run("run", "online-users")
    #expect(try !other.userIds().contains(own))
  }

  @Test func `the options of every command may stand before the command too`() async throws {
    let workspace = try await TemporaryWorkspace()
    let folder = workspace.folder.path
    for arguments in [
      ["-C", folder, "run", "settings"], ["--json", "-C", folder, "outbox", "list"],
      ["--workspace=\(folder)", "--quiet", "users", "count"],
      ["--now", "2026-01-31T08:00:00Z", "-C", folder, "run", "settings", "--", "online-users"],
    ] {
      let result = try await workspace.program.run(arguments)
      #expect([0, 3].contains(result.status), "\(arguments): \(result.errors)")
    }
    let runs = try workspace.store().read { try $0.lastRuns() }
    #expect(runs["settings"]?.outcome == .ok)
    #expect(runs["online-users"] != nil)
    for group in [["limits"], ["profile"], ["filter"]] {
      let result = try await workspace.program.run(["-C", folder, "--json"] + group)
      #expect(result.status == 0 && result.output.contains("SUBCOMMANDS"), "\(group)")
    }
    let wrong = try await workspace.program.run(["-C", folder, "--nonsense", "run"])
    #expect(wrong.status == 64)
  }

  static func objects(_ result: BuiltProgram.Result) throws -> [[String: Any]] {
    try result.output.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }
}
