import Foundation
import Store
import StoreTesting
import Testing

@testable import Model

@Suite struct ProfileCommandTests {
  @Test
  func `a profile is made once, listed behind the default one, and changed by set`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    let made = try await workspace.run(
      "profile", "create", "ana", "--tier", "lite", "--user-id", "u9", "--first-account-at",
      "1769846400.5")
    #expect(made.status == 0 && made.output.isEmpty)
    let again = try await workspace.run("profile", "create", "ana")
    #expect(again.status == 64)
    #expect(again.errors.contains("profile set --profile ana"))
    _ = try await workspace.run("profile", "set", "--city", "Madrid")
    let lines = try await CommandTests.objects(workspace.run("profile", "list", "--json"))
    #expect(lines.map { $0["name"] as? String } == ["default", "ana"])
    #expect(lines.map { $0["isDefault"] as? Bool } == [true, false])
    #expect(lines.map { $0["tier"] as? String } == ["free", "lite"])
    #expect(
      lines.last?["firstAccountCreatedAt"] as? String == "2026-01-31T08:00:00.500000Z")
    #expect(try await workspace.run("profile", "list").output.contains("u9"))
  }

  private static let refusals: [(arguments: [String], reason: String)] = [
    (["set"], "Name what to change"),
    (["set", "--time-zone", "EST"], "no time zone"),
    (["set", "--time-zone", "../../etc/passwd"], "no time zone"),
    (["set", "--first-account-at", "1769846400000"], "milliseconds"),
    (["set", "--first-account-at", "yesterday"], "instant"),
    (["set", "--first-account-at", "1969-12-31T23:59:59Z"], "1970"),
    (["set", "--city", "a\nb"], "control characters"),
    (["set", "--price", "\u{1B}[31m$1"], "control characters"),
    (["set", "--gender", String(repeating: "x", count: 100_000)], "at most 200"),
    (["set", "--user-id", String(repeating: "x", count: 1_501)], "at most 1500"),
    (["set", "--tier", "gold"], "gold"),
    (["create", ""], "must not be empty"),
    (["create", String(repeating: "n", count: 65)], "at most 64"),
    (["show", "--profile", "a\tb"], "control characters"),
  ]

  @Test
  func `what no profile can be is refused with a reason, and nothing is stored`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    for (arguments, reason) in Self.refusals {
      let result = try await workspace.run(["profile"] + arguments)
      #expect(result.status == 64, "\(reason)")
      #expect(result.errors.contains(reason), "\(result.errors)")
      #expect(result.errors.utf8.count < 4_000)
    }
    let database = workspace.folder.appendingPathComponent("data/firetally.sqlite")
    #expect(!FileManager.default.fileExists(atPath: database.path))
  }

  @Test(arguments: [
    ["limits", "use", "refresh"], ["limits", "peek", "refresh"],
    ["profile", "set", "--city", "X"], ["profile", "show"], ["tier", "set", "lite"],
    ["tier", "show"], ["search", "a"], ["refresh"],
    ["users", "list"], ["filter", "set", "--gender", "male"], ["filter", "show"],
    ["rating", "record", "--sent", "1"], ["moment", "list"], ["moment", "add", "Hi"],
    ["run", "online-users"], ["report"], ["profile", "sign-out", "--yes"],
  ])
  func `a profile that nobody created is refused by every command, and nothing is made`(
    arguments: [String]
  ) async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    let database = workspace.folder.appendingPathComponent("data/firetally.sqlite").path
    for _ in 0..<2 {
      let result = try await workspace.run(arguments + ["--profile", "nosuch"])
      #expect(result.status == 64 && result.output.isEmpty)
      #expect(result.errors.contains("There is no profile 'nosuch' in this workspace."))
      #expect(result.errors.contains("`firetally profile create nosuch` creates it."))
      guard FileManager.default.fileExists(atPath: database) else {
        _ = try await workspace.run("profile", "create", "nosuc")
        continue
      }
      #expect(result.errors.contains("Did you mean 'nosuc'?"))
      #expect(try workspace.store().read { try $0.profileNames() } == ["nosuc"])
    }
  }

  @Test func `the default profile always exists, and a created one is known`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    #expect(try await workspace.run("profile", "list").output.contains("default  yes"))
    let peeked = try await workspace.run("limits", "peek", "refresh", "--profile", "default")
    #expect(peeked.status == 0)
    _ = try await workspace.run("profile", "create", "ana")
    #expect(try await workspace.run("limits", "use", "refresh", "--profile", "ana").status == 0)
    let names = try await CommandTests.objects(workspace.run("profile", "list", "--json"))
    #expect(names.map { $0["name"] as? String } == ["default", "ana"])
  }

  @Test func `an empty text clears a field, also the first account's time`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    _ = try await workspace.run(
      "profile", "set", "--city", "Madrid", "--first-account-at", "1769846400", "--time-zone",
      "Europe/Berlin")
    _ = try await workspace.run("profile", "set", "--city", "", "--first-account-at", "")
    let profile = try workspace.store().read { try $0.profile(named: "default") }
    #expect(profile == Profile(timeZone: "Europe/Berlin"))
  }

  @Test
  func `signing out clears users, filter and refresh time, so that the next run loads anew`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "online-users")
    _ = try await workspace.run("profile", "create", "ana", "--city", "Madrid")
    _ = try await workspace.run("limits", "use", "refresh")
    let result = try await workspace.run("profile", "sign-out", "--json")
    #expect(result.status == 0)
    #expect(result.output.contains(#""message_type":"sign_out""#))
    #expect(try workspace.userIds().isEmpty)
    let store = try workspace.store()
    #expect(try store.read { try $0.profile(named: "default")?.usersRefreshedAt } == nil)
    #expect(try store.read { try $0.profile(named: "ana")?.city } == "Madrid")
    #expect(
      try store.read { try $0.limitState(profile: "default", feature: .refresh) }.usage == 1)
    _ = try await workspace.run("run", "online-users")
    #expect(try !workspace.userIds().isEmpty)
    let last = try workspace.store().read { try $0.runs(from: TemporaryWorkspace.morning) }
    #expect(last.count { $0.trigger == .firstLoad } == 2)
  }

  @Test(arguments: [("n\n", false), ("\n", false), ("yes\n", true), (" Y \n", true)])
  func `on a terminal signing out says what will go and asks, unless --yes answers`(
    answer: String, isGone: Bool
  ) async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "online-users")
    let count = try workspace.userIds().count
    let terminal = try PseudoTerminal()
    let arguments = ["profile", "sign-out", "-C", workspace.folder.path]
    let process = try terminal.start(workspace.program, arguments, typing: answer)
    let drawn = try await terminal.read(process)
    #expect(drawn.contains("removes \(count) users of the local copy and the refresh time 2026-"))
    #expect(drawn.contains("Go on? [y/N]"))
    #expect(process.terminationStatus == (isGone ? 0 : 1))
    #expect(try workspace.userIds().count == (isGone ? 0 : count))
    guard !isGone else { return }
    let sure = try terminal.start(workspace.program, arguments + ["--yes"], typing: "n\n")
    #expect(try await !terminal.read(sure).contains("Go on?"))
    #expect(try workspace.userIds().isEmpty)
  }

  @Test func `the event of a tier that is set with a user id is that user's`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    _ = try await workspace.run("profile", "set", "--user-id", "before")
    _ = try await workspace.run("profile", "set", "--user-id", "after", "--tier", "lite")
    let query = "SELECT user_id FROM events WHERE name = 'tier_changed'"
    let found = try await workspace.run("sql", query).output
    #expect(found.contains("after") && !found.contains("before"), "\(found)")
  }

  @Test func `the tier is shown and set; what waited for it is queued again`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    #expect(try await workspace.run("tier", "show").output == "free\n")
    let store = try Store.open(
      path: workspace.folder.appendingPathComponent("data/firetally.sqlite").path)
    try store.write { writer in
      let id = try writer.enqueue(
        .moment, profile: "default", payload: "{}", at: TemporaryWorkspace.morning)
      try writer.park(id: id, until: nil, reason: "The total is reached.")
    }
    let set = try await workspace.run("tier", "set", "plus", "--json")
    #expect(set.output.contains(#""requeued":1"#))
    #expect(try await workspace.run("tier", "show").output == "plus\n")
    #expect(
      try await workspace.run("limits", "use", "refresh").output.contains("Subscribed (plus)"))
    #expect(try await workspace.run("tier", "set", "free").status == 0)
    #expect(try await workspace.run("tier", "set", "gold").status == 64)
    #expect(try store.read { try $0.eventsCount() } == 5)
  }
}
