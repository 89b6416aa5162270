import StoreTesting
import Testing

@testable import Model
@testable import Store

/// The tables of runs, counted by their queries on a small ledger.
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
    return try store.rows(of: name, columns, Self.context(now: now))
  }

  private static func context(now: Int = 3 * 86_400) -> ReportContext {
    ReportContext(
      appName: "ChatHub", now: start + .seconds(now), timeZone: "UTC", start: start,
      end: start + .seconds(2 * 86_400))
  }

  /// Of the runs as a report shows them, in any order.
  private func rows(of name: String, _ columns: String, shown runs: [Run]) throws -> [String] {
    var data = RunsData.none
    for (place, run) in runs.enumerated() {
      data.runs.append(run)
      data.runs[place].id = Int64(place + 1)
    }
    data.runs.sort { ($0.startedAt, $0.id ?? 0) > ($1.startedAt, $1.id ?? 0) }
    return try store.rows(of: name, columns, Self.context(), runs: data)
  }

  @Test(
    arguments: [([3], "3.0"), ([9, 1], "9.0"), ([9, 1, 3], "3.0"), ([], "-")]
      as [([Int64], String)])
  func `a job and a day have the middle one of their runs' seconds, of two the longer`(
    seconds: [Int64], median: String
  ) throws {
    var runs = seconds.map { seconds -> Run in
      var ended = run("a", 0)
      ended.endedAt = ended.startedAt + .seconds(seconds)
      return ended
    }
    var killed = run("a", 1, .interrupted)
    killed.endedAt = nil
    runs += [killed, run("a", 2, .locked), run("a", -1), run("a", 2 * 86_400)]
    let counts = "success_part, success_whole, median_seconds"
    let expected = "\(seconds.count)|\(seconds.count + 1)|\(median)"
    #expect(
      try rows(of: "runs/job-effort", "job, \(counts)", shown: runs) == ["a|\(expected)"])
    #expect(
      try rows(of: "runs/by-day", "day, \(counts)", shown: runs)
        == ["2026-03-02|\(expected)", "2026-03-03|0|0|-"])
  }

  /// The second day begins at 86,400.
  @Test(arguments: [(86_399, "0|0"), (86_400, "-|1")])
  func `a day that ended before the oldest run is unknown`(second: Int, first: String) throws {
    let oldest = run("a", second)
    try store.write { writer in
      var oldest = oldest
      oldest.id = try writer.begin(oldest)
      try writer.finish(oldest)
    }
    let found = try rows(of: "runs/by-day", "reads, is_gap", shown: [oldest])
    #expect(found == [first, "0|0"])
  }

  private func read(
    _ id: Int64, _ seconds: Int, _ caller: String, job: String? = nil, documents: Int? = 1
  ) -> AuditedRead {
    AuditedRead(
      id: id, at: Self.start + .seconds(seconds), collection: "c", method: "RunQuery",
      caller: caller, tags: job.map { ["app=firetally", "job=\($0)"] } ?? [],
      documentCount: documents)
  }

  @Test func `who reads is counted within the period, beside the runs within the log`() throws {
    let end = 2 * 86_400
    let reads = [
      read(1, -1, "x", documents: 99), read(2, 0, "a", job: "load", documents: 40),
      read(3, 100, "a", job: "load", documents: 20), read(4, 50, "b", documents: nil),
      read(5, 60, "b", documents: 40), read(6, end, "x", documents: 99),
    ]
    _ = try store.write { try $0.add(reads) }
    #expect(
      try store.rows(
        of: "runs/readers", "caller, tags, requests, documents, share_part, share_whole",
        Self.context())
        == ["a|app=firetally, job=load|2|60|60|100", "b|-|2|40|40|100"])
    let runs = [
      ("load", 0, 61), ("load", 100, 4), ("load", 101, 99), ("other", 50, 7), ("no", 5, 0),
    ]
    .map { job, seconds, billed -> Run in
      var run = run(job, seconds)
      run.counts = RunCounts(billedReads: billed)
      return run
    }
    #expect(
      try rows(of: "runs/readers-by-job", "job, requests, documents, reads", shown: runs)
        == ["load|2|60|65", "other|-|-|7", "everybody else|2|40|-"])
  }

  @Test func `without an audit log nobody reads`() throws {
    for name in ["runs/readers", "runs/readers-by-job"] {
      #expect(try rows(of: name, "1", shown: [run("a", 0)]).isEmpty)
    }
  }

  @Test func `a run that the lock refused is listed, and no job or day has it`() throws {
    var reading = run("a", 0)
    reading.counts = RunCounts(fetched: 250, billedReads: 250, bytes: 81_402)
    let runs = [reading, run("b", 5, .locked)]
    let costs = "reads, bytes, cost, cost_currency"
    #expect(
      try rows(of: "runs/job-effort", "job, reads, cost, cost_currency", shown: runs)
        == ["a|250|0.00015|USD"])
    #expect(
      try rows(of: "runs/by-day", "reads, cost", shown: runs) == ["250|0.00015", "0|0.0"])
    #expect(
      try rows(of: "runs/costs", "job, \(costs)", shown: runs)
        == ["b|0|0|0.0|USD", "a|250|81402|0.00015|USD"])
    #expect(
      try rows(of: "runs/ledger", "job, outcome, outcome_words, seconds", shown: runs)
        == ["b|warn|locked|1.0", "a|pass|ok|1.0"])
    #expect(try rows(of: "runs/by-day", "day", shown: [runs[1]]).isEmpty)
  }

  @Test(arguments: [999, 1_000, 1_001])
  func `at most a thousand runs are listed, of all that there are`(count: Int) throws {
    let runs = (0..<count).map { run("a", $0) }
    for name in ["runs/ledger", "runs/costs"] {
      #expect(
        try rows(of: name, "count(*), min(total_count), max(total_count)", shown: runs)
          == ["\(min(count, 1_000))|\(count)|\(count)"])
    }
  }

  @Test func `fresh runs of a job with nothing else of it between them are one line`() throws {
    let runs = [
      run("a", 0, .fresh), run("a", 10, .fresh), run("b", 15), run("a", 20), run("a", 30, .fresh),
    ]
    #expect(
      try rows(of: "runs/ledger", "job, outcome_words, runs", shown: runs)
        == ["a|fresh|1", "a|ok|1", "b|ok|1", "a|fresh|2"])
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
    #expect(Set(try rows(of: "runs/skipped", "says", [])) == ["7 left out, for 2 reasons."])
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
    #expect(Set(try rows(of: "runs/warnings", "says", [])) == ["6 in 3 different sentences."])
  }
}
