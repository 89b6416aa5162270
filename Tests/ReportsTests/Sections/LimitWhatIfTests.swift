import Model
import ReportsTesting
import Store
import Testing

@testable import Reports

@Suite struct LimitWhatIfTests {
  private func section(_ whatIf: WhatIfResult?) -> Section {
    LimitWhatIf.section(whatIf, SampleReports.settings, TimeWords(context: SampleReports.context))
  }

  private func tableOf(_ whatIf: WhatIfResult?, id: String = "what-if") throws -> Table {
    try #require(section(whatIf).blocks.compactMap(\.table).first { $0.id == id })
  }

  private func texts(_ whatIf: WhatIfResult?) -> [String] {
    section(whatIf).blocks.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  @Test
  func `the settings in force stand beside neighbours, each with attempts it would block`() throws {
    let table = try tableOf(SampleReports.whatIf)
    #expect(table.rows.allSatisfy { $0.cells[0] == .text("Filter") })
    let blocked = table.rows.map { row in
      if case .ratio(let ratio) = row.cells[4], ratio.whole == 4 { ratio.part } else { -1 }
    }
    // As it is, one fewer, one more, twice as many, half the wait, twice the wait.
    #expect(blocked == [2, 3, 1, 0, 2, 2])
    #expect(table.rows.map { $0.cells[2] } == [2, 1, 3, 4, 2, 2].map(Cell.count))
  }

  @Test func `people blocked and people affected are columns of their own`() throws {
    let table = try tableOf(result(blocked: 2))
    func cells(_ id: String) -> [Cell] {
      table.columns.firstIndex { $0.id == id }.map { at in table.rows.map { $0.cells[at] } } ?? []
    }
    let (one, nobody) = (Cell.ratio(Ratio(1, of: 1)), Cell.ratio(Ratio(0, of: 1)))
    // What happened, as it is, one fewer, one more, twice as many, half the wait, twice the wait.
    #expect(cells("people_blocked") == [one, one, one, one, nobody, one, one])
    #expect(cells("people_affected") == [.missing, .missing, one, one, one, nobody, nobody])
  }

  @Test(arguments: [(2, 0.0), (1, 25), (4, -50)])
  func `the error of the replay has a table of its own`(blocked: Int, points: Double) throws {
    let errors = try tableOf(result(blocked: blocked), id: "what-if-error")
    #expect(errors.isFolded && errors.rows.map { $0.cells[0] } == [.text("Filter")])
    #expect(errors.rows.first?.cells[1] == .pointError(points))
    #expect(try tableOf(result(blocked: blocked)).columns.allSatisfy { !$0.id.hasSuffix("error") })
  }

  @Test func `a sentence concludes, and says what one use fewer and one more would do`() {
    #expect(
      texts(SampleReports.whatIf) == [
        "Filter, limit 2: 1 subscription tap is too few to tell which limit sells more. Of 4 "
          + "attempts it would have blocked 2, 3 with one fewer, 1 with one more; 2 with half the "
          + "wait, 2 with twice the wait."
      ])
  }

  /// Figures of a limit that loses so many subscription taps.
  private func figures(_ lost: Int) -> WhatIfFigures {
    var figures = SampleReports.whatIf.comparison.figures(0, of: .filter)
    figures.subscriptionTapsLost = lost
    return figures
  }

  private func others(_ fewer: Int, _ more: Int) -> [LimitWhatIf.Other] {
    [("one fewer", figures(fewer)), ("one more", figures(more))]
  }

  @Test(arguments: [
    (0, 0, 0, 0, "nobody tapped to subscribe, so nothing says which limit sells more."),
    (29, 0, 6, 0, "29 subscription taps are too few to tell which limit sells more."),
    (
      30, 0, 0, 0,
      "of the 30 subscription taps no other limit or wait loses more than the error of the replay."
    ),
    (
      30, 2, 4, 4,
      "of the 30 subscription taps no other limit or wait loses more than the error of the replay."
    ),
    (30, 0, 6, 0, "one more can be tried: it loses none of the 30 subscription taps."),
    (30, 0, 0, 1, "one fewer can be tried: it loses none of the 30 subscription taps."),
    (
      30, 2, 5, 2,
      "one more can be tried: it loses none of the 30 subscription taps beyond the error of the "
        + "replay."
    ),
    (
      30, 2, 5, 3,
      "only a trial shows which limit sells more, as a replay loses taps and wins none. Of the 30 "
        + "subscription taps others lose 3 (one more) to 5 (one fewer)."
    ),
    (
      1_000, 0, 1, 3,
      "only a trial shows which limit sells more, as a replay loses taps and wins none. Of the "
        + "1,000 subscription taps others lose 1 (one fewer) to 3 (one more)."
    ),
  ])
  func `lost taps say which limit can be tried, and of few of them nothing is said`(
    taps: Int, lost: Int, fewer: Int, more: Int, words: String
  ) {
    func conclusion(isReliable: Bool) -> String {
      LimitWhatIf.conclusion(
        figures(lost), others(fewer, more), of: taps, isReliable: isReliable)
    }
    #expect(conclusion(isReliable: true) == words)
    #expect(conclusion(isReliable: false) == "do not rely on the replay.")
  }

  @Test(arguments: [(0, 0, nil), (1, 0, 0), (1, 1, 50), (0, 1, 100)] as [(Int, Int, Double?)])
  func `taps that happened and that the replay loses are its error`(
    kept: Int, lost: Int, points: Double?
  ) throws {
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
    let errors = try tableOf(result, id: "what-if-error")
    #expect(errors.rows.first?.cells[2] == points.map(Cell.pointError) ?? .missing)
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
      let table = try tableOf(result(blocked: blocked))
      #expect(table.rows.first?.cells[1] == .text("What happened"))
      #expect(table.rows.first?.cells[4] == .ratio(Ratio(blocked, of: 4)))
      let found = texts(result(blocked: blocked))
      #expect(found.count == (words == nil ? 1 : 2))
      if let words { #expect(found.last?.contains(words) == true, "\(found)") }
      #expect(found.first?.contains("do not rely") == (words != nil))
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
        .count(2), .ratio(Ratio(2, of: 3)), .ratio(Ratio(1, of: 1)), .ratio(Ratio(2, of: 2)),
      ])
    #expect(
      LimitWhatIf.figures(result, SampleReports.settings).map(\.label).suffix(2)
        == ["Refresh, people blocked", "Filter, people blocked"])
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

  @Test func `attempts of nobody known have no sentence and no figure`() {
    var comparison = SampleReports.whatIf.comparison
    comparison.leaveOut(.refresh)
    let result = WhatIfResult(
      since: SampleReports.context.start, isWholePeriod: true, comparison: comparison,
      outcomes: [.filter: LedgerOutcome(blocked: 2, users: 1)])
    #expect(texts(result).map { $0.prefix(7) } == ["Filter,"])
    #expect(
      LimitWhatIf.figures(result, SampleReports.settings).map(\.id)
        == ["replayed-people", "blocked-attempts", "blocked-people-filter"])
  }
}
