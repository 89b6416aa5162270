import Model
import Testing

@testable import Reports

@Suite struct RunsReportTests {
  private func report(_ change: (inout RunsFacts) -> Void = { _ in }) -> Report {
    var facts = SampleFacts.runs
    change(&facts)
    return RunsReport.make(facts, frame: SampleFacts.frame)
  }

  @Test("a job that is late is told with its last success and its error")
  func late() {
    let findings = report().findings
    #expect(findings.map(\.level) == [.error])
    #expect(
      findings.first?.sentence
        == "Job upload-feedback last succeeded 9 days ago: The server answered 503.")
  }

  @Test("when all is on time there is nothing to find")
  func onTime() {
    let report = report { facts in
      facts.lastSuccesses["upload-feedback"] = facts.lastRuns["online-users"]
      facts.jobs[1].lastDueAt = SampleFacts.at("2026-03-01T22:20:00Z")
    }
    #expect(report.findings.isEmpty)
    #expect(report.summary == "All 2 jobs did their work on time.")
  }

  private static func cost(_ report: Report) -> Cell? {
    report.headline.first { $0.id == "cost" }?.value
  }

  /// What a run was priced with, the price now, and the report's sum.
  static let prices: [(Money?, ReadPrice, Cell)] = [
    (nil, .example, .money(0.00015, currency: "USD")),
    (Money(amount: 7, currency: "USD"), .example, .money(7, currency: "USD")),
    (
      Money(amount: 7, currency: "USD"), ReadPrice(per100kReads: 40, currency: "EUR"),
      .money(0.1, currency: "EUR")
    ),
    (nil, ReadPrice(per100kReads: 0, currency: "USD"), .money(0, currency: "USD")),
  ]

  @Test(
    "a run costs what its day's price said, or the present one where that says nothing",
    arguments: prices)
  func cost(paid: Money?, price: ReadPrice, sum: Cell) {
    let report = report { facts in
      facts.price = price
      for index in facts.runs.indices where facts.runs[index].counts.billedReads > 0 {
        facts.runs[index].estimatedCost = paid
      }
    }
    #expect(Self.cost(report) == sum)
  }

  @Test(
    "reads, bytes and cost stand beside every run and every job",
    arguments: [
      ("ledger", "run-costs"), ("jobs", "job-cost"),
    ])
  func costs(section: String, table: String) throws {
    let blocks = try #require(report().sections.first { $0.id == section }).blocks
    let found = blocks.compactMap { block -> Table? in
      guard case .table(let candidate) = block, candidate.id == table else { return nil }
      return candidate
    }
    let row = try #require(found.first?.rows.first { $0.cells.contains(.text("online-users")) })
    #expect(
      row.cells.suffix(3) == [.count(250), .count(81_402), .money(0.00015, currency: "USD")])
  }

  @Test("success is of runs, and a run that was not needed is one")
  func success() throws {
    let report = report { facts in
      facts.runs.append(SampleFacts.run("online-users", "2026-02-20T10:00:00Z", .fresh))
      facts.runs.append(SampleFacts.run("online-users", "2026-02-20T11:00:00Z", .blocked))
    }
    let figure = try #require(report.headline.first { $0.id == "success" })
    #expect(figure.value == .ratio(Ratio(3, of: 5)))
  }

  @Test("the same complaint is told once, with its count and its newest time")
  func complaints() throws {
    let report = report { facts in
      facts.runs += (1...3).map { hour in
        SampleFacts.run(
          "upload-feedback", "2026-02-18T0\(hour):00:00Z", .failed,
          error: "The server answered 503.")
      }
    }
    let section = try #require(report.sections.first { $0.id == "warnings" })
    guard case .table(let table)? = section.blocks.first else {
      Issue.record("the warnings are no table")
      return
    }
    #expect(table.rows.count == 1)
    #expect(table.rows.first?.cells.last == .count(4))
    #expect(table.rows.first?.cells.first == .instant(SampleFacts.at("2026-03-01T22:20:00Z")))
  }

  @Test("what was left out is summed by job and reason, the most first")
  func skips() throws {
    let section = try #require(report().sections.first { $0.id == "skipped" })
    guard case .table(let table)? = section.blocks.first else {
      Issue.record("what was left out is no table")
      return
    }
    #expect(table.rows.map { $0.cells[0] } == [.code("empty-name"), .code("own-user")])
    #expect(table.rows.map { $0.cells[2] } == [.count(3), .count(1)])
  }
}
