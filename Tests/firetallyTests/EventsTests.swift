import Foundation
import Store
import Testing

@Suite struct EventsTests {
  private static let good = """
    {"event_timestamp":"1769846400000000","event_name":"a","user_id":"u1"}
    """

  private func rejects(in workspace: TemporaryWorkspace) throws -> String {
    try String(
      contentsOf: workspace.folder.appendingPathComponent("data/rejects/events.txt"),
      encoding: .utf8)
  }

  @Test
  func `a file that cannot be read fails the job, and takes neither events nor rejects with it`()
    async throws
  {
    let workspace = try await TemporaryWorkspace()
    try workspace.write("no event\n", to: "data/exports/a.ndjson")
    try workspace.write("\u{1F}no gzip", to: "data/exports/b.ndjson.gz")
    try workspace.write(Self.good + "\n", to: "data/exports/c.ndjson")
    let broken = workspace.folder.appendingPathComponent("data/exports/b.ndjson.gz")
    try Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]).write(to: broken)
    let result = try await workspace.run("run", "events")
    #expect(result.status == 65)
    #expect(result.errors.contains("b.ndjson.gz"))
    #expect(try workspace.store().read { try $0.eventsCount() } == 1)
    #expect(try rejects(in: workspace).contains("a.ndjson:1: "))
    try FileManager.default.removeItem(at: broken)
    #expect(try await workspace.run("run", "events").status == 0)
    #expect(try rejects(in: workspace).contains("a.ndjson:1: "))
  }

  @Test
  func `a file that was mended leaves the list of rejects, and no other file does`() async throws {
    let workspace = try await TemporaryWorkspace()
    try workspace.write("no event\n", to: "data/exports/a.ndjson")
    try workspace.write("none either\n", to: "data/exports/b.ndjson")
    #expect(try await workspace.run("run", "events").status == 3)
    try workspace.write(Self.good + "\n", to: "data/exports/a.ndjson")
    #expect(try await workspace.run("run", "events").status == 0)
    let rejects = try rejects(in: workspace)
    #expect(!rejects.contains("a.ndjson"))
    #expect(rejects.contains("b.ndjson:1: "))
  }
}
