import Model
import Rules
import Store

extension UsageData {
  /// Judges how much of each day the ledger knows, and finds what of the export is missing.
  ///
  /// The running day's lines may still come: it is never in a gap. Nor are days whose export usually
  /// comes later than now.
  mutating func judgeCoverage(_ reader: Reader, at now: Instant, in timeZone: String) throws {
    guard let first = history.days.first, let last = history.complete.last else { return }
    var hours = try reader.importHours(first.start..<last.end)
    // The last hour may belong to the running day in zones that are off by parts of an hour.
    if last.end < hours.start + .seconds(3_600 * hours.counts.count) { hours.counts.removeLast() }
    exportGaps = ExportGapRule.gaps(in: hours)
    for index in history.days.indices {
      history.days[index].coverage = CoverageRule.coverage(
        of: history.days[index], at: now, ledgerBegins: ledgerBeginsAt, gaps: exportGaps)
    }
    try markAwaited(reader, at: now, in: timeZone)
  }

  /// Sets the newest days aside whose lines are still to come at their usual time.
  private mutating func markAwaited(
    _ reader: Reader, at now: Instant, in timeZone: String
  ) throws {
    let arrivals = try reader.importArrivals(until: now)
    guard
      let rule = ExportArrivalRule(
        imports: arrivals.starts, newestLine: arrivals.newestLine, at: now, timeZone: timeZone)
    else { return }
    while let last = history.complete.indices.last,
      rule.isAwaited(history.days[last], gaps: exportGaps)
    {
      history.days[last].coverage = .awaited
    }
    guard let first = history.awaited.first else { return }
    exportGaps.removeAll { $0.start >= first.start }
  }
}

extension ReportContext {
  /// Finds out whether the events of the spans that are compared are all there.
  mutating func judgeComparisons(by usage: UsageData) {
    comparisonFault = comparison.main.flatMap { ComparisonRule.fault(in: $0, of: usage) }
    todayFault = comparison.today.flatMap { ComparisonRule.fault(in: $0, of: usage) }
  }
}

extension DayHistory {
  /// The days of the history at `now`, oldest first, in a time zone.
  static func spans(at now: Instant, in timeZone: String) -> [Range<Instant>] {
    var spans: [Range<Instant>] = []
    var instant = now
    while spans.count < mostDays {
      let day = LocalDay(of: instant, in: timeZone)
      guard day.start < day.end else { break }
      spans.append(day.start..<day.end)
      instant = day.start - .microseconds(1)
    }
    return spans.reversed()
  }
}
