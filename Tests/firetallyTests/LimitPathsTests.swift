import Emulator
import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Testing

/// The four ways to a limit on the built program: they print the same, on a terminal and as JSON.
@Suite struct LimitPathsTests {
  private static let paths: [[String]] = [
    ["limits", "use", "refresh"], ["refresh"], ["limits", "use", "filter"], ["filter", "apply"],
    ["limits", "use", "search"], ["search", "name"],
  ]

  /// The events of one path, without what belongs to the feature alone.
  private func ledger(of path: [String]) async throws -> [Event] {
    let stage = try await FilterStage()
    for seconds in [0, 5, 10, 70, 400, 401] {
      _ = try await stage.workspace.run(
        path, at: TemporaryWorkspace.morning + .seconds(seconds)
      )
    }
    let feature = ["refresh", "filter", "search"].first { path.contains($0) } ?? ""
    return try stage.events().map { event in
      var event = event
      event.name = event.name.replacing("_\(feature)_", with: "_")
      event.parameters = Dictionary(
        uniqueKeysWithValues: event.parameters.compactMap { name, value in
          if name.hasPrefix("ios_filter_") { return nil }
          let isId = name == "ios_session_id"
          return (name.replacing("_\(feature)_", with: "_"), isId ? .integer(0) : value)
        })
      return event
    }
  }

  @Test func `the same history through any command leaves the same ledger`() async throws {
    let first = try await ledger(of: Self.paths[0])
    #expect(first.count == 25)
    for path in Self.paths.dropFirst() {
      #expect(try await ledger(of: path) == first, "\(path)")
    }
  }

  private func members(_ text: String) throws -> [[String: Any]] {
    try FilterStage.objects(text)
  }

  @Test(arguments: paths)
  func `with --json the popup is a member, allowed or blocked`(path: [String]) async throws {
    let stage = try await FilterStage()
    for (use, left) in ["2 left", "1 left"].enumerated() {
      let result = try await stage.workspace.run(path + ["--json"])
      #expect(result.status == 0, "\(use): \(result.errors)")
      let line = try #require(try members(result.output).first { $0["popup"] != nil })
      let popup = try #require(line["popup"] as? [String: Any])
      #expect(popup["remaining"] as? String == left)
      #expect((popup["buttons"] as? [String])?.count == 2)
      #expect(popup["title"] as? String == popup["action"] as? String)
      #expect((popup["text"] as? String)?.contains("Upgrade to ChatHub Lite") == true)
      #expect(popup["bar"] as? Double == 0)
      #expect(popup["timeLeft"] is NSNull)
      #expect(line["remainingCooldown"] as? Double == 0)
      #expect(line["resetsAt"] is NSNull)
    }
    let blocked = try await stage.workspace.run(path + ["--json"])
    #expect(blocked.status == 75)
    for text in [blocked.output, blocked.errors] {
      let line = try #require(try members(text).first { $0["popup"] != nil })
      let popup = try #require(line["popup"] as? [String: Any])
      #expect(popup["remaining"] is NSNull && popup["action"] is NSNull)
      #expect(popup["buttons"] as? [String] == ["Subscribe to Lite"])
      #expect(popup["bar"] as? Double == 1)
      #expect(popup["timeLeft"] as? String == "Time remaining: 2:00")
      #expect(line["remainingCooldown"] as? Double == 120)
      #expect(line["resetsAt"] as? String == "2026-01-31T08:02:00Z")
    }
    let error = try #require(try members(blocked.errors).first { $0["popup"] != nil })
    let run = try stage.workspace.store().read { try $0.lastRuns() }["online-users"]
    let hasRun = path == ["refresh"] || path.first == "filter"
    #expect(error["job"] as? String == (hasRun ? "online-users" : nil))
    #expect(error["run"] as? Int64 == (hasRun ? run?.id : nil))
  }

  @Test(arguments: paths)
  func `on a terminal an allowed use shows what is left before it`(path: [String]) async throws {
    let stage = try await FilterStage()
    for left in ["2 left", "1 left"] {
      let terminal = try PseudoTerminal()
      let process = try terminal.start(
        stage.workspace.program,
        path + ["-C", stage.workspace.folder.path, "--now", TemporaryWorkspace.morning.description])
      let drawn = try await terminal.read(process)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      #expect(drawn.contains("]  \(left)"), "\(drawn)")
      #expect(drawn.components(separatedBy: " left").count == 2)
    }
  }

