import Foundation
import Model
import Store
import Testing

@Suite struct LimitsCommandTests {
  private let morning = TemporaryWorkspace.morning

  private func eventNames(_ workspace: TemporaryWorkspace) throws -> [String] {
    var names: [String] = []
    try workspace.store().read { try $0.forEachEvent { names.append($0.name) } }
    return names
  }

  private static let looks = [
    ["limits", "show"], ["limits", "peek", "refresh"], ["profile", "show"], ["profile", "list"],
    ["settings", "show"], ["settings", "history"], ["rating", "status"],
    ["tier", "show"],
  ]

  @Test func `commands that only look make no database, and say the defaults`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    for command in Self.looks {
      for flags in [[], ["--json"]] {
        let result = try await workspace.run(command + flags)
        #expect(result.status == 0, "\(command): \(result.errors)")
      }
    }
    let database = workspace.folder.appendingPathComponent("data/firetally.sqlite")
    #expect(!FileManager.default.fileExists(atPath: database.path))
  }

  @Test func `they leave the database that is there untouched, and its events`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    _ = try await workspace.run("limits", "use", "refresh")
    let names = try eventNames(workspace)
    let before = try await workspace.run("limits", "show", "--json").output
    for command in [
      ["limits", "peek", "refresh"], ["limits", "show"], ["profile", "show"], ["rating", "status"],
      ["tier", "show"],
    ] {
      #expect(try await workspace.run(command).status == 0)
    }
    #expect(try await workspace.run("limits", "show", "--json").output == before)
    #expect(try eventNames(workspace) == names)
  }

  @Test func `peek says what check would, and starts nothing`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.set("refresh.limit: 1")
    _ = try await workspace.run("limits", "use", "refresh")
    for _ in 1...2 {
      let peeked = try await workspace.run("limits", "peek", "refresh", "--explain")
      #expect(peeked.status == 75)
      #expect(
        peeked.output.contains("at-limit: 1 of 1 used: at the limit, and the cooldown starts"))
      #expect(!peeked.errors.contains("left") && !peeked.errors.contains("[ Refresh Users ]"))
      #expect(peeked.errors.contains(String(repeating: "█", count: 40) + "\nTime remaining: 2:00"))
    }
    let checked = try await workspace.run("limits", "check", "refresh")
    #expect(checked.errors.contains("Time remaining: 2:00"))
    let after = try await workspace.run(
      "limits", "peek", "refresh", "--json", at: morning + .milliseconds(60_500))
    #expect(after.status == 75)
    #expect(after.output.contains(#""remainingCooldown":59.5"#))
    #expect(after.output.contains(#""timeLeft":"Time remaining: 1:00""#))
    #expect(after.errors.contains(#""message_type":"error""#))
  }

  @Test
  func `reset gives back what is named, or all of it, and says so in the ledger`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    for feature in ["refresh", "filter"] {
      for _ in 1...3 { _ = try await workspace.run("limits", "use", feature) }
    }
    let one = try await workspace.run("limits", "reset", "refresh")
    #expect(one.status == 0 && one.output.isEmpty && one.errors.isEmpty)
    #expect(try await workspace.run("limits", "peek", "refresh").status == 0)
    #expect(try await workspace.run("limits", "peek", "filter").status == 75)
    let all = try await workspace.run("limits", "reset", "--json")
    #expect(all.output.split(separator: "\n").count == 3)
    #expect(try await workspace.run("limits", "peek", "filter").status == 0)
    #expect(
      try eventNames(workspace).suffix(4) == [
        "ios_refresh_limit_reset", "ios_refresh_limit_reset", "ios_filter_limit_reset",
        "ios_search_limit_reset",
      ])
    #expect(try await workspace.run("limits", "reset", "tea").status == 64)
  }

  @Test
  func `dismiss and subscribe record a tap; without a popup they end with 64, record nothing`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    let dismissed = try await workspace.run("limits", "dismiss", "refresh")
    #expect(dismissed.status == 0 && dismissed.output.isEmpty)
    let subscribed = try await workspace.run("limits", "subscribe", "refresh", "--json")
    #expect(subscribed.status == 0)
    #expect(subscribed.output.contains(#""subscribe":"Subscribe to Lite""#))
    #expect(try await workspace.run("tier", "show").output == "free\n")
    let names = try eventNames(workspace)
    #expect(names == ["ios_refresh_popup_dismissed", "ios_refresh_subscription_button_tapped"])
    _ = try await workspace.run("tier", "set", "lite")
    for verb in ["dismiss", "subscribe"] {
      let none = try await workspace.run("limits", verb, "refresh")
      #expect(none.status == 64)
      #expect(none.errors.contains("No refresh popup is open"))
      #expect(none.errors.contains("Subscribed (lite)"))
    }
    #expect(try eventNames(workspace) == names + ["tier_changed"])
  }

  @Test func `messages are limited once firetally.yml names a limit`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    for _ in 1...3 { #expect(try await workspace.run("limits", "use", "message").status == 0) }
    try workspace.set("message.limit: 1\n  message.cooldown: 30")
    #expect(try await workspace.run("limits", "use", "message").status == 0)
    let blocked = try await workspace.run("limits", "use", "message")
    #expect(blocked.status == 75)
    #expect(blocked.errors.contains("You've used your 1 free messages."))
    #expect(blocked.errors.contains("Time remaining: 0:30"))
    #expect(try await workspace.run("limits", "use", "conversation").status == 0)
  }

  @Test func `settings changed in mid-cooldown decide at once`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    for _ in 1...3 { _ = try await workspace.run("limits", "use", "refresh") }
    #expect(try await workspace.run("limits", "check", "refresh").status == 75)
    let config = workspace.folder.appendingPathComponent("firetally.yml")
    let before = try String(contentsOf: config, encoding: .utf8)
    try workspace.set("refresh.limit: 3")
    let raised = try await workspace.run("limits", "check", "refresh")
    #expect(raised.output.contains("1 left"))
    try Data(before.utf8).write(to: config)
    #expect(try await workspace.run("limits", "check", "refresh").status == 75)
  }

  @Test func `with --quiet there are no popups and no paths, and a block is one sentence`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.set("refresh.limit: 1")
    for command in [
      ["limits", "check", "refresh"], ["limits", "use", "refresh"], ["backup"], ["report"],
    ] {
      let result = try await workspace.run(command + ["--quiet"])
      #expect(result.status == 0, "\(command): \(result.errors)")
      #expect(result.output.isEmpty && result.errors.isEmpty, "\(command): \(result.output)")
    }
    for flag in ["--quiet", "-q"] {
      let blocked = try await workspace.run("limits", "check", "refresh", flag)
      #expect(blocked.status == 75 && blocked.output.isEmpty)
      #expect(blocked.errors.split(separator: "\n").count == 1, "\(blocked.errors)")
    }
    let popup = try await workspace.run("limits", "check", "refresh").errors
    #expect(popup.split(separator: "\n").count > 1, "\(popup)")
  }

  @Test func `eight processes race for the last use: exactly one gets it`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    #expect(try await workspace.run("limits", "use", "refresh").status == 0)
    let racers = try (0..<8).map { _ in try workspace.start(["limits", "use", "refresh"]) }
    var statuses: [Int32] = []
    for racer in racers { statuses.append(try await racer.wait().status) }
    #expect(statuses.sorted() == [0] + Array(repeating: 75, count: 7))
    let names = try eventNames(workspace)
    #expect(names.count { $0 == "ios_refresh_performed" } == 2)
    #expect(names.count { $0 == "ios_refresh_blocked_limit_reached" } == 1)
  }

  @Test
  func `eight processes open the popup at the limit: exactly one starts the cooldown`() async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.set("refresh.limit: 1")
    #expect(try await workspace.run("limits", "use", "refresh").status == 0)
    let racers = try (0..<8).map { number in
      try workspace.start(["limits", "check", "refresh"], at: morning + .milliseconds(number))
    }
    for racer in racers { #expect(try await racer.wait().status == 75) }
    let names = try eventNames(workspace)
    #expect(names.count { $0 == "ios_refresh_blocked_limit_reached" } == 1)
    #expect(names.count { $0 == "ios_refresh_button_tapped" } == 9)
  }
}
