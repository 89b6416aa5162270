import Fixtures
import Foundation
import Model
import Store
import Testing

@Suite struct EraseCommandTests {
  private func anyId(_ workspace: TemporaryWorkspace) throws -> String {
    try #require(try workspace.userIds().first)
  }

  @Test func `an id that is nowhere is an error that changes nothing`() async throws {
    let workspace = try await TemporaryWorkspace(users: 3)
    for more in [["--dry-run"], ["--yes"], []] {
      let result = try await workspace.run(["users", "erase", "nobody"] + more)
      #expect(result.status == 1 && result.output.isEmpty)
      #expect(result.errors.contains("Nothing is held about 'nobody', so nothing was erased."))
    }
    #expect(try workspace.store().read { try $0.erasedHashes() }.isEmpty)
    #expect(try await workspace.run("users", "erase", "", "--yes").status == 64)
  }

  @Test func `a dry run shows what is held, and nobody is erased unasked`() async throws {
    let workspace = try await TemporaryWorkspace(users: 20)
    _ = try await workspace.run("run", "online-users", "report")
    _ = try await workspace.run("run", "maintain")
    let id = try anyId(workspace)
    let shown = try await workspace.run("users", "erase", id, "--dry-run")
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.hasPrefix("Would erase '\(id)': 1 row"))
    #expect(!shown.output.contains("Exports"))
    // A line for each folder, not for each of its files.
    let lines = shown.output.components(separatedBy: "\n").drop { !$0.hasPrefix("Reports to") }
    let folders = lines.dropFirst().filter { !$0.isEmpty }.map {
      $0.replacing(#/\d+/#, with: "N")
    }
    let counted = ["output: N files", "output/history: N files", "output/tables: N files"]
    #expect(folders == (counted + ["output/history: N dated copy"]).map { "  \($0)" }, "\(lines)")
    #expect(shown.output.contains("users") && shown.output.contains("data/backups/firetally-"))
    try workspace.write("{\"user_id\":\"\(id)\"}\n", to: "data/exports/a.ndjson")
    let held = try await workspace.run("users", "erase", id, "--dry-run")
    let words = "Exports that hold this person, or may. Remove them, or the lines in them:"
    #expect(held.output.contains("\(words)\n  data/exports/a.ndjson\n"), "\(held.output)")
    let refused = try await workspace.run("users", "erase", id)
    #expect(refused.status == 64 && refused.errors.contains("--yes"))
    #expect(try workspace.userIds().contains(id))
    #expect(try workspace.store().read { try $0.erasedHashes() }.isEmpty)
  }

  @Test func `an erased person stays away from the next load`() async throws {
    let workspace = try await TemporaryWorkspace(users: 20)
    _ = try await workspace.run("run", "online-users", "report")
    let id = try anyId(workspace)
    let erased = try await CommandTests.objects(
      workspace.run("users", "erase", id, "--yes", "--json"))
    #expect(erased.count == 1 && erased[0]["message_type"] as? String == "erasure")
    #expect(erased[0]["isDryRun"] as? Bool == false)
    #expect(try !workspace.userIds().contains(id))
    let again = try await workspace.run("users", "erase", id, "--yes")
    #expect(again.status == 0 && again.output.contains("was erased at 2026-01-31T08:00:00Z"))
    let shown = try await workspace.run("users", "show", id)
    #expect(shown.status == 1 && !shown.errors.contains("refresh"))
    #expect(shown.errors.contains("'\(id)' was erased at 2026-01-31T08:00:00Z"), "\(shown.errors)")
    let run = try await CommandTests.objects(
      workspace.run("run", "online-users", "--force", "--json"))
    let counts = (run[0]["run"] as? [String: Any])?["counts"] as? [String: Any]
    #expect((counts?["skipped"] as? [String: Any])?["erased"] as? Int == 1)
    #expect(try !workspace.userIds().contains(id))
    #expect(try await workspace.run("users", "exists", id).status == 1)
  }

  @Test func `a restore erases again who was erased since the backup, and says how many`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 20)
    _ = try await workspace.run("run", "online-users")
    _ = try await workspace.run("backup", "create")
    let (id, others) = try (anyId(workspace), workspace.userIds().count - 1)
    _ = try await workspace.run("users", "erase", id, "--yes")
    let restored = try await workspace.run("restore", "latest", "--yes")
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(
      restored.output.contains(
        "1 person of the backup had been erased since, and was erased again."))
    let left = try workspace.userIds()
    #expect(!left.contains(id) && left.count == others)
    let found = try await CommandTests.objects(
      workspace.run("users", "erase", id, "--dry-run", "--json"))
    #expect((found[0]["rows"] as? [Any])?.isEmpty != false)
    let file = workspace.folder.appendingPathComponent("data/firetally.sqlite")
    #expect(try Data(contentsOf: file).range(of: Data(id.utf8)) == nil)
    let again = try await CommandTests.objects(
      workspace.run("restore", "latest", "--yes", "--json", at: .morning + .seconds(60)))
    #expect(again[0]["erased_again"] as? Int == 1)
  }

  @Test func `all that the program writes is its owner's, but for reports with a mode`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 10)
    try workspace.write(#"{"no":"event"}"#, to: "data/exports/a.ndjson")
    let run = try await workspace.run("run", "--all")
    #expect(run.status == 3, "\(run.errors)")
    try check(workspace) { _ in false }
    try workspace.add("output: {mode: 0644}")
    #expect(try await workspace.run("run", "report").status == 0)
    try check(workspace) { $0.hasPrefix("output") }
  }

  private func check(
    _ workspace: TemporaryWorkspace, isOpen: (String) -> Bool
  ) throws {
    let files = FileManager.default
    let names = try #require(files.enumerator(atPath: workspace.folder.path))
    for case let name as String in names where !name.hasPrefix("data/exports") {
      let path = workspace.folder.appending(path: name).path
      let attributes = try files.attributesOfItem(atPath: path)
      let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
      let open = isOpen(name) ? (isFolder ? 0o755 : 0o644) : (isFolder ? 0o700 : 0o600)
      guard name != "firetally.yml" || !isOpen("output") else { continue }
      #expect(attributes[.posixPermissions] as? Int == open, "\(name)")
    }
  }
}
