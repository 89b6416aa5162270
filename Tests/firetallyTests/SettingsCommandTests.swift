import Emulator
import Firestore
import Foundation
import Model
import Store
import Testing

@Suite struct SettingsCommandTests {
  private let morning = TemporaryWorkspace.morning

  /// Writes the app's settings document, in place of the one of the made-up app.
  private func publish(
    _ fields: [String: Value], in workspace: TemporaryWorkspace
  ) throws {
    let name = "projects/demo/databases/(default)/documents/AppSettings/com.peppty.ChatApp"
    try workspace.server.documents.seed([Document(name: name, fields: fields)])
  }

  private func setting(
    _ key: String, _ workspace: TemporaryWorkspace
  ) async throws -> [String: Any] {
    let lines = try await CommandTests.objects(workspace.run("settings", "show", "--json"))
    return try #require(lines.first { $0["key"] as? String == key })
  }

  @Test func `sync fetches as a run does, by hand, and history says what changed`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    try publish(["freeRefreshLimit": .integer(2)], in: workspace)
    let first = try await workspace.run("settings", "sync")
    #expect(first.status == 0 && first.output.isEmpty)
    try publish(["freeRefreshLimit": .integer(5)], in: workspace)
    #expect(try await workspace.run("settings", "sync", at: morning + .seconds(60)).status == 0)
    let history = try await workspace.run("settings", "history", "--limit", "1")
    let change = "refresh limit 2 -> 5 at 2026-01-31T08:01:00Z (app-settings)\n"
    #expect(history.output == change + "more: --limit 10\n")
    let lines = try await CommandTests.objects(workspace.run("settings", "history", "--json"))
    #expect(lines.count == 2)
    #expect(lines.first?["key"] as? String == "refresh.limit")
    #expect(lines.first?["oldValue"] as? String == "2")
    let runs = try workspace.store().read { try $0.runs(from: morning) }
    #expect(runs.map(\.job) == ["settings", "settings"])
    #expect(runs.allSatisfy { $0.trigger == .manual })
    #expect(try await workspace.run("settings", "history", "--limit", "0").status == 64)
  }

  @Test
  func `show marks what is bad, keeps what is unknown, and tells who said what`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    try publish(
      [
        "freeRefreshLimit": .integer(0), "freeFilterLimit": .double(5), "freeSearchLimit": .null,
        "freeMessagesLimit": .boolean(true), "maxRatePrompts": .string("4"),
        "welcome": .string("Hi\u{1B}[2J"),
      ], in: workspace)
    _ = try await workspace.run("settings", "sync")
    try workspace.set("filter.cooldown: 7")
    let bad = try await setting("refresh.limit", workspace)
    #expect(bad["value"] as? Int == 2 && bad["source"] as? String == "built-in")
    #expect((bad["warning"] as? String)?.contains("is not above 0 ('0'); the default 2") == true)
    #expect(try await setting("filter.limit", workspace)["value"] as? Int == 5)
    #expect(try await setting("search.limit", workspace)["warning"] != nil)
    #expect(try await setting("message.limit", workspace)["value"] == nil)
    #expect(try await setting("rating.maxPrompts", workspace)["value"] as? Int == 4)
    let own = try await setting("filter.cooldown", workspace)
    #expect(own["source"] as? String == "firetally.yml" && own["fetchedAt"] == nil)
    let table = try await workspace.run("settings", "show", "--verbose")
    #expect(table.status == 0)
    #expect(table.output.contains("app-settings: freeRefreshLimit = 0"))
    #expect(table.output.contains("UNKNOWN FIELD"))
    #expect(table.output.contains("welcome") && !table.output.contains("\u{1B}"))
  }

  @Test
  func `without the server the last values stay in force, and sync ends as a run does`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    try publish(["freeRefreshLimit": .integer(7)], in: workspace)
    _ = try await workspace.run("settings", "sync")
    workspace.server.inject(.status(.permissionDenied), times: nil)
    #expect(try await workspace.run("settings", "sync").status == 77)
    #expect(try await setting("refresh.limit", workspace)["value"] as? Int == 7)
  }

  @Test func `without a job of the kind, sync says how to get one`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.write("kind: maintain\n", to: "jobs/settings.yml")
    let result = try await workspace.run("settings", "sync")
    #expect(result.status == 78)
    #expect(result.errors.contains("sync-settings"))
  }

  @Test(arguments: ["\"5\"", "5.5", "many"])
  func `a wrong type in firetally.yml is an error of the file`(value: String) async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.set("refresh.limit: \(value)")
    let result = try await workspace.run("settings", "show")
    #expect(result.status == 78)
    #expect(result.errors.contains("settings.refresh.limit"))
  }

  @Test(arguments: ["0", "-3"])
  func `a number that the table does not accept is replaced, with a warning`(value: String)
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    try workspace.set("refresh.limit: \(value)")
    let line = try await setting("refresh.limit", workspace)
    #expect(line["value"] as? Int == 2)
    #expect((line["warning"] as? String)?.contains("refresh.limit in firetally.yml") == true)
  }
}
