/// How much of a day the ledger knows: `docs/reports/days.md#coverage`.
package enum CoverageRule {
  /// A ledger that begins no later than this after midnight knows the whole day: nobody may have
  /// been awake.
  static let latestBegin = Duration.seconds(3_600)

  /// `begins` is the ledger's first instant; nil when it is empty.
  package static func coverage(
    of day: DayFacts, at now: Instant, ledgerBegins begins: Instant?, gaps: [ExportGap]
  ) -> DayFacts.Coverage {
    guard day.end <= now else { return .running }
    guard let begins, begins < day.end else { return .none }
    let missing = gaps.filter { $0.overlaps(day) }
    guard missing.isEmpty || day.exportLines > 0 else { return .none }
    guard missing.allSatisfy(isSilence) else { return .partial }
    return begins > day.start + latestBegin ? .partial : .whole
  }

  /// Whether the app stood still, rather than that lines were lost: an export has the lines of whole
  /// days, so that one with lines before and after some silent hours is all there.
  private static func isSilence(_ gap: ExportGap) -> Bool {
    !gap.isOpen && gap.end - gap.start < .seconds(3_600 * ExportGapRule.dayHours)
  }

  /// Hours of a whole day in which the app stood still.
  package static func silentHours(of day: DayFacts, gaps: [ExportGap]) -> Int {
    guard day.coverage == .whole else { return 0 }
    return gaps.reduce(0) { $0 + $1.hours(of: day) }
  }

  /// A lost day has at most one of so many of its usual lines: what is there came with the days
  /// beside it.
  static let fewLines = 10
  /// Same weekdays that a day's usual lines come from, and the fewest.
  static let weeks = 6
  static let fewestWeeks = 4

  /// The indices of the days in a gap of which next to no line came.
  ///
  /// `days` follow each other. Usual is the median of the nearest whole same weekdays before, and of
  /// later ones as well where these are too few.
  package static func lost(_ days: [DayFacts], gaps: [ExportGap]) -> [Int] {
    days.indices.filter { index in
      let day = days[index]
      guard day.coverage == .partial || day.coverage == .whole,
        gaps.contains(where: { $0.overlaps(day) })
      else { return false }
      func lines(_ weeks: [Int]) -> [Int] {
        weeks.map { index + 7 * $0 }
          .filter { days.indices.contains($0) && days[$0].coverage == .whole }
          .map { days[$0].exportLines }
      }
      var usual = lines((1...Self.weeks).map { -$0 })
      if usual.count < fewestWeeks { usual += lines(Array(1...Self.weeks)) }
      guard usual.count >= fewestWeeks else { return false }
      let median = usual.sorted()[(usual.count - 1) / 2]
      return median >= ExportGapRule.leastExpected && day.exportLines * fewLines <= median
    }
  }
}

/// Whether the ledger knows enough of two spans to compare them.
package enum ComparisonRule {
  /// Nil when every day of both spans is whole; the running day's part so far counts as whole.
  ///
  /// Days before the history count as whole when the ledger had begun.
  package static func fault(
    in pair: PeriodComparison.Pair, of history: DayHistory, ledgerBegins begins: Instant?
  ) -> ComparisonFault? {
    guard !history.days.isEmpty else { return nil }
    guard let begins else { return .emptyLedger }
    let start = min(pair.previous.lowerBound, pair.current.lowerBound)
    guard begins <= start + CoverageRule.latestBegin else { return .ledgerBegins(begins) }
    let uncovered = history.days.first { day in
      day.coverage != .whole && day.coverage != .running
        && [pair.previous, pair.current].contains { $0.overlaps(day.start..<day.end) }
    }
    return uncovered.map { $0.coverage == .awaited ? .awaited($0.start) : .missingLines($0.start) }
  }
}

/// How much of the running day the ledger knows: `docs/reports/days.md#comparisons`.
package enum TodayRule {
  package enum Extent: Hashable, Sendable {
    /// Up to now: no export brings the day.
    case now
    /// Up to the newest line of the export.
    case until(Instant)
    /// No line of the day has come.
    case nothing
  }

  /// An export brings the day when it brought the same weekday a week before.
  ///
  /// `newestLine` is the newest that came by import up to now; nil without one.
  package static func extent(of history: DayHistory, newestLine: Instant?) -> Extent {
    guard let today = history.today, history.days.count > 7,
      history.days[history.days.count - 8].exportLines > 0
    else { return .now }
    guard let newestLine, newestLine >= today.start else { return .nothing }
    return .until(newestLine)
  }
}
