import Model
import Testing

@testable import Reports

@Suite struct IndexReportTests {
  private let reports = SampleReports.reports()

  @Test("the index comes first, then the five reports in their order")
  func order() {
    #expect(reports.map(\.name) == [.index, .usage, .limits, .ratings, .users, .runs])
  }

  @Test("findings of all reports stand together, worst first")
  func findings() throws {
    guard case .findings(let findings)? = reports[0].sections.first?.blocks.first else {
      Issue.record("the index has no findings")
      return
    }
    #expect(findings.count == reports.dropFirst().flatMap(\.findings).count)
    #expect(findings.map(\.level) == findings.map(\.level).sorted(by: >))
  }

  @Test("every finding leads to a section that exists")
  func anchors() {
    for finding in reports.flatMap(\.findings) {
      let report = reports.first { $0.name == finding.report }
      #expect(report?.sections.contains { $0.id == finding.section } == true, "\(finding)")
    }
  }

  @Test("what changed lists only figures with something to compare")
  func changes() throws {
    let section = try #require(reports[0].sections.first { $0.id == "changes" })
    guard case .figures(let figures)? = section.blocks.first else {
      Issue.record("nothing changed")
      return
    }
    #expect(!figures.isEmpty)
    #expect(figures.allSatisfy { $0.change != nil })
  }

  @Test("the newest data is that of an event, a setting, a rating or a user, never a run of a job")
  func newestData() throws {
    let data = reports.dropFirst().filter { $0.name != .runs }.compactMap(\.dataTime.at).max()
    #expect(data != nil && reports[0].dataTime.at == data)
    var runs = SampleReports.runs
    runs.runs[0].startedAt = SampleReports.context.now
    #expect(SampleReports.reports(runs: runs)[0].dataTime.at == data)
  }

  @Test("a time zone that is not known is a warning")
  func zone() {
    var context = SampleReports.context
    context.timeZone = "Mars/Olympus"
    let index = SampleReports.reports(context: context)[0]
    guard case .findings(let findings)? = index.sections.first?.blocks.first else {
      Issue.record("the index has no findings")
      return
    }
    #expect(findings.contains { $0.sentence.contains("Mars/Olympus") && $0.level == .warn })
  }
}
