import ReportsTesting
import Testing

@testable import Model
@testable import Reports
@testable import Store

@Suite struct RunsReportTests {
  private func report(_ change: (inout RunsData) -> Void = { _ in }) -> Report {
    var data = SampleReports.runs
    change(&data)
    return RunsReport.make(data, context: SampleReports.context)
  }

  @Test func `the cost names its price, and says when it is none of the workspace's own`() throws {
    var data = SampleReports.runs
    func note() throws -> String {
      let report = RunsReport.make(data, context: SampleReports.context)
      return try #require(report.headline.first { $0.id == "cost" }?.note)
    }
    #expect(
      try note()
        == "at the price of each run's day; now $0.06 per 100,000 reads, "
        + "Google's price of September 2026: set yours as cost.per_100k_reads in firetally.yml")
    data.price.currency = "EUR"
    #expect(
      try note()
        == "at the price of each run's day; now €0.06 per 100,000 reads: "
        + "set yours as cost.per_100k_reads in firetally.yml")
    data.price.currency = "USD"
    data.price.isOwn = true
    #expect(try note() == "at the price of each run's day; now $0.06 per 100,000 reads")
  }

  @Test(arguments: [(0, false), (-1, true)])
  func `of a period before the first run no reads are known`(microseconds: Int64, isKnown: Bool) {
    let end = SampleReports.context.end
    let headline = report { $0.beginsAt = end + .microseconds(microseconds) }.headline
    for id in ["runs", "reads", "cost"] {
      let figure = headline.first { $0.id == id }
      #expect((figure?.value != .missing) == isKnown, "\(id)")
    }
  }

  private func rows(_ id: String, of report: Report) -> [[Cell]] {
    for case .table(let table) in report.sections.flatMap(\.blocks) where table.id == id {
      return table.rows.map(\.cells)
    }
    return []
  }

  @Test func `an incident that lasts has lasted until now, and is counted as open`() throws {
    let now = SampleReports.context.now
    var over = JobIncident(
      .lock, causes: ["lock"], sentence: "x", beganAt: now - .seconds(90), runs: 2)
    over.endedAt = now - .seconds(30)
    let open = JobIncident(
      .failure, causes: ["x"], sentence: "x", jobs: ["a"], beganAt: now - .seconds(7), runs: 3)
    let report = report { $0.incidents = [open, over] }
    let rows = rows("incidents", of: report)
    #expect(rows.map { $0[3] } == [.seconds(7), .seconds(60)])
    #expect(rows.map { $0[4] } == [.count(3), .count(2)])
    #expect(report.figures.first { $0.id == "open-incidents" }?.value == .count(1))
  }

  @Test func `a late job is reported with its last success and its error`() {
    let findings = report().findings
    #expect(findings.map(\.level) == [.error])
    #expect(
      findings.first?.sentence
        == "upload-feedback failed 8 hours ago: The server answered 503. Its last success was 9 "
        + "days ago, expected every hour.")
  }

  @Test func `a job that failed once is reported with its reason and its last success`() {
    let findings = report { data in
      data.jobs[1].lastDueAt = SampleReports.at("2026-02-20T22:20:00Z")
    }.findings
    #expect(
      findings.map(\.sentence) == [
        "upload-feedback failed 8 hours ago: The server answered 503. Its last success was 9 days ago."
      ])
  }

  /// `users` needs `gate`, which needs `settings`; settings failed, and the others were not run.
  private func blocked(_ data: inout RunsData) {
    func job(_ name: String, needs: Set<String>) -> RunsData.JobSummary {
      RunsData.JobSummary(
        name: name, kind: JobKindName("k"), schedule: "0 * * * *",
        lastDueAt: SampleReports.at("2026-03-02T06:00:00Z"),
        dueBeforeAt: SampleReports.at("2026-03-02T05:00:00Z"), needs: needs)
    }
    data.jobs = [
      job("settings", needs: []), job("gate", needs: ["settings"]),
      job("a-users", needs: ["gate", "settings"]),
    ]
    let success = SampleReports.run("x", "2026-03-02T05:00:00Z", .ok)
    let old = SampleReports.run("x", "2026-02-20T05:00:00Z", .ok)
    var held = SampleReports.run("x", "2026-03-02T06:00:00Z", .blocked, error: "It needs settings.")
    held.refusedBy = .need
    data.lastSuccesses = ["settings": success, "gate": success, "a-users": old]
    data.lastJudgedRuns = [
      "settings": SampleReports.run("x", "2026-03-02T06:00:00Z", .failed, error: "No network"),
      "gate": held, "a-users": held,
    ]
    data.lastRuns = data.lastJudgedRuns
  }

  @Test
  func `a cause names what it blocks in one finding, and comes first in tables and summary`() {
    var data = SampleReports.runs
    blocked(&data)
    let health = WorkspaceHealth(
      data, outbox: [.rejected: 1], timeZone: "UTC", now: SampleReports.context.now)
    #expect(
      health.findings.map { $0.sentence.split(separator: " ")[0] } == ["settings", "1"])
    #expect(health.findings[0].level == .error)
    #expect(health.findings[0].sentence.hasSuffix(" It keeps gate and a-users from running."))
    // The gate is as bad as the overdue job that waits for it.
    #expect(health.jobs.map(\.level) == [.error, .error, .error])
    #expect(health.jobs.map(\.freshness) == [.failed, .blocked, .overdue])
    #expect(health.summary == "3 of 3 jobs need attention: settings, gate, a-users.")
    #expect(!health.isWell)
    let rows = report(blocked).sections[0].blocks.compactMap { block -> [Cell]? in
      guard case .table(let table) = block, table.id == "jobs" else { return nil }
      return table.rows.map { $0.cells[0] }
    }
    #expect(rows == [[.text("settings"), .text("gate"), .text("a-users")]])
  }

  @Test func `a job that fails on its own makes no job worse that it needs`() {
    var data = SampleReports.runs
    blocked(&data)
    data.lastJudgedRuns["settings"] = nil
    data.lastSuccesses["settings"] = nil
    for name in ["gate", "a-users"] {
      data.lastJudgedRuns[name] = SampleReports.run("x", "2026-03-02T06:00:00Z", .failed)
    }
    let jobs = JobHealth.all(data)
    #expect(jobs.map(\.freshness) == [.notYetRun, .failed, .failed])
    #expect(jobs.map(\.level) == [.warn, .error, .error])
  }

  @Test func `all is well without an error: late jobs and waiting items are no errors`() {
    var data = SampleReports.runs
    data.jobs = []
    func isWell(_ outbox: [OutboxItem.State: Int]) -> Bool {
      WorkspaceHealth(data, outbox: outbox, timeZone: "UTC", now: SampleReports.context.now).isWell
    }
    #expect(isWell([:]) && isWell([.queued: 3, .parked: 1, .delivered: 4]))
    #expect(!isWell([.rejected: 1]))
  }

  @Test func `a run that the lock refused is counted nowhere`() throws {
    let report = report { data in
      data.runs.append(SampleReports.run("online-users", "2026-02-20T11:00:00Z", .locked))
    }
    let figure = try #require(report.headline.first { $0.id == "success" })
    #expect(figure.value == .ratio(Ratio(2, of: 3)))
  }

  @Test func `there is no finding when all jobs are on time`() {
    let report = report { data in
      data.lastSuccesses["upload-feedback"] = data.lastRuns["online-users"]
      data.lastJudgedRuns["upload-feedback"] = data.lastRuns["online-users"]
      data.jobs[1].lastDueAt = SampleReports.at("2026-03-01T22:20:00Z")
    }
    #expect(report.findings.isEmpty)
    #expect(report.summary == "All 2 jobs are in order.")
  }

  @Test(arguments: [(true, "."), (false, ", but 1 incident is open.")])
  func `jobs on time are no good news while an incident lasts`(isOver: Bool, words: String) {
    let report = report { data in
      data.jobs = [data.jobs[0]]
      let now = SampleReports.context.now
      var incident = JobIncident(
        .failure, causes: ["x"], sentence: "x", jobs: ["a"], beganAt: now - .seconds(60))
      if isOver { incident.endedAt = now }
      data.incidents = [incident]
    }
    #expect(report.summary == "The job is in order\(words)")
  }

  @Test(
    arguments: [
      (.partial, .notice), (.warning, .notice), (.late, .warn), (.lock, .warn), (.gap, .warn),
      (.server, .error), (.failure, .error), (.file, .error), (.configuration, .error),
      (.clock, .error), (.disk, .error),
    ] as [(JobIncident.Kind, Level)])
  func `an open incident is as bad as the finding about it, and only then no good news`(
    kind: JobIncident.Kind, level: Level
  ) throws {
    let report = report { data in
      data.jobs = [data.jobs[0]]
      data.incidents = [
        JobIncident(
          kind, causes: ["x"], sentence: "x", jobs: ["a"],
          beganAt: SampleReports.context.now - .seconds(60))
      ]
    }
    #expect(rows("incidents", of: report)[0][1] == .level(level, "open"))
    #expect(report.summary.contains("incident") == (level > .notice))
  }

  @Test func `one table says where jobs stand, and what they took and cost`() throws {
    let report = try #require(SampleReports.reports().first { $0.name == .runs })
    let tables = report.sections[0].blocks.compactMap(\.table)
    let jobs = try #require(tables.first)
    #expect(tables.count == 1)
    #expect(
      jobs.columns.map(\.id) == [
        "job", "state", "last_outcome", "last_success_at", "schedule", "starts", "success",
        "median_seconds", "documents", "reads", "cost",
      ])
    #expect(jobs.rows.allSatisfy { $0.cells.count == jobs.columns.count })
  }

  @Test func `without a run the jobs have the same columns, and a job that is gone keeps its row`()
    throws
  {
    func joined(_ jobs: [String]) throws -> Table {
      var report = report()
      report.sections[0].blocks.append(
        .table(
          Table(
            id: "job-effort", title: "What they took and cost", of: jobs,
            columns: [
              Column("job", "Job", .leading) { .text($0) },
              Column("reads", "Billed reads") { _ in .count(3) },
            ])))
      let tables = RunJobs.joined(report).sections[0].blocks.compactMap(\.table)
      #expect(tables.count == 1)
      return try #require(tables.first)
    }
    let idle = try joined([])
    #expect(idle.columns.last?.id == "reads" && idle.cells(of: "reads") == [.missing, .missing])
    let gone = try joined(["gone", "online-users"])
    #expect(gone.rows.count == 3)
    #expect(Set(gone.rows.map(\.cells.count)) == [gone.columns.count])
    #expect(gone.rows[2].cells[0] == .text("gone") && gone.rows[2].cells[1] == .missing)
    #expect(gone.rows[2].cells.last == .count(3))
  }

  /// Of two jobs only the second has a finding.
  @Test(
    arguments: [
      (["upload-feedback"], false, nil), (["online-users"], false, "1 incident is open."),
      (["online-users", "upload-feedback"], false, "1 incident is open."),
      ([], false, "1 incident is open."), ([], true, nil),
    ] as [([String], Bool, String?)])
  func `the index counts an open incident unless findings name all of its jobs`(
    names: [String], isOver: Bool, sentence: String?
  ) {
    let now = SampleReports.context.now
    var incident = JobIncident(
      .failure, causes: ["x"], sentence: "x", jobs: names, beganAt: now - .seconds(60))
    if isOver { incident.endedAt = now }
    let jobs = JobHealth.all(SampleReports.runs)
    #expect(jobs.filter(\.hasFinding).map(\.job.name) == ["upload-feedback"])
    #expect(RunIncidents.sentence([incident], besides: jobs) == sentence)
  }

  @Test(arguments: [(false, "; 1 job left something out."), (true, ".")])
  func `a job that left something out is told once it does not run`(
    isRunning: Bool, words: String
  ) {
    let report = report { data in
      data.jobs = [data.jobs[0]]
      data.lastJudgedRuns[data.jobs[0].name]?.outcome = .partial
      if isRunning { data.running = [data.jobs[0].name] }
    }
    #expect(report.summary == "The job is in order\(words)")
  }

  @Test func `the only job is not called all jobs`() {
    let report = report { data in data.jobs = [data.jobs[0]] }
    #expect(report.summary == "The job is in order.")
  }

  private static func cost(_ report: Report) -> Cell? {
    report.headline.first { $0.id == "cost" }?.value
  }

  /// The recorded cost of a run, the price now, and the report's sum.
  static let prices: [(Money?, ReadPrice, Cell)] = [
    (nil, .example, .money(0.00015, currency: "USD")),
    (Money(amount: 7, currency: "USD"), .example, .money(7, currency: "USD")),
    (
      Money(amount: 7, currency: "USD"), ReadPrice(per100kReads: 40, currency: "EUR"),
      .money(0.1, currency: "EUR")
    ),
    (nil, ReadPrice(per100kReads: 0, currency: "USD"), .money(0, currency: "USD")),
  ]

  @Test(arguments: prices)
  func `a run costs what its day's price said, or the present one where that says nothing`(
    paid: Money?, price: ReadPrice, sum: Cell
  ) {
    let report = report { data in
      data.price = price
      for index in data.runs.indices where data.runs[index].counts.billedReads > 0 {
        data.runs[index].estimatedCost = paid
      }
    }
    #expect(Self.cost(report) == sum)
  }

  @Test func `the share of success counts runs, and a run with nothing to do succeeded`() throws {
    let report = report { data in
      data.runs.append(SampleReports.run("online-users", "2026-02-20T10:00:00Z", .fresh))
      data.runs.append(SampleReports.run("online-users", "2026-02-20T11:00:00Z", .blocked))
    }
    let figure = try #require(report.headline.first { $0.id == "success" })
    #expect(figure.value == .ratio(Ratio(3, of: 5)) && figure.note == "runs")
  }

  @Test func `successes that left something out are told beside the share`() throws {
    let report = report { data in
      for hour in ["10", "11"] {
        data.runs.append(
          SampleReports.run("online-users", "2026-02-20T\(hour):00:00Z", .partial))
      }
    }
    let figure = try #require(report.headline.first { $0.id == "success" })
    #expect(figure.value == .ratio(Ratio(4, of: 5)))
    #expect(figure.note == "runs; 2 left something out")
  }
}
