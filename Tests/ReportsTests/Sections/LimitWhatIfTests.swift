import Model
import ReportsTesting
import Store
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
    #expect(table.rows.allSatisfy { $0.cells[0] == .text("Filter") })
    let blocked = table.rows.map { row in
      if case .ratio(let ratio) = row.cells[4], ratio.whole == 4 { ratio.part } else { -1 }
    }
    // As it is, one fewer, one more, twice as many, half the wait, twice the wait.
    #expect(blocked == [2, 3, 1, 0, 2, 2])
    #expect(table.rows.map { $0.cells[2] } == [2, 1, 3, 4, 2, 2].map(Cell.count))
  }

  @Test func `people blocked and people affected are columns of their own`() throws {
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

  @Test(arguments: [
    (2, 0.0, "blocks the same number of attempts, and loses none of the subscription taps."),
    (1, 25, "blocks 25.0 points more of the attempts than happened, and loses none"),
    (4, -50, "blocks 50.0 points fewer of the attempts than happened, and loses none"),
  ])
  func `the error of the replay stands beside every scenario, and not beside what happened`(
    blocked: Int, points: Double, words: String
  ) throws {
    let blocks = section(result(blocked: blocked)).blocks
    guard case .table(let table)? = blocks.first, case .text(let text) = blocks[1] else {
      Issue.record("there is no table and sentence")
      return
    }
    let at = try #require(table.columns.firstIndex { $0.id == "blocked_error" })
    #expect(
      table.rows.map { $0.cells[at] } == [.missing]
        + [Cell](repeating: .pointError(points), count: 6))
    #expect(text.hasPrefix("Filter, error of the replay: as it is, it \(words)"), "\(text)")
    #expect(text.hasSuffix("may be wrong by as much.") == (points != 0), "\(text)")
  }

  @Test(arguments: [(0, 0, nil), (1, 0, 0), (1, 1, 50), (0, 1, 100)] as [(Int, Int, Double?)])
  func `taps that happened and that the replay loses are its error`(
    kept: Int, lost: Int, points: Double?
  ) {
    var comparison = WhatIfComparison(WhatIfResult.settings(around: SampleReports.settings))
    comparison.decide(
      LimitAttempt(at: SampleReports.context.start, feature: .filter, action: .use), of: 0)
    for _ in 0..<kept { comparison.tapSubscription(.filter, of: 0) }
    // Of a subscriber no popup is shown.
    comparison.decide(
      LimitAttempt(at: SampleReports.context.start, feature: .filter, action: .use, tier: .lite),
      of: 1)
    for _ in 0..<lost { comparison.tapSubscription(.filter, of: 1) }
    let result = WhatIfResult(
      since: SampleReports.context.start, isWholePeriod: true, comparison: comparison)
    #expect(result.tapsError(of: .filter) == points)
    guard case .table(let table)? = section(result).blocks.first else {
      Issue.record("there is no table")
      return
    }
    let at = table.columns.firstIndex { $0.id == "taps_error" } ?? 0
    #expect(table.rows.first?.cells[at] == points.map(Cell.pointError) ?? .missing)
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
      #expect(table.rows.first?.cells[1] == .text("What happened"))
      #expect(table.rows.first?.cells[4] == .ratio(Ratio(blocked, of: 4)))
      let texts = blocks.compactMap { if case .text(let text) = $0 { text } else { nil } }
      #expect(texts.count == (words == nil ? 1 : 2))
      if let words { #expect(texts.allSatisfy { $0.contains(words) }, "\(texts)") }
    }
    #expect(SampleReports.whatIf.excess(of: .filter) == nil, "no ledger to compare with")
    #expect(result(blocked: 0).excess(of: .search) == nil, "no attempts")
  }

  @Test func `the figures count each person once, and the blocked attempts of the ledger`() {
    var comparison = WhatIfComparison(WhatIfResult.settings(around: SampleReports.settings))
    // Messages have no limit.
    for (feature, user) in [(Feature.filter, 0), (.filter, 1), (.refresh, 1), (.message, 2)] {
      comparison.decide(
        LimitAttempt(at: SampleReports.context.start, feature: feature, action: .use), of: user)
    }
    let result = WhatIfResult(
      since: SampleReports.context.start, isWholePeriod: true, comparison: comparison,
      outcomes: [
        .filter: LedgerOutcome(blocked: 2, users: 2), .refresh: LedgerOutcome(blocked: 0, users: 1),
        .message: LedgerOutcome(blocked: 1, users: 1),
      ])
    #expect(
      LimitWhatIf.figures(result, SampleReports.settings).map(\.value) == [
        .count(2), .ratio(Ratio(2, of: 3)),
      ])
    #expect(
      LimitWhatIf.figures(SampleReports.whatIf, SampleReports.settings) == [],
      "nobody knows what happened")
  }

  @Test func `the section says since when it looked, or that there is nothing to compare`() {
    #expect(section(SampleReports.whatIf).lead.hasPrefix("The newest 4 attempts, since 20 Feb"))
    let whole = WhatIfResult(
      since: SampleReports.context.start, isWholePeriod: true,
      comparison: SampleReports.whatIf.comparison)
    #expect(section(whole).lead.hasPrefix("The 4 attempts of the period, replayed"))
    let changed = WhatIfResult(
      since: SampleReports.at("2026-02-27T10:00:00Z"), isWholePeriod: false,
      after: SampleReports.limits.changes[0], comparison: SampleReports.whatIf.comparison)
    #expect(
      section(changed).lead.hasPrefix(
        "The 4 attempts since 27 Feb 2026, 11:00, when limits last changed (refresh limit 2 → 5),"))
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
