import Model
import StoreTesting
import Testing

@testable import Store

/// The tables of what runs left out and said, counted by their queries on a small ledger.
@Suite struct RunSectionTests {
  let folder: TemporaryStore
  let store: Store
  private static let start = UsageSectionTests.start

  init() throws {
    (folder, store) = try TemporaryStore.opened()
  }

  private func run(
    _ job: String, _ seconds: Int, _ outcome: Run.Outcome = .ok, skipped: [String: Int] = [:],
    warnings: [String] = [], error: String? = nil
  ) -> Run {
    let startedAt = Self.start + .seconds(seconds)
    return Run(
      job: job, kind: job, trigger: .scheduled, startedAt: startedAt,
      endedAt: startedAt + .seconds(1), outcome: outcome, counts: RunCounts(skipped: skipped),
      warnings: warnings, error: error)
  }

  /// Of two days from the start on; `now` are the seconds since then.
  private func rows(
    of name: String, _ columns: String, _ runs: [Run], now: Int = 3 * 86_400
  ) throws -> [String] {
    try store.write { writer in
      for var run in runs {
        run.id = try writer.begin(run)
        try writer.finish(run)
      }
    }
    return try store.rows(
      of: name, columns,
      ReportContext(
        appName: "ChatHub", now: Self.start + .seconds(now), timeZone: "UTC", start: Self.start,
        end: Self.start + .seconds(2 * 86_400)))
  }

  @Test func `left-out documents are added up by job and reason, most first`() throws {
    let runs = [
      run("a", 0, skipped: ["x": 2, "y": 1]), run("a", 2 * 86_400 - 1, skipped: ["x": 1]),
      run("b", 10, skipped: ["x": 3]), run("a", -1, skipped: ["x": 9]),
      run("a", 2 * 86_400, skipped: ["x": 9]), run("b", 11),
    ]
    #expect(
      try rows(of: "runs/skipped", "reason, job, count, share_part, share_whole", runs)
        == ["x|a|3|3|7", "x|b|3|3|7", "y|a|1|1|7"])
  }

  @Test(arguments: [(300, 1), (301, 0)])
  func `a run dated over five minutes in the future does not count`(
    ahead: Int, count: Int
  ) throws {
    let runs = [run("a", 60 + ahead, skipped: ["x": 1], warnings: ["Slow."])]
    #expect(try rows(of: "runs/skipped", "reason", runs, now: 60).count == count)
    #expect(try rows(of: "runs/warnings", "sentence", [], now: 60).count == count)
  }

  @Test func `equal warnings are one with their newest time, and causes come before the held runs`()
    throws
  {
    var held = run("a", 20, .blocked, error: "It needs b.")
    held.refusedBy = .need
    let runs = [
      run("b", 4, .partial, warnings: ["Slow."]), run("b", 5, .failed, error: "No."),
      run("b", 10, .failed, warnings: ["Slow.", "Slow."], error: "No."), held,
      run("b", -1, .failed, error: "No."),
    ]
    let newest = (Self.start + .seconds(10)).microseconds
    let blocked = (Self.start + .seconds(20)).microseconds
    #expect(
      try rows(
        of: "runs/warnings", "job, level, level_words, sentence, count, newest_at", runs)
        == [
          "b|error|Error|No.|2|\(newest)", "b|warn|Warning|Slow.|3|\(newest)",
          "a|warn|Warning|It needs b.|1|\(blocked)",
        ])
  }
}
