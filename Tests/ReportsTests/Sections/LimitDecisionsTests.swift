import Model
import Testing

@testable import Reports
@testable import Store

@Suite struct LimitDecisionsTests {
  @Test func `each limited feature of the chosen profile has its rules with a verdict`() throws {
    let section = LimitDecisions.section(SampleReports.limits, now: SampleReports.context.now)
    let tables = section.blocks.compactMap { block in
      if case .table(let table) = block { table } else { nil }
    }
    #expect(tables.map(\.title) == ["Refresh: available", "Filter: cooling down"])
    let filter = try #require(tables.last)
    #expect(
      filter.rows.map { $0.cells[1] } == [
        .level(.notice, "goes on"), .level(.notice, "goes on"), .level(.notice, "goes on"),
        .level(.notice, "goes on"), .level(.notice, "goes on"), .level(.warn, "blocks"),
      ])
    #expect(filter.rows[5].cells[2] == .text("usage 2, limit 2, left 80 s"))
  }

  @Test func `a feature without a limit and an unknown profile have no decision`() {
    var data = SampleReports.limits
    data.chosenProfile = "nobody"
    guard case .text? = LimitDecisions.section(data, now: SampleReports.context.now).blocks.first
    else {
      Issue.record("there is a table")
      return
    }
  }
}
