import Foundation
import Model
import Testing

@testable import Reports

@Suite struct IndexReportTests {
  private let reports = SampleReports.reports()

  @Test("the index comes first, then the reports in their order, and the list of their sections")
  func order() {
    #expect(reports.map(\.name) == Report.Name.pages)
  }

  @Test("each tile compares yesterday with the same weekday and leads to a section that is there")
  func tiles() throws {
    let index = reports[0]
    #expect(index.title == "Sun 1 Mar against Sun 22 Feb")
    #expect(
      index.headline.map(\.id) == [
        "online", "active", "limit", "sub-taps", "new-subs", "stars", "reads",
      ])
    #expect(index.headline[1].value == .count(36))
    #expect(index.headline[1].change == PeriodChange(from: 22, to: 36))
    #expect(index.summary.hasPrefix("36 people were active yesterday; "))
    for figure in index.headline {
      let target = reports.first { $0.name == figure.report }
      #expect(target?.sections.contains { $0.id == figure.section } == true, "\(figure.id)")
    }
  }

  @Test(
    "a day that is not whole is no side of a comparison", arguments: [7, 14])
  func coverage(daysAgo: Int) {
    var history = SampleReports.history
    history.days[history.days.count - 1 - (daysAgo == 7 ? 8 : 1)].coverage = .partial
    let tiles = IndexTiles(history, ReportCalendar(timeZone: "Europe/Berlin"))
    #expect(tiles.figures.allSatisfy { $0.change == nil })
    #expect(tiles.title == "Sun 1 Mar")
    #expect(tiles.sentence.contains("no whole day a week before"))
  }

  @Test("without a whole day the index says so, and has no tiles")
  func noDays() {
    let tiles = IndexTiles(DayHistory(), ReportCalendar(timeZone: "UTC"))
    #expect(tiles.figures.isEmpty && tiles.title == "At a glance")
    #expect(tiles.sentence == "The ledger has no whole day yet.")
  }

  @Test("the 28 days are whole days, with changed settings and new versions marked")
  func month() throws {
    let section = try #require(reports[0].sections.first { $0.id == "month" })
    guard case .chart(let chart)? = section.blocks.first else {
      Issue.record("no chart")
      return
    }
    #expect(chart.table.rows.count == 15)
    #expect(chart.markedDays.map(\.words) == ["refresh limit 2 → 5"])
  }

  @Test(
    "a version is new when the period before has ten ratings and none of it", arguments: [9, 10])
  func releases(before: Int) {
    var ratings = SampleReports.ratings
    let old = SampleReports.rating("2026-02-05T12:00:00Z", 4, nil, "2.3")
    let new = SampleReports.rating("2026-02-20T12:00:00Z", 4, nil, "2.4")
    let again = SampleReports.rating("2026-02-21T12:00:00Z", 4, nil, "2.3")
    ratings.ratings = Array(repeating: old, count: before) + [new, again, new]
    let marks = TimelineMarks.all(SampleReports.limits, ratings, context: SampleReports.context)
    #expect(
      marks.filter { $0.kind == .release }.map(\.words)
        == (before == 10 ? ["version 2.4 first rated"] : []))
  }

  @Test("nothing to do is said once")
  func nothing() throws {
    let report = Report(
      name: .index, title: "T", context: SampleReports.context,
      dataTime: Report.DataTime(label: "Data", at: nil), summary: "S",
      sections: [
        Section(id: "attention", title: "Needs you", lead: "Nothing needs you today.", blocks: [])
      ])
    let text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
    #expect(text.components(separatedBy: "Nothing needs you").count == 2)
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
