import Foundation
import Model
import Store
import Testing

/// `firetally report` and its options, as the built program does them: docs/reports.md#options.
@Suite struct ReportCommandTests {
  private func at(_ text: String) throws -> Instant { try #require(Instant(iso8601: text)) }

  private func text(_ path: String, in workspace: TemporaryWorkspace) throws -> String {
    try String(contentsOf: workspace.folder.appendingPathComponent(path), encoding: .utf8)
  }

  private func names(_ path: String, in workspace: TemporaryWorkspace) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: workspace.folder.appendingPathComponent(path).path
    ).sorted()
  }

  @Test func `prints the first page, and its period is the one that was asked for`() async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await workspace.run("report", "--period", "last-month")
    #expect(result.status == 0 && result.output.hasSuffix("/output/index.html\n"))
    #expect(try text("output/usage.html", in: workspace).contains("1 Dec – 31 Dec 2025 (31 days)"))
    #expect(
      try text("output/usage.txt", in: workspace).contains("no comparison: the ledger is empty"))
    let zone = try await workspace.run(
      "report", "--days", "1", "--time-zone", "Pacific/Auckland")
    #expect(zone.status == 0)
    #expect(
      try text("output/usage.txt", in: workspace).contains(
        "31 Jan 2026, 00:00 – 31 Jan 2026, 21:00"))
  }

  @Test func `what makes no sense is an error of the command line`() async throws {
    let workspace = try await TemporaryWorkspace()
    let mistakes = [
      ["--period", "soon"], ["--days", "0"], ["--days", "7", "--period", "yesterday"],
      ["--time-zone", "Berlin"], ["--format", "pdf"], ["--text", "--format", "csv"],
      ["--period", "2026-02-01..2026-02-02"], ["--scope", "anna"],
      ["--summary", "--text"], ["--summary", "usage"], ["--summary", "--open"],
      ["--html"], ["--html", "--text"], ["--summary", "--html", "--json"],
      ["--sql", "a", "--check"], ["--sql", "a", "--text"], ["--check", "usage"],
      ["--check", "--days", "7"], ["--check", "--output", "x"],
    ]
    for arguments in mistakes {
      let result = try await workspace.run(["report"] + arguments)
      #expect(result.status == 64, "\(arguments): \(result.errors)")
      #expect(!result.errors.isEmpty)
    }
    #expect(try names("output", in: workspace) == [])
  }

  @Test func `one file of each format, and only the formats that are named`() async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await workspace.run(
      "report", "--single-file", "--format", "html", "--format", "text")
    #expect(result.output.hasSuffix("/output/report.html\n"))
    #expect(try names("output", in: workspace) == ["report.html", "report.txt"])
  }

  @Test func `--sql prints a file, and --check tries all and writes nothing`() async throws {
    let workspace = try await TemporaryWorkspace()
    let folder = workspace.folder.appendingPathComponent("reports")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func write(_ text: String, _ name: String) throws {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    let file = "/*---\ntitle: X\ncolumns: {a: count}\n---*/\nSELECT 1 AS a\n"
    try write(file, "price-test.sql")
    let printed = try await workspace.run("report", "--sql", "price-test")
    #expect((printed.status, printed.output) == (0, file))
    let unknown = try await workspace.run("report", "--sql", "price-tset")
    #expect(unknown.status == 64)
    #expect(unknown.errors.contains("Did you mean 'price-test'?"))
    let right = try await workspace.run("report", "--check")
    #expect(right.status == 0)
    #expect(
      right.output.wholeMatch(of: /\d+ sections of Firetally: ok\nreports\/price-test.sql: ok\n/)
        != nil)
    let lines = try await workspace.run("report", "--check", "--json").output.split(separator: "\n")
    #expect(lines.count > 50)
    try write(file.replacing("SELECT 1 AS a", with: "SELECT 1 AS b"), "other.sql")
    try write(file.replacing("title", with: "titel"), "wrong.sql")
    let wrong = try await workspace.run("report", "--check")
    #expect(wrong.status == 65 && wrong.output.contains("reports/price-test.sql: ok\n"))
    #expect(wrong.output.contains("reports/other.sql:5: column 'a': the query gives no such"))
    #expect(wrong.output.contains("reports/wrong.sql:2:1: titel: unknown key. Did you mean"))
    #expect(wrong.errors.contains("section files are wrong"))
    #expect(try names("output", in: workspace) == [])
  }

  @Test func `--text prints the reports and writes nothing`() async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await workspace.run("report", "--text", "runs")
    #expect(result.status == 0)
    #expect(result.output.hasPrefix("At a glance · ChatHub\n==="))
    #expect(result.output.contains("\nRuns · ChatHub\n===") && !result.output.contains("Usage ·"))
    #expect(try names("output", in: workspace) == [])
  }

  @Test func `--summary prints the newest state in a few lines and writes nothing`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("run", "settings", "online-users")
    let result = try await workspace.run("report", "--summary", "--period", "yesterday")
    #expect(result.status == 0)
    #expect(
      result.output.hasPrefix(
        "ChatHub, 31 Jan 2026, 08:00 (UTC)\nCounted: 30 Jan 2026 (1 day), iOS\n\n"))
    #expect(result.output.split(separator: "\n", omittingEmptySubsequences: false).count <= 26)
    #expect(result.output.contains("Limit hits         –, no comparison: the ledger is empty\n"))
    #expect(
      result.output.contains("Ratings            –, no comparison: the ledger is empty; mean"))
    let json = try await workspace.run("report", "--summary", "--json")
    #expect(json.output.contains(#""message_type":"summary""#))
    #expect(json.output.split(separator: "\n").count == 1)
    let html = try await workspace.run("report", "--summary", "--html")
    #expect(html.output.hasPrefix("<!DOCTYPE html>") && html.output.contains("Open incidents"))
    #expect(try names("output", in: workspace) == [])
  }

  @Test func `what is read before it is printed leaves no file in the workspace`() async throws {
    let workspace = try await TemporaryWorkspace(users: 5)
    // In a process of its own, so that no connection of it is left here.
    _ = try await workspace.start(["run", "settings", "online-users"]).wait()
    let path = workspace.folder.path + "/data/firetally.sqlite"
    // The last connection that closes takes the log away, also one that a quick exit left.
    try Store.open(path: path).close()
    let before = try FileManager.default.subpathsOfDirectory(atPath: workspace.folder.path).sorted()
    #expect(!before.contains("data/firetally.sqlite-wal"))
    for words in [
      ["report", "--summary"], ["report", "--summary", "--html"], ["report", "--text"],
      ["status"], ["incidents"], ["findings"],
    ] {
      let result = try await workspace.run(words)
      #expect([0, 1].contains(result.status) && !result.output.isEmpty, "\(words)")
      #expect(
        try FileManager.default.subpathsOfDirectory(atPath: workspace.folder.path).sorted()
          == before, "\(words)")
    }
  }

  @Test func `--open hands the page to the desktop, and says when there is none`() async throws {
    let workspace = try await TemporaryWorkspace()
    let bin = workspace.folder.appendingPathComponent("bin")
    // No other folder, since a machine may have a desktop.
    let program = BuiltProgram(environment: ["PATH": bin.path])
    let missing = try await program.run("report", "--open", "-C", workspace.folder.path)
    #expect(missing.status == 1 && missing.errors.contains("could not be opened"))
    #expect(missing.output.hasSuffix("/output/index.html\n"))
    try workspace.write("#!/bin/sh\necho \"$1\" > \"${0%/*}/opened\"\n", to: "bin/xdg-open")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: bin.appendingPathComponent("xdg-open").path)
    let result = try await program.run("report", "--open", "-C", workspace.folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try text("bin/opened", in: workspace).hasSuffix("/output/index.html\n"))
  }

  @Test
  func `each day keeps its last report, and the index says what changed since the day before`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    try workspace.write("kind: report\nhistory: {keep: 2}\n", to: "jobs/report.yml")
    for day in ["29", "30", "31"] {
      let result = try await workspace.run("run", "report", at: at("2026-01-\(day)T08:00:00Z"))
      #expect(result.status == 0, "\(result.errors)")
    }
    #expect(
      try names("output/history", in: workspace) == [
        "2026-01-30", "2026-01-31", "index.csv", "index.html", "index.json", "index.txt",
      ])
    let names = try names("output/history/2026-01-31", in: workspace)
    #expect(names.count == 38 && names.contains("summary.json"))
    let index = try text("output/index.txt", in: workspace)
    #expect(index.contains("30 Jan 2026, 08:00"))
    #expect(try text("output/index.html", in: workspace).contains("href=\"history/index.html\""))
    let past = try text("output/history/2026-01-31/usage.html", in: workspace)
    #expect(past.contains("href=\"../index.html\"") && past.contains("href=\"../../index.html\""))
    let list = try text("output/history/index.html", in: workspace)
    #expect(list.contains("href=\"2026-01-30/index.html\"") && list.contains("../usage.html"))
  }

  @Test
  func `a report of other days leaves the copy of the day and its list as they are`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("report")
    let before = try text("output/history/2026-01-31/summary.json", in: workspace)
    _ = try await workspace.run("report", "--days", "30", at: at("2026-01-31T09:00:00Z"))
    #expect(try text("output/history/2026-01-31/summary.json", in: workspace) == before)
    #expect(try text("output/index.html", in: workspace).contains("href=\"history/index.html\""))
    _ = try await workspace.run("report", at: at("2026-01-31T09:00:00Z"))
    #expect(try text("output/history/2026-01-31/summary.json", in: workspace) != before)
  }

  @Test func `a summary that is cut never fails the run`() async throws {
    let workspace = try await TemporaryWorkspace()
    _ = try await workspace.run("report", at: at("2026-01-30T08:00:00Z"))
    try workspace.write("{\"schema\": 1, \"fig", to: "output/history/2026-01-30/summary.json")
    let result = try await workspace.run("report")
    #expect(result.status == 0)
    #expect(try text("output/index.txt", in: workspace).contains("cannot be read back"))
    #expect(try text("output/history/index.txt", in: workspace).contains("cannot be read back"))
  }

  @Test
  func `killed at any moment and run again, the history is as if nothing had happened`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    for delay in stride(from: 0, through: 400, by: 40) {
      let running = try workspace.start(["report"])
      try await Task.sleep(for: .milliseconds(delay))
      running.kill()
      _ = try await running.wait()
    }
    #expect(try await workspace.run("report").status == 0)
    #expect(
      try names("output/history", in: workspace) == [
        "2026-01-31", "index.csv", "index.html", "index.json", "index.txt",
      ])
    #expect(try names("output/history/2026-01-31", in: workspace).count == 38)
    #expect(try names("output", in: workspace).allSatisfy { !$0.hasPrefix(".") })
  }

  @Test func `no file of an anonymous report holds an id or a name of the database`() async throws {
    let workspace = try await TemporaryWorkspace()
    let demo = try await workspace.run(
      ["demo", "--into", workspace.folder.path, "--copies", "1"])
    #expect(demo.status == 0 || demo.status == 3, "\(demo.errors)")
    let output = workspace.folder.appendingPathComponent("anonymous")
    for form in [[], ["--single-file"]] {
      let result = try await workspace.run(
        ["report", "--anonymous", "--output", output.path] + form
      )
      #expect(result.status == 0, "\(result.errors)")
    }
    let secrets = try workspace.store().read { reader in
      let users = try reader.users(limit: 10_000).users
      let profiles = try reader.profiles()
      return Set(
        users.flatMap { [$0.userId, $0.name] } + profiles.map(\.name)
          + profiles.compactMap(\.userId)
        // Every page has the month and the system's colour.
      ).subtracting(["default", "", "Jan", "Mark"])
    }
    #expect(secrets.count > 100)
    let pages = try FileManager.default.contentsOfDirectory(atPath: output.path)
    #expect(pages.count == 40 + 1 + 1)
    let tables = try FileManager.default.contentsOfDirectory(atPath: output.path + "/tables")
    #expect(tables.count > 40)
    let files = pages.filter { $0 != "tables" } + tables.map { "tables/\($0)" }
    for file in files {
      let text = try String(contentsOf: output.appendingPathComponent(file), encoding: .utf8)
      let leaked = secrets.filter { strstr(text, $0) != nil }
      #expect(leaked.isEmpty, "\(file): \(leaked.prefix(3))")
    }
  }
}
