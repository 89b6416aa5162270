import Foundation
import Store
import Testing

@Suite struct EventsCommandTests {
  private static let first = """
    {"event_timestamp":"1769846400000000","event_name":"a","user_id":"u1","event_params":[\
    {"key":"k","value":{"int_value":"7"}},{"key":"d","value":{"double_value":1.0}}]}
    """
  private static let second = """
    {"event_timestamp":1769846401000000,"event_name":"ios_refresh_performed","user_id":"u2"}
    """

  private func path(_ workspace: TemporaryWorkspace, _ name: String) -> String {
    workspace.folder.appendingPathComponent(name).path
  }

  private func text(_ workspace: TemporaryWorkspace, _ name: String) throws -> String {
    try String(contentsOfFile: path(workspace, name), encoding: .utf8)
  }

  @Test func `the same file twice adds nothing, and neither import says a word`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write("\(Self.first)\n\(Self.second)\n", to: "a.ndjson")
    for _ in 0..<2 {
      let result = try await workspace.run("events", "import", path(workspace, "a.ndjson"))
      #expect(result.status == 0)
      #expect(result.output + result.errors == "")
      #expect(try workspace.store().read { try $0.eventsCount() } == 2)
    }
  }

  @Test func `with --json each file is one object with its counts`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write("\(Self.first)\n\(Self.first)\nbad\n", to: "a.ndjson")
    try workspace.write(Self.second, to: "b.ndjson")
    let files = [path(workspace, "a.ndjson"), path(workspace, "b.ndjson")]
    let result = try await workspace.run("events", "import", files[0], files[1], "--json")
    #expect(result.status == 3)
    #expect(
      result.output == """
        {"added":1,"erased":0,"file":"\(files[0])","known":1,"lines":3,"message_type":"import","rejected":1}
        {"added":1,"erased":0,"file":"\(files[1])","known":0,"lines":1,"message_type":"import","rejected":0}

        """)
  }

  @Test func `lines that are no events are listed, where the command line says`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write("\(Self.first)\n{\n", to: "a.ndjson")
    let file = path(workspace, "a.ndjson")
    let result = try await workspace.run("events", "import", file)
    #expect(result.status == 3)
    #expect(result.errors.contains("1 of 2 lines"))
    let expected = "\(file):2: the line ends inside the record: {\n"
    #expect(try text(workspace, "data/rejects/import.txt") == expected)
    let other = path(workspace, "other.txt")
    #expect(try await workspace.run("events", "import", file, "--rejects", other).status == 3)
    #expect(try text(workspace, "other.txt").hasPrefix("\(file):2: "))
  }

  @Test func `a file that is not there ends with 65, after those that are`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write(Self.first, to: "a.ndjson")
    let result = try await workspace.run(
      "events", "import", "/nonexistent/e.ndjson", path(workspace, "a.ndjson"))
    #expect(result.status == 65)
    #expect(result.errors.contains("/nonexistent/e.ndjson"))
    #expect(try workspace.store().read { try $0.eventsCount() } == 1)
  }

  @Test func `no file at all is a wrong command line`() async throws {
    let workspace = try await TemporaryWorkspace()
    #expect(try await workspace.run("events", "import").status == 64)
  }

  @Test func `standard input may hold nothing`() async throws {
    let workspace = try await TemporaryWorkspace()
    let result = try await workspace.run("events", "import", "-", "--json")
    #expect(result.status == 0)
    #expect(result.output.contains(#""lines":0"#))
  }

  @Test(arguments: [false, true])
  func `an export is imported into an empty workspace as the same ledger`(isGzip: Bool) async throws
  {
    let workspace = try await TemporaryWorkspace()
    let other = try await TemporaryWorkspace()
    try workspace.write("\(Self.second)\n\(Self.first)\n", to: "a.ndjson")
    _ = try await workspace.run("events", "import", path(workspace, "a.ndjson"))
    #expect(try await workspace.run("limits", "check", "refresh").status == 0)
    let file = path(workspace, "out.ndjson")
    let options = isGzip ? ["--gzip"] : []
    let export = try await workspace.run(["events", "export", "--output", file] + options)
    #expect(export.status == 0)
    #expect(export.output == "")
    #expect(try await other.run("events", "import", file).status == 0)
    let before = try await workspace.start(["events", "export"]).wait()
    let after = try await other.start(["events", "export"]).wait()
    #expect(before.output.split(separator: "\n").count > 3)
    #expect(after.output == before.output)
  }

  @Test func `events are selected by time, user and name`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write("\(Self.first)\n\(Self.second)\n", to: "a.ndjson")
    _ = try await workspace.run("events", "import", path(workspace, "a.ndjson"))
    let selections: [([String], String)] = [
      ([], "2"), (["--user", "u1"], "1"), (["--name", "a"], "1"), (["--name", "b"], "0"),
      (["--from", "2026-01-31T08:00:01Z"], "1"), (["--to", "2026-01-31T08:00:01Z"], "1"),
      (["--from", "2026-01-31T08:00:00Z", "--to", "2026-01-31T08:00:02Z"], "2"),
    ]
    for (options, count) in selections {
      let result = try await workspace.run(["events", "count"] + options)
      #expect(result.output == count + "\n", "\(options)")
      let file = path(workspace, "out.ndjson")
      _ = try await workspace.run(["events", "export", "--output", file] + options)
      let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      #expect(String(lines.count) == count, "\(options)")
      let printed = try await workspace.start(["events", "export"] + options).wait().output
      #expect(printed.split(separator: "\n") == lines, "\(options)")
    }
    let list = try await workspace.run("events", "list", "--limit", "1", "--json")
    #expect(list.output.contains("ios_refresh_performed"))
    #expect(!list.output.contains(#""name":"a""#))
    #expect(list.output.split(separator: "\n").count == 1)
    let table = try await workspace.run("events", "list", "--limit", "1")
    #expect(table.output.hasSuffix("\nmore: --limit 10\n"))
    let whole = try await workspace.run("events", "list", "--limit", "2")
    #expect(whole.output.split(separator: "\n").count == 3 && !whole.output.contains("more:"))
    let backwards = try await workspace.run(
      "events", "count", "--from", "2026-01-31T08:00:00Z", "--to", "2026-01-31T08:00:00Z")
    #expect(backwards.status == 64)
  }
}
