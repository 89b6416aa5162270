import Foundation
import Model
import Testing

@testable import Reports

@Suite struct UsageReportTests {
  @Test("a period without events after one with events is a warning")
  func silence() {
    var data = SampleReports.usage
    data.buckets = data.buckets.filter {
      $0.startsAtSeconds < SampleReports.context.start.unixSeconds
    }
    let silent = UsageReport.make(data, context: SampleReports.context)
    #expect(silent.findings.map(\.level) == [.warn])
    #expect(UsageReport.make(EmptyReports.usage, context: SampleReports.context).findings.isEmpty)
    #expect(UsageReport.make(SampleReports.usage, context: SampleReports.context).findings.isEmpty)
  }

  @Test("taps whose events name no user are those of unknown users")
  func unknownUsers() {
    var data = SampleReports.usage
    let known = UsageReport.make(data, context: SampleReports.context).summary
    #expect(known.hasPrefix("58 people made 1,275 taps; the busiest day was "))
    data.activeUsers = 0
    let unknown = UsageReport.make(data, context: SampleReports.context).summary
    #expect(unknown.hasPrefix("1,275 taps by unknown users; the busiest day was "))
  }

  private func table(_ id: String, _ data: UsageData) throws -> Table {
    let report = UsageReport.make(data, context: SampleReports.context)
    let tables = report.sections.flatMap(\.blocks).compactMap { block in
      if case .table(let table) = block { table } else { nil }
    }
    return try #require(tables.first { $0.id == id })
  }

  @Test("every day, feature and segment with an event has a row, the newest day first")
  func cube() throws {
    let rows = try table("usage-by-feature-segment-day", SampleReports.usage).rows.map(\.cells)
    #expect(rows.map { $0[1] } == ["Search", "Filter", "Refresh"].map(Cell.text))
    #expect(rows.map { $0[2] } == ["Not told", "New user", "Free user"].map(Cell.text))
    #expect(rows[2].dropFirst(3) == [1_204, 903, 287, 14, 1_190].map(Cell.count)[...])
  }

  @Test("each count of each feature is compared with the period before")
  func changes() throws {
    let rows = try table("usage-changes", SampleReports.usage).rows.map(\.cells)
    #expect(rows.count == 21)
    #expect(
      rows[0] == [
        .text("Refresh"), .text("Taps"), .count(1_204), .change(PeriodChange(from: 41, to: 1_204)),
      ])
    #expect(rows[1][3] == .change(PeriodChange(from: 30, to: 903)))
    #expect(
      rows[13][1] == .text("Bypassed") && rows[13][3] == .change(PeriodChange(from: 0, to: 64)))
  }

  @Test("what was blocked is a part of what could be, and the ends of taps add up to the taps")
  func shares() throws {
    let report = UsageReport.make(SampleReports.usage, context: SampleReports.context)
    let blocked = try #require(report.headline.first { $0.id == "blocked" })
    // 1,204 taps of free users and 7 of people of whom nothing is told; 64 were a new user's.
    #expect(blocked.share == Ratio(287, of: 1_211))
    for cells in try table("usage-by-segment", SampleReports.usage).rows.map(\.cells) {
      let counts = cells.compactMap { if case .count(let count) = $0 { count } else { nil } }
      #expect(counts[0] == counts[1] + counts[2] + counts[3])
    }
  }

  @Test("days that the ledger does not know wholly are marked in the drawing and in the table")
  func coverage() throws {
    var data = SampleReports.usage
    data.history = DayHistory()
    for (text, coverage) in [("2026-02-17", DayFacts.Coverage.none), ("2026-02-18", .partial)] {
      let day = LocalDay(
        of: SampleReports.at("\(text)T12:00:00Z"), in: SampleReports.context.timeZone)
      data.history.days.append(DayFacts(start: day.start, end: day.end, coverage: coverage))
    }
    let report = UsageReport.make(data, context: SampleReports.context)
    guard case .chart(let chart)? = report.sections.first?.blocks.first else {
      Issue.record("the days are no chart")
      return
    }
    #expect(chart.uncovered == [1, 2])
    #expect(
      try table("coverage", data).rows.map { $0.cells[1] } == [.text("none"), .text("in part")])
  }

  @Test("each day of the period has a row, also a day without events")
  func everyDay() throws {
    let report = UsageReport.make(SampleReports.usage, context: SampleReports.context)
    guard case .chart(let chart)? = report.sections.first?.blocks.first else {
      Issue.record("the days are no chart")
      return
    }
    #expect(chart.table.rows.count == 14)
    #expect(chart.labels.first == "16 Feb" && chart.labels.last == "1 Mar")
  }

  @Test(
    "a period whose export is still to come is no period without events",
    arguments: [(DayFacts.Coverage.awaited, false), (.none, true), (.whole, true)])
  func awaited(coverage: DayFacts.Coverage, isFound: Bool) {
    var data = SampleReports.usage
    data.buckets.removeAll { $0.startsAtSeconds >= SampleReports.context.start.unixSeconds }
    let days = data.history.days.indices.filter { data.history.days[$0].coverage == .whole }
    for day in days { data.history.days[day].coverage = coverage }
    let found = UsageReport.make(data, context: SampleReports.context).findings
    #expect(found.isEmpty != isFound)
    data.history.days[days[days.count - 1]].coverage = .whole
    #expect(!UsageReport.make(data, context: SampleReports.context).findings.isEmpty)
  }
}
