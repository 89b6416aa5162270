import Model
import ReportsTesting
import Testing

@testable import Reports
@testable import Store

@Suite struct LimitDecisionsTests {
  private func tables() -> [Table] {
    LimitDecisions.section(SampleReports.limits, now: SampleReports.context.now).blocks
      .compactMap(\.table)
  }

  @Test func `each limited feature of the chosen profile has the rule that decides`() throws {
    let table = try #require(tables().first)
    #expect(
      table.rows.map { Array($0.cells.prefix(4)) } == [
        [
          .text("Refresh"), .level(.pass, "Available"), .code("under-limit"),
          .text("usage 3, limit 5"),
        ],
        [
          .text("Filter"), .level(.warn, "Cooling down"), .code("at-limit"),
          .text("usage 2, limit 2, left 80 s"),
        ],
      ])
  }

  @Test func `all of its rules have a verdict, those after the deciding one none`() throws {
    let table = try #require(tables().last)
    #expect(table.isFolded && table.rows.count == 12)
    let verdicts = table.rows.map { $0.cells[2] }
    let goesOn = Cell.level(.notice, "goes on")
    #expect(verdicts[6...] == [goesOn, goesOn, goesOn, goesOn, goesOn, .level(.warn, "blocks")])
    #expect(verdicts[4...5] == [.level(.pass, "proceeds"), .missing])
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
