extension ReportContext {
  /// Finds out whether the events of the spans that are compared are all there.
  package mutating func judgeComparisons(by usage: UsageData) {
    unknownDays = daysBeforeLedger(usage) + usage.history.unknown.map(\.start)
    func fault(_ pair: PeriodComparison.Pair) -> ComparisonFault? {
      ComparisonRule.fault(in: pair, of: usage.history, ledgerBegins: usage.ledgerBeginsAt)
    }
    periodFault = fault(PeriodComparison.Pair(current: start..<end, previous: start..<end))
    comparisonFault = comparison.main.flatMap(fault)
    todayFault = comparison.today.flatMap(fault)
    // An export comes when its day is over: before, no line of today is no fall to nothing.
    let isAwaited =
      usage.history.todayBeforeExport != nil
      || TodayRule.extent(of: usage.history, newestLine: usage.newestLine) == .nothing
    awaitedToday = isAwaited ? usage.history.today?.start : nil
    if todayFault == nil, comparison.today != nil, isAwaited, let day = usage.history.today {
      todayFault = .awaited(day.start)
      if comparison.whole == nil {
        comparisonFault = todayFault
        periodFault = todayFault
      }
    }
  }

  /// The first instants of the days of the period and of the one before it that are older than the
  /// history and over before the ledger begins.
  private func daysBeforeLedger(_ usage: UsageData) -> [Instant] {
    guard let history = usage.history.days.first?.start else { return [] }
    let span = previousStart..<max(previousStart, min(history, end))
    return LocalDay.days(touching: span, in: timeZone)
      .prefix { $0.end <= usage.ledgerBeginsAt ?? history }.map(\.start)
  }
}

extension DayHistory {
  /// The days of the history at `now`, oldest first, in a time zone.
  package static func spans(at now: Instant, in timeZone: String) -> [Range<Instant>] {
    let longest = Duration.seconds(86_400 * (mostDays + 1))
    return LocalDay.days(touching: now - longest..<now + .microseconds(1), in: timeZone)
      .suffix(mostDays).map { $0.start..<$0.end }
  }
}
