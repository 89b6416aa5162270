import Emulator
import Firestore
import Foundation
import Model
import Store
import Testing

/// docs/proposals.md, against the embedded server.
@Suite struct SettingsProposeTests {
  private static let name =
    "projects/demo/databases/(default)/documents/AppSettings/com.peppty.ChatApp"

  private func publish(_ fields: [String: Value], in workspace: TemporaryWorkspace) throws {
    try workspace.server.documents.seed([Document(name: Self.name, fields: fields)])
  }

  private func propose(
    _ assignment: String, _ options: String..., in workspace: TemporaryWorkspace
  ) async throws -> BuiltProgram.Result {
    try await workspace.run(
      ["settings", "propose", assignment, "--because", "Half are blocked", "--expect", "+5 points"]
        + options)
  }

  private func fields(_ workspace: TemporaryWorkspace) async throws -> [String: Any] {
    let read = try await workspace.run("get", "AppSettings/com.peppty.ChatApp", "--json")
    let object = try #require(try CommandTests.objects(read).first)
    return try #require(object["fields"] as? [String: Any])
  }

  private func proposals(_ workspace: TemporaryWorkspace) throws -> [SettingProposal] {
    try workspace.store().read { try $0.settingProposals() }
  }

  @Test func `a patch is written, the reason kept, and the server left as it is`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    try publish(["freeRefreshLimit": .integer(2), "other": .string("x")], in: workspace)
    let result = try await propose("refresh.limit=4", in: workspace)
    #expect(result.status == 0)
    #expect(
      result.output.hasPrefix("refresh limit 2 -> 4 in AppSettings/com.peppty.ChatApp: the patch"))
    let file = workspace.folder.appending(path: "data/proposal-refresh.limit.json")
    #expect(result.output.contains("the patch is in \(file.path)."), "where it is, from anywhere")
    let data = try Data(contentsOf: file)
    let body = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let write = try #require((body["writes"] as? [[String: Any]])?.first)
    #expect((write["currentDocument"] as? [String: Any])?["updateTime"] is String)
    let mask = write["updateMask"] as? [String: Any]
    #expect(mask?["fieldPaths"] as? [String] == ["freeRefreshLimit"])
    #expect(try await fields(workspace)["freeRefreshLimit"] as? Int == 2)
    let kept = try proposals(workspace)
    #expect(kept.map(\.value) == [4] && kept.first?.oldValue == "2")
    #expect(kept.first?.reason == "Half are blocked" && kept.first?.expectedPoints == 5)
  }

  @Test func `apply needs a yes, writes the one field, and says already when repeated`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    try publish(["freeRefreshLimit": .string("2"), "other": .string("x")], in: workspace)
    let asked = try await propose("refresh.limit=4", "--apply", in: workspace)
    #expect(asked.status == 64 && asked.errors.contains("--yes"))
    #expect(try proposals(workspace).isEmpty)
    let sent = try await propose("refresh.limit=4", "--apply", "--yes", in: workspace)
    #expect(sent.status == 0 && sent.output.contains("2 -> 4") && sent.output.contains("sent"))
    // A number that is kept as text stays text.
    let after = try await fields(workspace)
    #expect(after["freeRefreshLimit"] as? String == "4" && after["other"] as? String == "x")
    let again = try await propose("refresh.limit=4", "--apply", "--yes", "--json", in: workspace)
    let line = try #require(try CommandTests.objects(again).first)
    #expect(again.status == 0 && line["state"] as? String == "in-force")
    #expect(try proposals(workspace).count == 1)
  }

  @Test func `a name that the document uses is kept, and a missing document is not made`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    try publish(["freeTrialEndsAtSeconds": .integer(25_200)], in: workspace)
    let result = try await propose(
      "newUserFreePeriodSeconds=7200", "--apply", "--yes", in: workspace)
    #expect(result.status == 0)
    #expect(try await fields(workspace)["freeTrialEndsAtSeconds"] as? Int == 7_200)
    try workspace.write(
      "kind: sync-settings\ndocument: AppSettings/none\n", to: "jobs/settings.yml")
    let missing = try await propose("refresh.limit=4", in: workspace)
    #expect(missing.status == 1 && missing.errors.contains("AppSettings/none does not exist"))
  }

  @Test func `a reason may have 400 characters`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    try publish(["freeRefreshLimit": .integer(2)], in: workspace)
    let reason = String(repeating: "x", count: 400)
    let result = try await workspace.run(
      ["settings", "propose", "refresh.limit=4", "--because", reason, "--expect", "+5 points"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try proposals(workspace).map(\.reason) == [reason])
  }

  @Test(arguments: [
    ["refresh.limit=0", "why", "+5 points"], ["rating.threshold=5", "why", "+5 points"],
    ["refresh.limit=4,filter.limit=4", "why", "+5 points"], ["refresh.limit=4", " ", "+5 points"],
    ["refresh.limit=4", "a\nb", "+5 points"], ["refresh.limit=4", "why", "5 percent"],
    ["refresh.limit=4", String(repeating: "x", count: 401), "+5 points"],
  ])
  func `what cannot be watched is refused`(words: [String]) async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    let result = try await workspace.run(
      ["settings", "propose", words[0], "--because", words[1], "--expect", words[2]])
    #expect(result.status == 64)
  }
}
