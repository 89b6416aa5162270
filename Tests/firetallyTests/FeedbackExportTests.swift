import Foundation
import Model
import Testing

@Suite struct FeedbackExportTests {
  private let texts = [
    "=HYPERLINK(\"http://evil\")", "Two lines,\nand a \"quote\"", "Zu langsam, leider 😕",
  ]

  private func workspace() async throws -> TemporaryWorkspace {
    let workspace = try await TemporaryWorkspace(users: 1)
    for (second, text) in texts.enumerated() {
      let result = try await workspace.run(
        "rating", "submit", "\(second + 1)", "--feedback", text,
        at: TemporaryWorkspace.morning + .seconds(second))
      #expect(result.status == 0)
    }
    return workspace
  }

  @Test func `CSV quotes after RFC 4180 and disarms formulas`() async throws {
    let workspace = try await workspace()
    let result = try await workspace.run("feedback", "export")
    #expect(
      result.output
        == "\u{FEFF}written_at,stars,text,user_id,gender,country,app_version,state,document,origin\r\n"
        + "2026-01-31T08:00:00Z,1,\"'=HYPERLINK(\"\"http://evil\"\")\",,,,,queued,,own\r\n"
        + "2026-01-31T08:00:01Z,2,\"Two lines,\nand a \"\"quote\"\"\",,,,,queued,,own\r\n"
        + "2026-01-31T08:00:02Z,3,\"Zu langsam, leider 😕\",,,,,queued,,own\r\n")
  }

  @Test func `JSON and NDJSON hold every text as it was written, the oldest first`() async throws {
    let workspace = try await workspace()
    let array = try await workspace.run("feedback", "export", "--format", "json").output
    let objects = try #require(
      try JSONSerialization.jsonObject(with: Data(array.utf8)) as? [[String: Any]])
    #expect(objects.map { $0["text"] as? String } == texts)
    let lines = try await CommandTests.objects(
      workspace.run("feedback", "export", "--format", "ndjson"))
    #expect(lines.map { $0["text"] as? String } == texts)
    #expect(lines.map { $0["stars"] as? Int } == [1, 2, 3])
  }

  @Test func `into a file it is the same, whole or not at all`() async throws {
    let workspace = try await workspace()
    let path = workspace.folder.appendingPathComponent("feedback.csv").path
    let result = try await workspace.run("feedback", "export", "--to", path, "--json")
    #expect(result.output.contains(#""entries":3"#))
    let printed = try await workspace.run("feedback", "export").output
    // As bytes: Foundation drops the byte order mark of a file that it reads as text.
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(printed.utf8))
    let nowhere = try await workspace.run("feedback", "export", "--to", "/nowhere/feedback.csv")
    #expect(nowhere.status == 1)
    #expect(nowhere.errors.contains("/nowhere/feedback.csv"))
    #expect(try await workspace.run("feedback", "export", "--format", "xml").status == 64)
  }

  @Test func `without feedback an export is empty, and well-formed`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    _ = try await workspace.run("limits", "use", "refresh")
    #expect(try await workspace.run("feedback", "export", "--format", "json").output == "[]\n")
    #expect(try await workspace.run("feedback", "export", "--format", "ndjson").output.isEmpty)
    #expect(try await workspace.run("feedback", "export").output.hasSuffix(",document,origin\r\n"))
  }

  @Test func `the list takes stars and a state`() async throws {
    let workspace = try await workspace()
    let two = try await CommandTests.objects(
      workspace.run("feedback", "list", "--stars", "2", "--json"))
    #expect(two.count == 1)
    let delivered = try await workspace.run("feedback", "list", "--state", "delivered", "--json")
    #expect(delivered.output.isEmpty)
    #expect(try await workspace.run("feedback", "list", "--stars", "6").status == 64)
  }

  @Test
  func `a theme is chosen and taken back, done is undone, and both choose what is listed`()
    async throws
  {
    let workspace = try await workspace()
    func listed(_ options: String...) async throws -> [[String: Any]] {
      try await CommandTests.objects(workspace.run(["feedback", "list", "--json"] + options))
    }
    let all = try await listed()
    let id = try #require(all.first?["id"] as? String)
    #expect(id.hasPrefix("own/"))
    for (words, theme, isOpen) in [
      (["tag", id, "design"], "design", true), (["done", id], "design", false),
      (["done", id, "--undo"], "design", true), (["tag", id, "--none"], nil, true),
      (["tag", id, "--by-words"], nil, true),
    ] as [([String], String?, Bool)] {
      let result = try await workspace.run(["feedback"] + words + ["--json"])
      #expect(result.status == 0, "\(words): \(result.errors)")
      #expect(try await listed("--theme", "design").count == (theme == nil ? 0 : 1), "\(words)")
      #expect(try await listed("--open").count == all.count - (isOpen ? 0 : 1), "\(words)")
    }
    for words in [
      ["tag", id, "desing"], ["tag", "own/99", "design"], ["tag", id], ["done", "nothing"],
      ["tag", id, "design", "--none"], ["done", id, "nothing"], ["list", "--theme", "desing"],
    ] {
      #expect(try await workspace.run(["feedback"] + words).status == 64, "\(words)")
    }
    #expect(try await listed("--open").count == all.count)
    let wrong = try await workspace.run("feedback", "tag", id, "desing")
    #expect(wrong.errors.contains("Did you mean 'design'?"))
  }

  @Test
  func `the printed list is a themes.yml, and a wrong one ends with 78, its file, line and key`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    let printed = try await workspace.run("feedback", "themes").output
    try workspace.write(printed, to: "themes.yml")
    #expect(try await workspace.run("feedback", "themes").output == printed)
    try workspace.write("themes:\n  voice:\n    word: [a]\n", to: "themes.yml")
    for words in [["feedback", "list"], ["report", "--summary"]] {
      let result = try await workspace.run(words)
      #expect(result.status == 78, "\(words): \(result.errors)")
      #expect(result.errors.contains("themes.yml:3:5: themes.voice.word: unknown key"))
    }
  }
}
