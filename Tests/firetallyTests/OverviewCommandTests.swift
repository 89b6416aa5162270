import Emulator
import Firestore
import Fixtures
import Foundation
import Model
import Store
import StoreTesting
import Testing
import Workspace

@testable import firetally

/// `firetally overview`; see `docs/overview.md`.
@Suite struct OverviewCommandTests {
  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func workspaces(_ text: String) throws -> [[String: Any]] {
    try #require(try object(text)["workspaces"] as? [[String: Any]])
  }

  private func overview(
    _ folders: [String], _ words: String..., environment: [String: String] = [:]
  ) async throws -> BuiltProgram.Result {
    try await BuiltProgram(environment: environment).run(
      ["overview"] + folders.flatMap { ["-C", $0] } + words
        + ["--now", TemporaryWorkspace.morning.description])
  }

  /// A workspace whose jobs have run.
  private func good(_ name: String) async throws -> TemporaryWorkspace {
    let workspace = try await TemporaryWorkspace(users: 5)
    let text = try String(
      contentsOf: workspace.folder.appending(path: "firetally.yml"), encoding: .utf8)
    try workspace.write(
      text.replacing(/\n  name: .*/, with: "\n  name: \(name)", maxReplacements: 1),
      to: "firetally.yml")
    #expect(try await workspace.run("run", "settings", "online-users").status != 1)
    return workspace
  }

  /// Every file below a folder, with its time of change.
  private func files(of workspace: TemporaryWorkspace) throws -> [String: Date] {
    let root = workspace.folder
    return try FileManager.default.subpathsOfDirectory(atPath: root.path).reduce(into: [:]) {
      $0[$1] =
        try FileManager.default.attributesOfItem(
          atPath: root.appending(path: $1).path)[.modificationDate] as? Date
    }
  }

