import Model
import Testing

@testable import Reports

@Suite struct UsageReportTests {
  @Test("a period without events after one with events is a warning")
  func silence() {
    var facts = SampleFacts.usage
    facts.buckets = facts.buckets.filter {
      $0.startsAtSeconds < SampleFacts.frame.start.unixSeconds
    }
    let silent = UsageReport.make(facts, frame: SampleFacts.frame)
    #expect(silent.findings.map(\.level) == [.warn])
    #expect(UsageReport.make(EmptyFacts.usage, frame: SampleFacts.frame).findings.isEmpty)
    #expect(UsageReport.make(SampleFacts.usage, frame: SampleFacts.frame).findings.isEmpty)
  }

  @Test("the funnel divides each stage by the one before it")
  func funnel() throws {
    let report = UsageReport.make(SampleFacts.usage, frame: SampleFacts.frame)
    let section = try #require(report.sections.first { $0.id == "funnel" })
    guard case .chart(let chart)? = section.blocks.first else {
      Issue.record("the funnel is no chart")
      return
    }
    #expect(
      chart.table.rows.map { Array($0.cells.dropFirst()) } == [
        [.count(1_275), .missing], [.count(1_197), .ratio(Ratio(1_197, of: 1_275))],
        [.count(2), .ratio(Ratio(2, of: 1_197))],
      ])
  }

  @Test("each day of the period has a row, also a day without events")
  func everyDay() throws {
    let report = UsageReport.make(SampleFacts.usage, frame: SampleFacts.frame)
    guard case .chart(let chart)? = report.sections.first?.blocks.first else {
      Issue.record("the days are no chart")
      return
    }
    #expect(chart.table.rows.count == 14)
    #expect(chart.labels.first == "16 Feb" && chart.labels.last == "1 Mar")
  }
}
