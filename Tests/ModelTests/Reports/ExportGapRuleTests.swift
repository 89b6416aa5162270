import Testing

@testable import Model

@Suite struct ExportGapRuleTests {
  private static let monday = Instant(unixSeconds: 1_767_571_200)

  /// Weeks of `lines` an hour, in which the hours of `silent` have `stray` lines.
  private func hours(
    weeks: Int, lines: Int = 10, silent: [Range<Int>] = [], stray: Int = 0
  ) -> ImportHours {
    var counts = [Int](repeating: lines, count: weeks * 168)
    for run in silent { for hour in run { counts[hour] = stray } }
    return ImportHours(start: Self.monday, counts: counts)
  }

  private func gap(_ hours: Range<Int>, _ expected: Int, isOpen: Bool = false) -> ExportGap {
    ExportGap(
      start: Self.monday + .seconds(3_600 * hours.lowerBound),
      end: Self.monday + .seconds(3_600 * hours.upperBound), expected: expected, isOpen: isOpen)
  }

  @Test(arguments: [
    // Of some hours a hundred lines are enough to be missed, ninety-nine are not.
    (lines: 100, hours: 1, stray: 0, isFound: true), (99, 1, 0, false), (10, 9, 0, false),
    (10, 10, 0, true), (5, 19, 0, false),
    // Of twenty hours, a day's length, thirty are.
    (2, 19, 0, false), (2, 20, 0, true), (1, 29, 0, false), (1, 30, 0, true),
    // A tenth of what was expected may be there.
    (100, 1, 10, true), (100, 1, 11, false), (0, 100, 0, false),
  ])
  func `silent hours are a gap when enough lines were expected`(
    lines: Int, length: Int, stray: Int, isFound: Bool
  ) {
    let run = 500..<500 + length
    let found = ExportGapRule.gaps(
      in: hours(weeks: 5, lines: lines, silent: [run], stray: stray))
    #expect(found == (isFound ? [gap(run, lines * length)] : []))
  }

  @Test(arguments: [(weeks: 1, isFound: false), (2, false), (3, true), (9, true)])
  func `two weeks must be there to compare with`(weeks: Int, isFound: Bool) {
    let run = weeks * 168 - 24..<weeks * 168
    let found = ExportGapRule.gaps(in: hours(weeks: weeks, silent: [run]))
    #expect(found == (isFound ? [gap(run, 240, isOpen: true)] : []))
  }

  @Test func `the ledger's first weeks are compared with later ones`() {
    let run = 30..<54
    #expect(ExportGapRule.gaps(in: hours(weeks: 4, silent: [run])) == [gap(run, 240)])
  }

  @Test func `an empty ledger and the time before its first line have no gaps`() {
    #expect(ExportGapRule.gaps(in: hours(weeks: 4, lines: 0)).isEmpty)
    #expect(ExportGapRule.gaps(in: hours(weeks: 8, silent: [0..<500])).isEmpty)
    #expect(ExportGapRule.gaps(in: ImportHours(start: Self.monday)).isEmpty)
  }

  @Test func `an outage of six weeks is one gap to its end`() {
    let run = 4 * 168..<10 * 168
    #expect(
      ExportGapRule.gaps(in: hours(weeks: 11, silent: [run])) == [gap(run, 6 * 1_680)])
  }

  @Test(arguments: [(0, true), (1, false)])
  func `a gap is open until the next line comes`(hoursSince: Int, isOpen: Bool) {
    let end = 4 * 168 - hoursSince
    let gaps = ExportGapRule.gaps(in: hours(weeks: 4, silent: [end - 24..<end]))
    #expect(gaps.map(\.isOpen) == [isOpen])
  }

  @Test func `a gap does not teach the weeks after it to expect nothing`() {
    let runs = [700..<724, 868..<892, 1_036..<1_060, 1_204..<1_228]
    #expect(
      ExportGapRule.gaps(in: hours(weeks: 8, silent: runs)) == runs.map { gap($0, 240) })
  }

  @Test func `nights in which nobody is awake are no gap`() {
    var counts = hours(weeks: 10).counts
    for hour in counts.indices where hour % 24 < 8 { counts[hour] = 0 }
    #expect(ExportGapRule.gaps(in: ImportHours(start: Self.monday, counts: counts)).isEmpty)
  }
}

@Suite struct CoverageRuleTests {
  private static let midnight = Instant(unixSeconds: 1_767_571_200)

