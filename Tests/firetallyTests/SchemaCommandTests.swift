import Foundation
import Testing

@testable import firetally

@Suite struct SchemaCommandTests {
  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/schema.md")

  @Test func `the manual's page is the one that the program prints`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    let printed = try await workspace.run("schema", "--markdown").output
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try Data(printed.utf8).write(to: Self.page)
      Issue.record("recorded \(Self.page.path); run again without RECORD_GOLDEN")
    }
    #expect(printed == String(decoding: try Data(contentsOf: Self.page), as: UTF8.self))
    #expect(
      !FileManager.default.fileExists(atPath: workspace.folder.appending(path: "data").path)
        || !FileManager.default.fileExists(
          atPath: workspace.folder.appending(path: "data/firetally.sqlite").path)
    )
  }

  @Test func `named tables alone, in any case, as lines of JSON`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    let result = try await workspace.run("schema", "EVENTS", "v_users", "--json")
    let lines = try CommandTests.objects(result)
    let tables = lines.compactMap { $0["table"] as? [String: Any] }
    #expect(lines.map { $0["message_type"] as? String } == ["table", "table"])
    #expect(tables.map { $0["name"] as? String } == ["events", "v_users"])
    #expect(tables.map { $0["kind"] as? String } == ["table", "view"])
    let column = (tables[0]["columns"] as? [[String: Any]])?[2]
    #expect(column?["meaning"] as? String == "When it happened, in microseconds since 1970.")
  }

  @Test func `the relations of reports come last, each with its columns, also without a report`()
    async throws
  {
    let workspace = try await TemporaryWorkspace(users: 1)
    let person = try await workspace.run("schema", "Person")
    #expect(person.status == 0)
    #expect(person.output.hasPrefix("person (relation): "))
    #expect(person.output.contains(/\nuser_id +TEXT, not null/))
    #expect(person.output.contains(/\nperson +INTEGER, key/))
    let all = try await workspace.run("schema").output
    let names = all.matches(of: /\n([a-z_]+) \(relation\)/).map { String($0.output.1) }
    #expect(names == names.sorted() && names.contains("usage_day") && names.contains("price_pair"))
  }

  @Test func `a name that is no table's ends with 64 and the closest one`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    let result = try await workspace.run("schema", "event")
    #expect(result.status == 64)
    #expect(result.errors.contains("Did you mean 'events'?"))
  }

  @Test func `a graph has a box for each table and an arrow for each reference`() async throws {
    let workspace = try await TemporaryWorkspace(users: 1)
    let graph = try await workspace.run("schema", "--dot").output
    #expect(graph.hasPrefix("digraph schema {\n"))
    #expect(graph.contains("  \"ratings\":\"outbox_id\" -> \"outbox\":\"id\";\n"))
    #expect(!graph.contains("v_users"))
  }
}
