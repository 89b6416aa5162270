import Model
import Rules
import Testing

@testable import Reports

@Suite struct LimitWhatIfTests {
  private func section(_ outlook: LimitOutlook?) -> Section {
    LimitWhatIf.section(outlook, SampleFacts.settings, TimeWords(frame: SampleFacts.frame))
  }

  @Test("the settings in force stand beside their neighbours, each with what it would block")
  func rows() throws {
    guard case .table(let table)? = section(SampleFacts.outlook).blocks.first else {
      Issue.record("there is no table")
      return
    }
    #expect(table.title == "Filter: 4 attempts")
    let blocked = table.rows.map { row in
      if case .ratio(let ratio) = row.cells[3] { ratio.part } else { -1 }
    }
    // As it is, one fewer, one more, twice as many, half the wait, twice the wait.
    #expect(blocked == [2, 3, 1, 0, 2, 2])
    #expect(table.rows.map { $0.cells[1] } == [2, 1, 3, 4, 2, 2].map(Cell.count))
  }

  @Test("it says from which time on it looked, and that there is nothing to compare")
  func lead() {
    #expect(section(SampleFacts.outlook).lead.hasPrefix("The newest 4 attempts, since 20 Feb"))
    let whole = LimitOutlook(
      since: SampleFacts.frame.start, isWholePeriod: true,
      comparison: SampleFacts.outlook.comparison)
    #expect(section(whole).lead.hasPrefix("The 4 attempts of the period, decided"))
    for outlook in [
      nil,
      LimitOutlook(
        since: SampleFacts.frame.start, isWholePeriod: true,
        comparison: LimitComparison(LimitOutlook.settings(around: SampleFacts.settings))),
    ] {
      guard case .text("No attempts to compare.")? = section(outlook).blocks.first else {
        Issue.record("there is a table")
        continue
      }
    }
  }
}
