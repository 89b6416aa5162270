import Fixtures
import JobsTesting
import Model
import Store
import StoreTesting
import Testing

@testable import Jobs
@testable import Workspace

/// Removal by age waits after a jump of the clock; docs/privacy.md#retention.
struct RetentionPauseTests {
  private static let second = Duration.microseconds(1)
  private static let day = Duration.seconds(86_400)

  @Test func `a first run, and one after at most 180 days, removes`() {
    for last in [nil, Instant.morning, .morning - Self.day * 180] {
      let next = RetentionPause(lastRunAt: last).next(at: .morning)
      #expect(next == RetentionPause(lastRunAt: .morning))
      #expect(next.warning(after: RetentionPause(lastRunAt: last)) == nil)
    }
  }

  @Test func `after a longer silence nothing is removed for seven days`() {
    let before = RetentionPause(lastRunAt: .morning - Self.day * 180 - Self.second)
    var state = before.next(at: .morning)
    #expect(state == RetentionPause(lastRunAt: .morning, resumedAt: .morning))
    #expect(state.warning(after: before)?.contains("the last such run was on ") == true)
    let end = Instant.morning + Self.day * 7
    let last = state.next(at: end - Self.second)
    #expect(last.resumedAt == .morning)
    #expect(last.warning(after: state)?.contains("goes on after \(end.iso8601)") == true)
    state = state.next(at: end)
    #expect(state == RetentionPause(lastRunAt: end))
  }

  @Test func `a second silence begins another pause`() {
    let later = Instant.morning + Self.day * 181
    let state = RetentionPause(lastRunAt: .morning, resumedAt: .morning).next(at: later)
    #expect(state == RetentionPause(lastRunAt: later, resumedAt: later))
  }

  @Test func `a run in the future is forgotten`() {
    let ahead = Instant.morning + Instant.toleratedLead
    #expect(
      RetentionPause(lastRunAt: ahead, resumedAt: ahead).next(at: .morning).resumedAt == ahead)
    let beyond = ahead + Self.second
    #expect(
      RetentionPause(lastRunAt: beyond, resumedAt: beyond).next(at: .morning)
        == RetentionPause(lastRunAt: .morning))
  }

  @Test func `a clock that is years ahead removes nothing, and says so`() async throws {
    let workspace = try TestWorkspace(
      jobs: ["tidy": "kind: maintain\nretention: {events: 400d}\n"])
    _ = try workspace.store.write { writer in
      try writer.append([Event(name: "e", at: .morning, userId: "u")], source: "test")
    }
    func run(at now: Instant) async throws -> JobReport {
      try #require(try await workspace.run(.all, at: now).first)
    }
    func events() throws -> [String] {
      try SQLiteFile.text(workspace.folder.databasePath, "SELECT count(*) FROM events")
    }
    #expect(try await run(at: .morning).run.warnings.isEmpty)
    let wrong = try await run(at: .morning + Self.day * 1_500)
    #expect(wrong.run.warnings.count == 1 && wrong.run.warnings[0].contains("may be wrong"))
    #expect(try events() == ["1"])
    let right = try await run(at: .morning + Self.day)
    #expect(!right.run.warnings.contains { $0.contains("may be wrong") })
    #expect(try events() == ["1"])
    let removing = try await run(at: .morning + Self.day * 1_500 + RetentionPause.duration)
    #expect(removing.run.counts.deleted == 0)
  }
}