  @Test func `two apps are one page: text, message, JSON, metrics and HTML`() async throws {
    let (chat, uplift) = (try await good("Chat"), try await good("Uplift"))
    let folders = [chat, uplift].map(\.folder.path)
    let before = try files(of: chat)
    let text = try await overview(folders)
    #expect(text.status == 0 && text.errors.isEmpty, "\(text.errors)")
    #expect(text.output.hasPrefix("All workspaces · Firetally\n"))
    #expect(text.output.contains("Chat") && text.output.contains("Uplift"))
    let json = try object(try await overview(folders, "--json").output)
    #expect(json["message_type"] as? String == "overview" && json["isWell"] as? Bool == true)
    let listed = try #require(json["workspaces"] as? [[String: Any]])
    #expect(listed.map { $0["app"] as? String } == ["Chat", "Uplift"])
    #expect(listed.allSatisfy { $0["problem"] is NSNull && $0["lockHolder"] is NSNull })
    let message = try await overview(folders, "--summary", "--period", "yesterday")
    #expect(message.output.split(separator: "\n").count <= 30)
    let output = try TemporaryFolder()
    let (page, metrics) = ("\(output.path)/all.html", "\(output.path)/all.prom")
    let written = try await overview(folders, "--html", page, "--prometheus", metrics)
    #expect(written.status == 0 && written.output == "\(page)\n")
    #expect(
      try String(contentsOfFile: page, encoding: .utf8).contains("<h1>All workspaces</h1>"))
    let samples = try String(contentsOfFile: metrics, encoding: .utf8)
    for folder in folders {
      #expect(samples.contains("firetally_overview_readable{workspace=\"\(folder)\""))
    }
    #expect(try files(of: chat) == before)
  }

  @Test func `the figures are those of the summary of each workspace`() async throws {
    let workspace = try await good("Chat")
    let line = try #require(
      try workspaces(try await overview([workspace.folder.path], "--json").output).first)
    let figures = try #require(line["figures"] as? [[String: Any]])
    let summary = try object(try await workspace.run("report", "--summary", "--json").output)
    let told = try #require(summary["figures"] as? [[String: Any]])
    for id in ["total", "active-users", "reads", "cost"] {
      func value(_ list: [[String: Any]]) -> String {
        "\(list.first { $0["id"] as? String == id }?["value"] ?? "none")"
      }
      #expect(value(figures) == value(told) && value(figures) != "none", "\(id)")
    }
  }

  @Test func `a workspace of anonymous reports is read without a key of its own`() async throws {
    let workspace = try await good("Chat")
    try workspace.write("kind: report\nanonymous: true\n", to: "jobs/report.yml")
    let before = try files(of: workspace)
    let result = try await overview([workspace.folder.path], "--json")
    #expect(try workspaces(result.output).first?["problem"] is NSNull, "\(result.output)")
    #expect(try files(of: workspace) == before)
  }

  @Test func `what cannot be read is a line with its reason, and the others are read`()
    async throws
  {
    let chat = try await good("Chat")
    let broken = try TemporaryFolder()
    try Data("app: [\n".utf8).write(to: broken.url.appending(path: "firetally.yml"))
    let (older, newer) = (try await good("Older"), try await good("Newer"))
    for (workspace, schema) in [(older, 30), (newer, 900)] {
      try SQLiteFile.execute(
        workspace.folder.path + "/data/firetally.sqlite", "PRAGMA user_version = \(schema)")
    }
    let before = try files(of: older)
    let folders = [
      chat.folder.path, broken.path, older.folder.path, newer.folder.path, "/usr",
      "/nonexistent/x",
    ]
    let result = try await overview(folders, "--json")
    #expect(result.status == 1 && result.errors.isEmpty)
    let lines = try workspaces(result.output)
    #expect(lines.map { $0["workspace"] as? String } == folders)
    let reasons = [
      nil, "not valid YAML", "schema version 30", "has schema 900", "/usr is not a workspace",
      "/nonexistent/x is not a workspace",
    ]
    for (line, reason) in zip(lines, reasons) {
      let problem = line["problem"] as? String
      #expect(reason.map { problem?.contains($0) == true } ?? (problem == nil), "\(line)")
      #expect((line["app"] as? String == "Chat") == (reason == nil))
      #expect(line["isWell"] as? Bool == (reason == nil))
    }
    #expect(try files(of: older) == before)
    let page = try await overview(folders)
    #expect(page.status == 1 && page.output.contains("6 workspaces: 5 cannot be read"))
  }

  @Test func `a workspace that another process holds is read, and says who holds it`()
    async throws
  {
    let chat = try await good("Chat")
    let lock = try await WorkspaceLock.acquire(
      Workspace(root: chat.folder.path),
      for: .thisProcess(command: "firetally run", since: .morning), wait: .zero, sleep: { _ in })
    let result = try await overview([chat.folder.path], "--json")
    let line = try #require(try workspaces(result.output).first)
    #expect((line["lockHolder"] as? String)?.contains("firetally run") == true)
    #expect(line["app"] as? String == "Chat" && result.status == 0)
    #expect(try await overview([chat.folder.path]).output.contains("Chat is locked by pid "))
    lock.release()
  }

  @Test func `a workspace in trouble ends with 1, as its status does`() async throws {
    let chat = try await good("Chat")
    chat.server.inject(.status(.permissionDenied), times: nil, matching: "AppSettings")
    _ = try await chat.run("run", "settings", at: TemporaryWorkspace.morning + .seconds(60))
    let later = TemporaryWorkspace.morning + .seconds(120)
    #expect(try await chat.run("status", at: later).status == 1)
    #expect(try await chat.run("overview", at: later).status == 1)
  }

  @Test func `a workspace named twice is one, also by a link`() async throws {
    let chat = try await good("Chat")
    let folder = try TemporaryFolder()
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: chat.folder.path)
    let path = chat.folder.path
    let lines = try workspaces(try await overview([path, "\(path)/", link], "--json").output)
    #expect(lines.map { $0["workspace"] as? String } == [path])
  }

  @Test func `two workspaces of one name are told apart by their folders`() async throws {
    let both = [try await good("Chat"), try await good("Chat")]
    let lines = try workspaces(try await overview(both.map(\.folder.path), "--json").output)
    #expect(
      lines.map { $0["title"] as? String } == both.map { "Chat (\($0.folder.lastPathComponent))" })
  }

  @Test func `without -C the list counts, then the usual workspace, and else it is an error`()
    async throws
  {
    let chat = try await good("Chat")
    let home = try TemporaryFolder()
    let list = home.url.appending(path: ".config/firetally/workspaces.yml")
    let environment = ["HOME": home.path]
    // The tests run in a folder that is a workspace.
    let none = try await overview(
      [], environment: environment.merging(["FIRETALLY_WORKSPACE": home.path]) { $1 })
    #expect(none.status == 78 && none.errors.contains(list.path), "\(none.errors)")
    let usual = environment.merging(["FIRETALLY_WORKSPACE": chat.folder.path]) { $1 }
    let alone = try await overview([], "--json", environment: usual)
    #expect(try workspaces(alone.output).map { $0["app"] as? String } == ["Chat"])
    try FileManager.default.createDirectory(
      at: list.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("workspaces: [\(chat.folder.path), gone]\n".utf8).write(to: list)
    let listed = try await overview([], "--json", environment: environment)
    #expect(try workspaces(listed.output).count == 2 && listed.status == 1)
    let named = try await overview([chat.folder.path], "--json", environment: environment)
    #expect(try workspaces(named.output).count == 1)
    try Data("workspaces: 1\n".utf8).write(to: list)
    let wrong = try await overview([], environment: environment)
    #expect(wrong.status == 78 && wrong.errors.contains("workspaces.yml:1:"))
  }

  @Test(arguments: [
    ["--days", "0"], ["--days", "3", "--period", "yesterday"], ["--summary", "--json"],
    ["--summary", "--html", "x.html"], ["-C", ""],
  ])
  func `options that do not go together are refused`(words: [String]) async throws {
    let result = try await BuiltProgram().run(["overview"] + words)
    #expect(result.status == 64, "\(result.errors)")
  }

  @Test(arguments: [
    ("/srv/www/all.html", "/srv/www/chat/output/index.html", "chat/output/index.html"),
    ("/srv/www/all.html", "/srv/chat/index.html", "../chat/index.html"),
    ("/a.html", "/b/a b%.html", "b/a%20b%25.html"), ("/x/a.html", "/x/c:d/e.html", "c%3Ad/e.html"),
  ])
  func `a link from the page leads to a file of another folder`(
    page: String, file: String, link: String
  ) {
    #expect(RelativeLink.text(from: page, to: file) == link)
  }
}