  private func coverage(
    now: Int = 86_400, begins: Int? = -86_400, gap: Range<Int>? = nil, lines: Int = 1
  ) -> DayFacts.Coverage {
    func instant(_ seconds: Int) -> Instant { Self.midnight + .seconds(seconds) }
    var day = DayFacts(start: Self.midnight, end: instant(86_400))
    day.exportLines = lines
    return CoverageRule.coverage(
      of: day, at: instant(now), ledgerBegins: begins.map(instant),
      gaps: gap.map {
        [ExportGap(start: instant($0.lowerBound), end: instant($0.upperBound), expected: 30)]
      } ?? [])
  }

  @Test func `a day runs until its last second is over`() {
    #expect(coverage(now: 86_399) == .running)
    #expect(coverage(now: 86_400) == .whole)
    #expect(coverage(now: 86_399, begins: nil) == .running)
  }

  @Test(arguments: [
    (-1, DayFacts.Coverage.whole), (3_600, .whole), (3_601, .partial), (86_399, .partial),
    (86_400, .none),
  ])
  func `a day is covered from where the ledger begins`(begins: Int, expected: DayFacts.Coverage) {
    #expect(coverage(begins: begins) == expected)
  }

  @Test func `an empty ledger covers no day`() {
    #expect(coverage(begins: nil) == .none)
  }

  @Test(arguments: [
    (-72_000..<0, 1, DayFacts.Coverage.whole), (-71_999..<1, 1, .partial),
    (86_399..<158_399, 1, .partial),
    (86_400..<158_400, 1, .whole), (0..<86_400, 1, .partial), (0..<86_400, 0, .none),
    (0..<72_000, 0, .none),
  ])
  func `a gap makes a day partial, or none when no line came`(
    gap: Range<Int>, lines: Int, expected: DayFacts.Coverage
  ) {
    #expect(coverage(gap: gap, lines: lines) == expected)
  }

  @Test(arguments: [
    (0..<68_400, false, DayFacts.Coverage.whole, 19), (0..<72_000, false, .partial, 0),
    (82_800..<90_000, false, .whole, 1), (-7_200..<3_600, false, .whole, 1),
    (3_600..<7_200, true, .partial, 0),
  ])
  func `a day with silent hours is whole, unless they are 20 or no line came since`(
    gap: Range<Int>, isOpen: Bool, expected: DayFacts.Coverage, hours: Int
  ) {
    func instant(_ seconds: Int) -> Instant { Self.midnight + .seconds(seconds) }
    let silence = ExportGap(
      start: instant(gap.lowerBound), end: instant(gap.upperBound), expected: 99, isOpen: isOpen)
    var day = DayFacts(start: Self.midnight, end: instant(86_400))
    day.exportLines = 1
    day.coverage = CoverageRule.coverage(
      of: day, at: day.end, ledgerBegins: Instant(unixSeconds: 0), gaps: [silence])
    #expect(day.coverage == expected)
    day.silentHours = CoverageRule.silentHours(of: day, gaps: [silence])
    #expect(day.silentHours == hours)
    #expect(day.isUndisturbed == false)
  }

  /// Mondays of 100 lines, the last of them in a gap.
  private func mondays(
    _ weeks: Int, later: Int = 0, lines: Int, usual: Int = 100, hasGap: Bool = true
  ) -> [Int] {
    let lost = 7 * weeks
    let days = (0...(lost + 7 * later)).map { number in
      let start = Self.midnight + .seconds(86_400 * number)
      var day = DayFacts(start: start, end: start + .seconds(86_400))
      day.coverage = number == lost ? .partial : .whole
      day.exportLines = number == lost ? lines : number % 7 == 0 ? usual : 5_000
      return day
    }
    let gap = ExportGap(
      start: days[lost].start + .seconds(3_600), end: days[lost].start + .seconds(7_200),
      expected: 30)
    return CoverageRule.lost(days, gaps: hasGap ? [gap] : []).map { $0 - lost }
  }

  @Test(arguments: [(0, true), (9, true), (10, true), (11, false)])
  func `a day with at most a tenth of its usual lines is lost`(lines: Int, isLost: Bool) {
    #expect(mondays(6, lines: lines) == (isLost ? [0] : []))
  }

  @Test(arguments: [(3, 0, false), (3, 1, true), (4, 0, true), (0, 3, false), (0, 4, true)])
  func `usual comes from four same weekdays, of before if they are enough`(
    weeks: Int, later: Int, isLost: Bool
  ) {
    #expect(mondays(weeks, later: later, lines: 1) == (isLost ? [0] : []))
  }

  @Test(arguments: [(29, false), (30, true)])
  func `a day that usually has few lines is not lost`(usual: Int, isLost: Bool) {
    #expect(mondays(6, lines: 1, usual: usual) == (isLost ? [0] : []))
  }

  @Test func `a day without a gap is not lost`() {
    #expect(mondays(6, lines: 0, hasGap: false).isEmpty)
  }
}
