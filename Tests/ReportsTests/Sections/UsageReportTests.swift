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
    #expect(rows[2].dropFirst(3) == [1_204, 1_190, 903, 287, 0].map(Cell.count)[...])
  }

  @Test("each count of each feature is compared with the period before")
  func changes() throws {
    let rows = try table("usage-changes", SampleReports.usage).rows.map(\.cells)
    #expect(rows.count == 15)
    #expect(
      rows[0] == [
        .text("Refresh"), .text("Taps"), .count(1_204), .change(PeriodChange(from: 41, to: 1_204)),
      ])
    #expect(rows[2][3] == .change(PeriodChange(from: 30, to: 903)))
    #expect(rows[9][1] == .text("Bypassed") && rows[9][3] == .change(PeriodChange(from: 0, to: 64)))
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
}
