import Model
import Store

/// The days of the history, before their events are counted.
struct LedgerDays {
  var history: DayHistory
  /// Hours whose lines of the export are missing, oldest first.
  private(set) var exportGaps: [ExportGap] = []
  private let ledgerBeginsAt: Instant?

  init(_ facts: [DayFacts], ledgerBeginsAt: Instant?) {
    history = DayHistory(days: facts)
    self.ledgerBeginsAt = ledgerBeginsAt
  }

  /// Judges how much of each day the ledger knows, and finds what of the export is missing.
  ///
  /// The running day's lines may still come: it is never in a gap. Nor are days whose export usually
  /// comes later than now.
  mutating func judgeCoverage(_ reader: Reader, at now: Instant, in timeZone: String) throws {
    try findGaps(reader, at: now)
    // What is awaited is no gap, also where it begins in the night before.
    if try markAwaited(reader, at: now, in: timeZone) { try findGaps(reader, at: now) }
  }

  private mutating func findGaps(_ reader: Reader, at now: Instant) throws {
    guard let first = history.days.first, let last = history.complete.last else { return }
    var hours = try reader.importHours(first.start..<last.end)
    // The last hour may belong to the running day in zones that are off by parts of an hour.
    if last.end < hours.start + .seconds(3_600 * hours.counts.count) { hours.counts.removeLast() }
    exportGaps = ExportGapRule.gaps(in: hours)
    for index in history.days.indices where history.days[index].coverage != .awaited {
      history.days[index].coverage = CoverageRule.coverage(
        of: history.days[index], at: now, ledgerBegins: ledgerBeginsAt, gaps: exportGaps)
    }
    for index in CoverageRule.lost(history.days, gaps: exportGaps) {
      history.days[index].coverage = .none
    }
    for index in history.days.indices {
      history.days[index].silentHours = CoverageRule.silentHours(
        of: history.days[index], gaps: exportGaps)
    }
  }

  /// Sets the newest days aside whose lines are still to come at their usual time; returns whether
  /// there are any.
  private mutating func markAwaited(
    _ reader: Reader, at now: Instant, in timeZone: String
  ) throws -> Bool {
    let arrivals = try reader.importArrivals(until: now)
    guard
      let rule = ExportArrivalRule(
        imports: arrivals.starts, newestLine: arrivals.newestLine, at: now, timeZone: timeZone)
    else { return false }
    while let last = history.complete.indices.last,
      rule.isAwaited(history.days[last], gaps: exportGaps)
    {
      history.days[last].coverage = .awaited
    }
    return !history.awaited.isEmpty
  }
}

extension ReportContext {
  /// Finds out whether the events of the spans that are compared are all there.
  mutating func judgeComparisons(by usage: UsageData) {
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
    var starts: [Instant] = []
    var instant = previousStart
    while instant < min(history, end) {
      let day = LocalDay(of: instant, in: timeZone)
      guard day.start < day.end, day.end <= usage.ledgerBeginsAt ?? history else { break }
      starts.append(day.start)
      instant = day.end
    }
    return starts
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
