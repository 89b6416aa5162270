import Model
import Testing

@testable import Reports

@Suite struct LimitWhatIfTests {
  private func section(_ whatIf: WhatIfResult?) -> Section {
    LimitWhatIf.section(whatIf, SampleReports.settings, TimeWords(context: SampleReports.context))
  }

  @Test
  func `the settings in force stand beside neighbours, each with attempts it would block`() throws {
    guard case .table(let table)? = section(SampleReports.whatIf).blocks.first else {
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

  @Test func `people blocked and people decided otherwise are columns of their own`() throws {
    guard case .table(let table)? = section(result(blocked: 2)).blocks.first else {
      Issue.record("there is no table")
      return
    }
    func cells(_ id: String) -> [Cell] {
      table.columns.firstIndex { $0.id == id }.map { at in table.rows.map { $0.cells[at] } } ?? []
    }
    let (one, nobody) = (Cell.ratio(Ratio(1, of: 1)), Cell.ratio(Ratio(0, of: 1)))
    // What happened, as it is, one fewer, one more, twice as many, half the wait, twice the wait.
    #expect(cells("people_blocked") == [one, one, one, one, nobody, one, one])
    #expect(cells("people_affected") == [.missing, .missing, one, one, one, nobody, nobody])
  }

  private func result(blocked: Int) -> WhatIfResult {
    WhatIfResult(
      since: SampleReports.context.start, isWholePeriod: true,
      comparison: SampleReports.whatIf.comparison,
      outcomes: [.filter: LedgerOutcome(blocked: blocked, users: 1)])
  }

  @Test
  func `what happened comes first; a replay that is a point or more beside it says so`() throws {
    // The replay blocks 2 of 4 attempts.
    for (blocked, words) in [(2, nil), (1, "25.0 points more"), (3, "25.0 points fewer")]
      as [(Int, String?)]
    {
      let blocks = section(result(blocked: blocked)).blocks
      guard case .table(let table)? = blocks.first else {
        Issue.record("there is no table")
        return
      }
      #expect(table.rows.first?.cells.first == .text("What happened"))
      #expect(table.rows.first?.cells[3] == .ratio(Ratio(blocked, of: 4)))
      let texts = blocks.compactMap { if case .text(let text) = $0 { text } else { nil } }
      #expect(texts.count == (words == nil ? 0 : 1))
      if let words { #expect(texts.first?.contains(words) == true, "\(texts)") }
    }
    #expect(SampleReports.whatIf.excess(of: .filter) == nil, "no ledger to compare with")
    #expect(result(blocked: 0).excess(of: .search) == nil, "no attempts")
  }

  @Test func `the section says since when it looked, or that there is nothing to compare`() {
    #expect(section(SampleReports.whatIf).lead.hasPrefix("The newest 4 attempts, since 20 Feb"))
    let whole = WhatIfResult(
      since: SampleReports.context.start, isWholePeriod: true,
      comparison: SampleReports.whatIf.comparison)
    #expect(section(whole).lead.hasPrefix("The 4 attempts of the period, decided"))
    for whatIf in [
      nil,
      WhatIfResult(
        since: SampleReports.context.start, isWholePeriod: true,
        comparison: WhatIfComparison(WhatIfResult.settings(around: SampleReports.settings))),
    ] {
      guard case .text("No attempts to compare.")? = section(whatIf).blocks.first else {
        Issue.record("there is a table")
        continue
      }
    }
  }
}
