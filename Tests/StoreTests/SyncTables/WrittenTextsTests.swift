import Fixtures
import Model
import StoreTesting
import Testing

@testable import Store

/// Which rows of a job's table are read as texts, and how far; docs/running.md#times-in-the-future.
struct WrittenTextsTests {
  private let workspace: TemporaryStore

  init() throws {
    workspace = try TemporaryStore()
    try SQLiteFile.execute(
      workspace.path, "CREATE TABLE payments (name TEXT, type TEXT, synced_at INTEGER)")
  }

  private func add(_ name: String, written: Instant) throws {
    try SQLiteFile.execute(
      workspace.path, "INSERT INTO payments VALUES ('\(name)', NULL, \(written.microseconds))")
  }

  private func read(
    since position: Instant?, at now: Instant = .morning
  ) throws -> (names: [String], position: Instant?) {
    var names: [String] = []
    let position = try workspace.store.read { reader in
      try reader.forEachText(
        of: ["name", "type"], in: "payments", writtenSince: position, at: now
      ) { texts in
        #expect(texts["type"] == nil)
        names.append(texts["name"] ?? "")
      }
    }
    return (names, position)
  }

  private static let step = Duration.microseconds(1)
  private static let lead = Instant.toleratedLead

  @Test func `without a position all rows are read, with one those since`() throws {
    try add("a", written: .morning - .seconds(900))
    try add("b", written: .morning)
    #expect(try read(since: nil) == (["a", "b"], .morning))
    #expect(try read(since: .morning) == (["b"], .morning))
    #expect(try read(since: .morning + .seconds(301), at: .morning + .seconds(301)) == ([], nil))
  }

  @Test func `what was written after a clock was set back is read`() throws {
    try add("at the bound", written: .morning - Self.lead)
    try add("before it", written: .morning - Self.lead - Self.step)
    #expect(try read(since: .morning).names == ["at the bound"])
  }

  @Test func `a position that is too far ahead does not count`() throws {
    try add("a", written: .morning - .seconds(900))
    #expect(try read(since: .morning + Self.lead).names == [])
    #expect(try read(since: .morning + Self.lead + Self.step) == (["a"], .morning - .seconds(900)))
  }

  @Test func `a row that is too far ahead is read, and moves no position`() throws {
    try add("a", written: .morning)
    try add("b", written: .morning + Self.lead + Self.step)
    #expect(try read(since: .morning) == (["a", "b"], .morning))
    try add("c", written: .morning + Self.lead)
    #expect(try read(since: .morning).position == .morning + Self.lead)
  }
}
