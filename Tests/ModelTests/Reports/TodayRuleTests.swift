import Model
import Testing

@Suite struct TodayRuleTests {
  private static let midnight = Instant(unixSeconds: 1_767_571_200)

  /// Nine days, the last of them running, of which one a week ago has so many lines.
  private func history(linesWeekAgo lines: Int, days: Int = 9) -> DayHistory {
    DayHistory(
      days: (0..<days).map { number in
        let start = Self.midnight + .seconds(86_400 * (number - days + 1))
        var day = DayFacts(
          start: start, end: start + .seconds(86_400),
          coverage: number == days - 1 ? .running : .whole)
        day.exportLines = number == days - 8 ? lines : 0
        return day
      })
  }

  @Test(arguments: [
    (0, Int?.none, "now"), (0, -1, "now"), (1, Int?.none, "nothing"), (1, -1, "nothing"),
    (1, 0, "0"), (1, 7_800, "7800"),
  ])
  func `an export that brought the day a week ago bounds what is known of today`(
    lines: Int, newest: Int?, expected: String
  ) {
    let line = newest.map { Self.midnight + .seconds($0) }
    let extent = TodayRule.extent(of: history(linesWeekAgo: lines), newestLine: line)
    let words =
      switch extent {
      case .now: "now"
      case .nothing: "nothing"
      case .until(let instant): "\(Int((instant - Self.midnight).fractionalSeconds))"
      }
    #expect(words == expected)
  }

  @Test func `without a day a week ago nothing bounds today`() {
    #expect(TodayRule.extent(of: history(linesWeekAgo: 5, days: 7), newestLine: nil) == .now)
    #expect(TodayRule.extent(of: DayHistory(), newestLine: nil) == .now)
  }

  @Test(arguments: [(899, 0), (900, 900), (7_799, 7_200), (23_400, 23_400), (30_000, 23_400)])
  func `today is compared up to the last full quarter before the newest line`(
    newest: Int, until: Int
  ) {
    let now = Self.midnight + .seconds(24_000)
    let comparison = PeriodComparison(
      start: Self.midnight - .seconds(7 * 86_400), end: now, now: now,
      newestLine: Self.midnight + .seconds(newest), timeZone: "UTC")
    let end = comparison.today.map {
      Int(($0.current.upperBound - Self.midnight).fractionalSeconds)
    }
    #expect(end == (until == 0 ? nil : until))
    if let today = comparison.today {
      #expect(today.current.upperBound - today.previous.upperBound == .seconds(7 * 86_400))
    }
  }
}