  @Test(arguments: [["refresh"], ["search", "name"]])
  func `a bypass shows no popup, and says so in JSON`(path: [String]) async throws {
    let stage = try await FilterStage()
    _ = try await stage.run("tier", "set", "lite")
    let result = try await stage.workspace.run(path + ["--json"])
    let line = try #require(try members(result.output).first { $0["popup"] != nil })
    #expect(line["popup"] is NSNull && line["resetsAt"] is NSNull)
  }

  @Test func `a filter that was applied says how many it found`() async throws {
    let stage = try await FilterStage()
    _ = try await stage.run("filter", "apply", "--gender", "male")
    let performed = try #require(
      try stage.events().last { $0.name == "ios_filter_performed" })
    #expect(performed.parameters["ios_filter_result_count"] == .integer(2))
    #expect(performed.parameters["ios_filter_criteria"] == .string("gender Male"))
  }

  @Test
  func `the use of a refresh that was killed is back for whoever looks, and then counted back`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 5)
    try workspace.set("refresh.limit: 1")
    _ = try await workspace.run("run", "settings")
    workspace.server.inject(.delay(.seconds(30)), matching: ":runQuery")
    let running = try workspace.start(["refresh"])
    while workspace.userRequests == 0 { try await Task.sleep(for: .milliseconds(20)) }
    // As long as it works, its use is taken.
    #expect(try await workspace.run("limits", "peek", "refresh").status == 75)
    running.kill()
    _ = try await running.wait()
    for _ in 1...2 {
      let peeked = try await workspace.run("limits", "peek", "refresh")
      #expect(peeked.status == 0 && peeked.output.contains("1 left"))
      #expect(
        try await workspace.run("limits", "show", "--json").output.contains(#""currentUsage":0"#))
    }
    #expect(try workspace.store().read { try $0.pendingUses() }.count == 1)
    let checked = try await workspace.run("limits", "check", "refresh")
    #expect(checked.status == 0 && checked.output.contains("1 left"))
    #expect(try workspace.store().read { try $0.pendingUses() } == [])
    #expect(try await workspace.run("limits", "use", "refresh").status == 0)
    #expect(try await workspace.run("limits", "use", "refresh").status == 75)
  }
}

/// The kind `settle` on the built program.
@Suite struct SettleTests {
  @Test
  func `cron's settle records the end once, needs no network, and tells the hook of it`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.write(
      """
      kind: settle
      on_reset:
        command: echo "$FIRETALLY_JOB $FIRETALLY_PROFILE $FIRETALLY_FEATURE $FIRETALLY_MESSAGE" >> told
      """, to: "jobs/settle.yml")
    for _ in 1...3 { _ = try await workspace.run("limits", "use", "refresh") }
    _ = try await workspace.run("profile", "create", "ana")
    for _ in 1...3 { _ = try await workspace.run("limits", "use", "search", "--profile", "ana") }
    let later = TemporaryWorkspace.morning + .seconds(300)
    let requests = workspace.server.requests.count
    #expect(try await workspace.run("run", "settle").status == 0)
    let told = workspace.folder.appendingPathComponent("told")
    #expect(!FileManager.default.fileExists(atPath: told.path))
    for _ in 1...2 { #expect(try await workspace.run("run", "settle", at: later).status == 0) }
    #expect(
      try String(contentsOf: told, encoding: .utf8) == """
        settle ana search Your searches are back.
        settle default refresh Your refreshes are back.

        """)
    #expect(workspace.server.requests.count == requests)
    let ends = try workspace.store().read {
      try $0.newestEvents(.init(name: "ios_refresh_limit_reset"), limit: 9)
        + $0.newestEvents(.init(name: "ios_search_cooldown_completed"), limit: 9)
    }
    let ended = TemporaryWorkspace.morning + .seconds(120)
    #expect(ends.map(\.at) == [ended, ended])
    let peeked = try await workspace.run("limits", "peek", "refresh", at: later)
    #expect(peeked.status == 0)
  }

  @Test
  func `a hook that fails is a warning of the run, and the end stays recorded`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.write("kind: settle\non_reset: {command: exit 3}\n", to: "jobs/settle.yml")
    for _ in 1...3 { _ = try await workspace.run("limits", "use", "refresh") }
    _ = try await workspace.run(
      "run", "settle", at: TemporaryWorkspace.morning + .seconds(300))
    let run = try #require(try workspace.store().read { try $0.lastRuns() }["settle"])
    #expect(run.outcome == .ok)
    #expect(run.warnings.contains { $0.contains("on_reset hook") && $0.contains("status 3") })
  }
}
