import Foundation
import Model
import Testing

@Suite struct UserQuestionsTests {
  @Test func `exists says yes with status 0, or no with status 1`() async throws {
    let stage = try await FilterStage()
    let yes = try await stage.run("users", "exists", "ann")
    #expect(yes.status == 0 && yes.output == "yes\n")
    let no = try await stage.run("users", "exists", "ANN")
    #expect(no.status == 1 && no.output == "no\n" && no.errors.isEmpty)
    let json = try await stage.run("users", "exists", "nobody", "--json")
    #expect(json.status == 1)
    #expect(try FilterStage.objects(json.output).first?["exists"] as? Bool == false)
    #expect(try await stage.run("users", "exists").status == 64)
  }

  @Test
  func `clear empties the copy, forgets the refresh time, keeps the filter, requests nothing`()
    async throws
  {
    let stage = try await FilterStage()
    _ = try await stage.run("filter", "set", "--country", "Kosovo")
    let before = try stage.profile()
    let requests = stage.requestCount
    let cleared = try await stage.run("users", "clear", "--json", after: 1)
    #expect(cleared.status == 0 && cleared.errors.isEmpty)
    #expect(
      try FilterStage.objects(cleared.output).first?["message_type"] as? String == "users_cleared")
    #expect(try FilterStage.objects(cleared.output).first?["usersRemoved"] as? Int == 7)
    #expect(try stage.ids().isEmpty)
    #expect(before.usersRefreshedAt != nil)
    #expect(try stage.profile().usersRefreshedAt == nil)
    #expect(try stage.profile().filter == UserFilter(country: "Kosovo"))
    #expect(stage.requestCount == requests)
    let silent = try await stage.run("users", "clear", "--yes", after: 2)
    #expect(silent.status == 0 && silent.output.isEmpty && silent.errors.isEmpty)
    #expect(try await stage.run("run", "online-users", after: 3).status == 0)
    #expect(try stage.ids() == ["gus"], "by the filter, whose country nobody had meanwhile")
    #expect(try stage.lastRun()?.trigger == .firstLoad)
  }

  @Test(arguments: [("n\n", false), ("y\n", true)])
  func `on a terminal clear says what goes and asks`(answer: String, isGone: Bool) async throws {
    let stage = try await FilterStage()
    let terminal = try PseudoTerminal()
    let arguments = ["users", "clear", "-C", stage.workspace.folder.path]
    let process = try terminal.start(stage.workspace.program, arguments, typing: answer)
    let drawn = try await terminal.read(process)
    #expect(drawn.contains("This removes 7 users of the local copy. Go on? [y/N]"))
    #expect(process.terminationStatus == (isGone ? 0 : 1))
    #expect(try stage.ids().isEmpty == isGone)
  }

  @Test
  func `latest is when the newest user was seen; without users it is an error`() async throws {
    let stage = try await FilterStage()
    #expect(try await stage.run("users", "latest").output == "2026-01-31T07:59:00Z\n")
    let json = try await stage.run("users", "latest", "--json")
    #expect(
      try FilterStage.objects(json.output).first?["lastSeenAt"] as? String
        == "2026-01-31T07:59:00Z")
    let empty = try await TemporaryWorkspace(users: 0)
    _ = try await empty.run("run", "online-users")
    let none = try await empty.run("users", "latest")
    #expect(none.status == 1)
    #expect(none.errors.contains("no users"))
  }

  @Test(arguments: [
    (["list"], "user", 7), (["show", "ann"], "user", 1), (["count"], "user_count", 1),
    (["exists", "ann"], "user_exists", 1), (["latest"], "latest_user", 1),
  ])
  func `each line of JSON says what it is, and is the user whole`(
    arguments: [String], type: String, count: Int
  ) async throws {
    let stage = try await FilterStage()
    let result = try await stage.workspace.run(["users"] + arguments + ["--json"])
    let lines = try FilterStage.objects(result.output)
    #expect(lines.map { $0["message_type"] as? String } == Array(repeating: type, count: count))
    guard type == "user" else { return }
    #expect(lines.first?["userId"] as? String == "ann")
    #expect(lines.first?.count == 16)
  }

  @Test
  func `area, city and state narrow the list and the count, exactly as they are written`()
    async throws
  {
    let stage = try await FilterStage()
    let listed = try await stage.run("users", "list", "--city", "Berlin", "--json")
    let ids = try FilterStage.objects(listed.output).compactMap { $0["userId"] as? String }
    #expect(ids == ["ann", "cat", "dan"])
    for (flags, count) in [
      (["--city", "Berlin"], 3), (["--city", "berlin"], 1), (["--city", "Ber"], 0),
      (["--city", "Berlin", "--gender", "male"], 1), (["--area", "Berlin"], 0),
      (["--state", "Berlin"], 0),
    ] {
      let result = try await stage.workspace.run(["users", "count"] + flags)
      #expect(result.output == "\(count)\n", "\(flags)")
    }
  }
}
