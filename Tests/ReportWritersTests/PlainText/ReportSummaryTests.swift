import Foundation
import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports
@testable import Store

@Suite struct ReportSummaryTests {
  private static let summary = ReportSummary(of: SampleReports.reports())

  private static let golden = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Golden/Reports/summary.txt")

  @Test func `the summary of the sample is the recorded one`() throws {
    let text = Self.summary.text
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try Data(text.utf8).write(to: Self.golden)
      Issue.record("recorded summary.txt; run again without RECORD_GOLDEN")
    }
    #expect(try String(contentsOf: Self.golden, encoding: .utf8) == text)
  }

  @Test(arguments: [0, 5, 6, 60])
  func `a summary has at most 30 lines of 80 columns, whatever is wrong`(count: Int) {
    var reports = SampleReports.reports()
    let long = String(repeating: "word ", count: 90)
    reports[1].findings = (0..<count).map {
      Finding($0 == 3 ? .error : .warn, "\(long)\($0)", report: .usage, section: "days")
    }
    reports[5].summary = long + long
    reports[0].context.appName = long
    let lines = ReportSummary(of: reports).text.split(
      separator: "\n", omittingEmptySubsequences: false
    ).dropLast()
    #expect(lines.count <= ReportSummary.mostLines)
    #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= 80 })
    #expect(lines.contains { $0.contains("more finding") } || count < 6)
    #expect(lines.contains { $0.hasPrefix("Billed reads") && $0.contains("estimated cost") })
  }

  @Test func `a line that is too long loses changes, never a value`() throws {
    var reports = SampleReports.reports()
    let runs = try #require(reports.firstIndex { $0.name == .runs })
    let text = { (reports: [Report]) in
      ReportSummary(of: reports).text.split(separator: "\n").first { $0.hasPrefix("Billed reads") }
    }
    let cost = try #require(text(reports)?.components(separatedBy: "estimated cost ").last)
    for index in reports[runs].headline.indices where reports[runs].headline[index].id == "reads" {
      reports[runs].headline[index].change = nil
      reports[runs].headline[index].changeNote = "no comparison: the ledger begins 26 Nov 2026"
    }
    let line = try #require(text(reports))
    #expect(line.hasSuffix("estimated cost " + cost) && !line.contains("…"), "\(line)")
  }

  @Test func `a finding has its evidence and what to do under it`() {
    var reports = SampleReports.reports()
    for index in reports.indices { reports[index].findings = [] }
    var finding = Finding(.warn, "Taps fell.", report: .usage, section: "days")
    finding.evidence = [Evidence("Taps on Thu 5 Nov", 12, .taps), Evidence("People", 3, .people)]
    finding.advice = "Look for a release."
    reports[1].findings = [finding]
    let text = ReportSummary(of: reports).text
    #expect(
      text.contains("▲ Warning: Taps fell.\n  Taps on Thu 5 Nov: 12\n  Next: Look for a release.\n")
    )
    #expect(!text.contains("People: 3"))
  }

  @Test func `the second finding has its evidence and what to do, as the worst has`() {
    var reports = SampleReports.reports()
    for index in reports.indices { reports[index].findings = [] }
    reports[1].findings = (1...5).map { number in
      var finding = Finding(.warn, "Taps fell \(number).", report: .usage, section: "days")
      finding.evidence = [Evidence("Taps of \(number)", 12, .taps)]
      finding.advice = "Look for \(number)."
      finding.weight = -Double(number)
      return finding
    }
    let text = ReportSummary(of: reports).text
    for number in 1...2 {
      #expect(
        text.contains(
          "Taps fell \(number).\n  Taps of \(number): 12\n  Next: Look for \(number).\n"))
    }
    #expect(!text.contains("Taps of 5"))
  }

  @Test func `the sentence about jobs stands where no finding tells of them`() {
    var reports = SampleReports.reports()
    let sentence = "1 of 2 jobs needs attention"
    #expect(!ReportSummary(of: reports).text.contains(sentence))
    for index in reports.indices { reports[index].findings = [] }
    #expect(ReportSummary(of: reports).text.contains(sentence))
  }

  @Test func `a workspace without anything has a summary, too`() {
    let text = ReportSummary(of: EmptyReports.reports).text
    #expect(text.contains("The workspace has no jobs."))
    #expect(!text.contains("Nothing needs you."))
    var reports = EmptyReports.reports
    for index in reports.indices {
      reports[index].findings = []
      reports[index].sections.removeAll { $0.id == IndexAttention.id }
    }
    reports[0].sections.append(IndexAttention.section([], unjudged: nil))
    #expect(ReportSummary(of: reports).text.contains("\nNothing needs you today.\n"))
    #expect(text.contains("Users") && text.contains("never fetched"))
  }

  @Test func `as JSON it has the same figures as the pages, as numbers`() throws {
    let data = try JSONEncoder().encode(Self.summary)
    let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object["message_type"] as? String == "summary")
    #expect(object["schemaVersion"] as? Int == ReportSchema.version)
    let figures = try #require(object["figures"] as? [[String: Any]])
    let names = figures.map { "\($0["report"] ?? "").\($0["id"] ?? "")" }
    #expect(
      names == [
        "users.total", "users.seen-hour", "users.seen-day", "usage.active-users", "usage.blocked",
        "usage.subscription-taps", "money.new-subscribers", "money.through-the-limit",
        "limits.cooling-down", "limits.at-limit", "ratings.ratings",
        "ratings.mean-stars", "ratings.feedback", "ratings.open-feedback", "runs.on-time",
        "runs.success", "runs.open-incidents", "runs.reads", "runs.cost",
      ])
    #expect(figures[0]["value"] as? Int == SampleReports.users.total)
    #expect((object["findings"] as? [[String: Any]])?.isEmpty == false)
  }

  @Test func `backups and incidents are figures, and a line of the index`() throws {
    var runs = SampleReports.runs
    let now = SampleReports.context.now
    runs.backup = BackupStatus(
      newestAt: now - .seconds(4 * 3_600),
      proof: BackupProof(at: now - .seconds(3 * 86_400), file: "a", rows: 7, files: 1))
    let report = RunsReport.make(runs, context: SampleReports.context)
    #expect(report.figures.first { $0.id == "backup-age" }?.value == .seconds(14_400))
    let proof = report.figures.first { $0.id == "proof-age" }
    #expect(proof?.value == .seconds(259_200) && proof?.note?.hasPrefix("restored") == true)
    runs.backup?.proof?.rows = nil
    let encrypted = RunsReport.make(runs, context: SampleReports.context)
    #expect(
      encrypted.figures.first { $0.id == "proof-age" }?.note == "size and SHA-256 alone")
    runs.backup?.proof?.rows = 7
    let time = TimeWords(context: SampleReports.context)
    func sentence(_ change: (inout BackupStatus) -> Void) throws -> String {
      var backup = try #require(runs.backup)
      change(&backup)
      return RunBackups.sentence(backup, time)
    }
    let made = "Backup 4 hours ago"
    #expect(try sentence { _ in } == made + ", restore tested 3 days ago.")
    #expect(
      try sentence { $0.proof?.rows = nil }
        == made + ", size and SHA-256 checked 3 days ago.")
    #expect(try sentence { $0.proof?.problem = "x" }.hasSuffix("cannot be restored."))
    #expect(try sentence { $0.proof = nil } == made + ", no restore tested yet.")
    #expect(try sentence { $0.newestAt = nil } == "There is no backup yet.")
  }

  @Test func `a figure without a change has its value in the last report beside it`() throws {
    let reports = SampleReports.reports()
    let words = CellWords(time: TimeWords(context: SampleReports.context))
    func before(_ id: String, _ change: (inout PastReport) -> Void) throws -> String? {
      var past = try #require(PastReport(of: reports))
      past.writtenAt = past.writtenAt - .seconds(86_400)
      change(&past)
      let summary = ReportSummary(of: reports, after: past)
      let figure = try #require(summary.figures.first { $0.id == id })
      return summary.beforeWords(of: figure, words)
    }
    #expect(try before("total") { _ in } == "4,862 on Sun 1 Mar")
    #expect(try before("active-users") { _ in } == "+32% from 44")
    #expect(try before("cost") { _ in }?.hasSuffix(" on Sun 1 Mar") == true)
    // Of another period only what is of a moment can be compared.
    #expect(try before("total") { $0.dayCount = 1 } != nil)
    #expect(try before("cost") { $0.dayCount = 1 } == nil)
    // A figure with a comparison of its own keeps it.
    let ownComparison = try #require(try before("mean-stars") { _ in })
    #expect(!ownComparison.contains("Sun 1 Mar"))
    #expect(try before("mean-stars") { $0.dayCount = 1 } == ownComparison)
    #expect(try before("total") { $0.scope = "other" } == nil)
  }

  @Test(arguments: [
    (nil, ["open-feedback", "open-incidents"]),
    (
      1,
      [
        "cost", "new-subscribers", "open-feedback", "open-incidents", "success",
        "through-the-limit",
      ]
    ),
  ])
  func `these figures stand alone, beside a copy of as many days and beside another`(
    dayCount: Int?, ids: [String]
  ) throws {
    var runs = SampleReports.runs
    runs.backup = BackupStatus(newestAt: SampleReports.context.now)
    let reports = SampleReports.reports().map {
      $0.name == .runs ? RunsReport.make(runs, context: SampleReports.context) : $0
    }
    var past = try #require(PastReport(of: reports))
    past.dayCount = dayCount ?? past.dayCount
    let summary = ReportSummary(of: reports, after: past)
    let words = CellWords(time: TimeWords(context: SampleReports.context))
    let alone = summary.figures.filter { summary.beforeWords(of: $0, words) == nil }.map(\.id)
    #expect(alone.sorted() == (ids + ["backup-age", "proof-age"]).sorted())
  }
}
