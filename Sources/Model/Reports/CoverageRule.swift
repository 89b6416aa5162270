import FoundationEssentials

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

  /// Whether the app stood still, rather than that lines were lost: an export has the lines of
  /// whole days, so that one with lines before and after some silent hours is all there.
  private static func isSilence(_ gap: ExportGap) -> Bool {
    !gap.isOpen && gap.end - gap.start < .seconds(3_600 * ExportGapRule.dayHours)
  }

  /// Hours of a whole day in which the app stood still.
  package static func silentHours(of day: DayFacts, gaps: [ExportGap]) -> Int {
    guard day.coverage == .whole else { return 0 }
    return gaps.reduce(0) { $0 + $1.hours(of: day) }
  }

  /// A lost day has at most one in this number of its usual lines: those came with the days beside
  /// it.
  static let fewLines = 10
  /// Same weekdays that a day's usual lines come from, and the fewest.
  static let weeks = 6
  static let fewestWeeks = 4

  /// The indices of the days in a gap with hardly any line.
  ///
  /// `days` follow each other. Usual is the median of the nearest whole same weekdays before, and
  /// of later ones as well where these are too few.
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

/// How much of the running day the ledger knows: `docs/reports/days.md#comparisons`.
package enum TodayRule {
  package enum Extent: Hashable, Sendable {
    /// Up to now: no export brings the day.
    case now
    /// Up to the newest line of the export.
    case until(Instant)
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

/// Events that came by import, by whole hours of UTC, oldest first.
package struct ImportHours: Hashable, Sendable {
  /// The first instant of the first hour; unix time divides it by 3,600 seconds.
  package var start: Instant
  package var counts: [Int]

  package init(start: Instant, counts: [Int] = []) {
    self.start = start
    self.counts = counts
  }
}

/// Hours whose lines of the export are missing, though earlier weeks had some in the same hours.
package struct ExportGap: Hashable, Sendable {
  /// The first instant without lines, on the hour.
  package var start: Instant
  /// The first instant after the gap, on the hour.
  package var end: Instant
  /// About how many lines the same hours of earlier weeks had.
  package var expected: Int
  /// Whether no line has come since: more of them may be missing.
  package var isOpen = false

  package func overlaps(_ day: DayFacts) -> Bool { start < day.end && end > day.start }

  /// Whole hours of the day that lie in the gap.
  package func hours(of day: DayFacts) -> Int {
    let seconds = (min(end, day.end) - max(start, day.start)).fractionalSeconds
    return max(0, Int(seconds / 3_600))
  }
}

/// Finds hours whose lines of the export were lost or are late: `docs/reports/days.md#export-gaps`.
///
/// An hour is silent when it has no line, or at most a tenth of what the same hour of earlier weeks
/// has. Silent hours in a row are a gap when the same hours of earlier weeks had enough lines.
package struct ExportGapRule {
  /// Fewer lines than this may be missing by chance in a whole day, or a day's length.
  package static let leastExpected = 30
  /// The same of fewer hours: a person's sitting has many lines, and quiet hours are many.
  static let leastOfHours = 100
  /// From this number of hours on a run has a day's length.
  static let dayHours = 20
  /// A gap holds at most one line in this number of expected ones.
  static let tolerance = 10
  /// Earlier weeks that are compared with, and how far back they may lie; without two of them,
  /// later ones count as well.
  static let weeks = 4
  static let fewestWeeks = 2
  static let farthestWeek = 8
  private static let hoursOfWeek = 168

  private let counts: [Int]
  private let start: Instant
  /// The first hour with a line; the ledger shows nothing about the hours before.
  private let first: Int
  private var gaps: [Range<Int>] = []
  private var found: [ExportGap] = []

  /// The gaps of the hours, oldest first; none while fewer than two weeks can be compared with.
  ///
  /// Hand in whole hours alone: the one at hand is silent before it is over.
  package static func gaps(in hours: ImportHours) -> [ExportGap] {
    guard let first = hours.counts.firstIndex(where: { $0 > 0 }) else { return [] }
    var rule = ExportGapRule(counts: hours.counts, start: hours.start, first: first)
    rule.findAll()
    return rule.found
  }

  private mutating func findAll() {
    var hour = first
    while hour < counts.count {
      var end = hour
      while end < counts.count, isSilent(end) { end += 1 }
      if end > hour { judge(hour..<end) }
      hour = end + 1
    }
  }

  private func isSilent(_ hour: Int) -> Bool {
    guard counts[hour] > 0 else { return true }
    guard let usual = usual(hour..<hour + 1, apartFrom: hour..<hour + 1) else { return false }
    return counts[hour] * Self.tolerance <= usual
  }

  private mutating func judge(_ run: Range<Int>) {
    // Day by day, so that the weeks before a long run are there to compare with.
    let expected = stride(from: run.lowerBound, to: run.upperBound, by: 24).reduce(0) { sum, hour in
      sum + (usual(hour..<min(hour + 24, run.upperBound), apartFrom: run) ?? 0)
    }
    let least = run.count >= Self.dayHours ? Self.leastExpected : Self.leastOfHours
    guard expected >= least, total(run) * Self.tolerance <= expected else { return }
    gaps.append(run)
    found.append(
      ExportGap(
        start: start + .seconds(3_600 * run.lowerBound),
        end: start + .seconds(3_600 * run.upperBound), expected: expected,
        isOpen: run.upperBound == counts.count))
  }

  /// The median of the same hours of the nearest weeks, the lower of two in the middle; nil without
  /// enough weeks.
  private func usual(_ hours: Range<Int>, apartFrom run: Range<Int>) -> Int? {
    var sums = (1...Self.farthestWeek).lazy
      .compactMap { total(hours, weeksLater: -$0, apartFrom: run) }.prefix(Self.weeks).sorted()
    if sums.count < Self.fewestWeeks {
      let later = (1...Self.weeks).compactMap { total(hours, weeksLater: $0, apartFrom: run) }
      sums = (sums + later).sorted()
    }
    return sums.count < Self.fewestWeeks ? nil : sums[(sums.count - 1) / 2]
  }

  /// Nil for a week that the ledger does not know, or in which lines are missing.
  private func total(
    _ hours: Range<Int>, weeksLater weeks: Int, apartFrom run: Range<Int>
  ) -> Int? {
    let by = weeks * Self.hoursOfWeek
    let other = hours.lowerBound + by..<hours.upperBound + by
    guard other.lowerBound >= first, other.upperBound <= counts.count, !other.overlaps(run),
      !gaps.contains(where: other.overlaps)
    else { return nil }
    return total(other)
  }

  private func total(_ hours: Range<Int>) -> Int { counts[hours].reduce(0, +) }
}

/// Until when lines of the export should be there, by the hours at which they came before:
/// `docs/reports/days.md#late-exports`.
///
/// Exports come once a day or more often. An export that comes later in the day than the report is
/// written is not lost.
package struct ExportArrivalRule: Sendable {
  /// Days on which an import brought lines, and that are looked at.
  static let fewestDays = 4
  static let mostDays = 14
  /// With this number of days one arrival may be later than the usual time.
  static let daysWithOutlier = 7
  /// A report is written right after an import was tried, and imports begin some seconds earlier or
  /// later each day: so long before the usual time counts as the usual time.
  static let tolerance = Duration.seconds(300)
  /// Before midnight people may be asleep: a day without lines in its last hours is no late one.
  static let quietEnd = Duration.seconds(6 * 3_600)
  /// Lines that end no longer than this before a midnight of UTC end with a day of UTC.
  static let utcEnd = Duration.seconds(3_600)

  /// The time up to which lines should have come.
  let expectedUntil: Instant

  /// Nil while too few arrivals are known.
  ///
  /// `imports` are the starts of the runs that brought lines, oldest first; `newestLine` is the
  /// time of the newest line that came; days are those of `timeZone`.
  package init?(
    imports: [Instant], newestLine: Instant?, at now: Instant, timeZone: String
  ) {
    var arrivals: [(day: LocalDay, time: Duration)] = []
    for start in imports {
      let day = LocalDay(of: start, in: timeZone)
      guard arrivals.last?.day != day else { continue }
      arrivals.append((day, day.timeByTheClock(of: start, in: timeZone)))
    }
    arrivals = arrivals.suffix(Self.mostDays)
    guard arrivals.count >= Self.fewestDays, let newestLine else { return nil }
    let times = arrivals.map(\.time).sorted()
    let usual = times[times.count - (times.count >= Self.daysWithOutlier ? 2 : 1)]
    // An import at an unusual time may have brought an older day again, and shows no export.
    guard let last = arrivals.last(where: { $0.time <= usual + Self.tolerance })?.day else {
      return nil
    }
    let today = LocalDay(of: now, in: timeZone)
    let isDue = today.timeByTheClock(of: now, in: timeZone) >= usual - Self.tolerance
    let due = isDue ? today : LocalDay(of: today.start - .microseconds(1), in: timeZone)
    let days = Int(((due.start - last.start) / Duration.seconds(86_400)).rounded())
    let end = min(Self.endOfExport(newestLine, timeZone), last.start)
    expectedUntil = max(newestLine, end + .seconds(86_400 * days))
  }

  /// The end of the day that an export with this newest line is of.
  ///
  /// Whole days: an outage that lasts until midnight must not look like an export that always ends
  /// so early.
  private static func endOfExport(_ newestLine: Instant, _ timeZone: String) -> Instant {
    let utc = LocalDay(of: newestLine, in: "UTC").end
    return utc - newestLine <= utcEnd ? utc : LocalDay(of: newestLine, in: timeZone).end
  }

  /// Whether the lines of a day, or of its end, are still to come at their usual time.
  ///
  /// Of a day that is over and has no line, or none at its end.
  package func isAwaited(_ day: DayFacts, gaps: [ExportGap]) -> Bool {
    let lacksEnd = day.exportLines == 0 || gaps.contains { $0.start < day.end && $0.end >= day.end }
    return lacksEnd && day.end - Self.quietEnd > expectedUntil
  }
}

/// What the numbers of a period are compared with: `docs/reports/days.md#comparisons`.
///
/// A calendar month is compared with the one before it, other whole days with the same weekdays,
/// the running day with the same hours a week ago, and never one with the other.
package struct PeriodComparison: Hashable, Sendable {
  /// A span of the period, and the one that it is compared with.
  package struct Pair: Hashable, Sendable {
    package var current: Range<Instant>
    package var previous: Range<Instant>

    package init(current: Range<Instant>, previous: Range<Instant>) {
      self.current = current
      self.previous = previous
    }
  }

  /// The period's days that are over, with the month before, or with the same weekdays as many
  /// weeks earlier as keep the two apart; nil when none is over.
  package let whole: Pair?
  /// The running day up to the last full quarter of an hour that is known, with the same hours a
  /// week ago; nil for a period that is over.
  package let today: Pair?
  /// Whether the period is a calendar month that is over, which is compared with the one before it.
  package let isMonth: Bool
  /// The start of the month before, or of the period as many weeks earlier as the whole days are
  /// compared with.
  package let previousStart: Instant

  /// `newestLine` is that of an export that is behind; nil where none is.
  package init(
    start: Instant, end: Instant, now: Instant, newestLine: Instant? = nil, timeZone: String
  ) {
    let calendar = Calendar(in: TimeZone(knownOrUTC: timeZone))
    let midnight = LocalDay(of: now, in: timeZone).start
    // The first instant of the running day as far as the period has one.
    let split = max(start, min(midnight, end))
    func earlier(_ instant: Instant, weeks: Int) -> Instant {
      guard let date = calendar.date(byAdding: .day, value: -7 * weeks, to: instant.date) else {
        return instant - .seconds(604_800 * weeks)
      }
      return Instant(date)
    }
    let days = ((split - start) / Duration.seconds(86_400)).rounded()
    let weeks = max(1, Int((days / 7).rounded(.up)))
    let monthBefore = split == end ? startOfMonth(before: start..<end, calendar) : nil
    isMonth = monthBefore != nil
    previousStart = monthBefore ?? earlier(start, weeks: weeks)
    whole =
      start < split
      ? Pair(
        current: start..<split,
        previous: previousStart..<(monthBefore == nil ? earlier(split, weeks: weeks) : start)) : nil
    let quarter: Int64 = 900_000_000
    let known = newestLine.map { min($0, end) } ?? end
    let last = Instant(microseconds: known.microseconds - known.microseconds % quarter)
    today =
      end > midnight && split < last
      ? Pair(current: split..<last, previous: earlier(split, weeks: 1)..<earlier(last, weeks: 1))
      : nil
  }

  /// The days whose changes are reported: the whole days, or the running one when the period has no
  /// other.
  package var main: Pair? { whole ?? today }
}

/// The start of the month before a calendar month; nil for any other span.
private func startOfMonth(before span: Range<Instant>, _ calendar: Calendar) -> Instant? {
  guard let month = calendar.dateInterval(of: .month, for: span.lowerBound.date),
    Instant(month.start) == span.lowerBound, Instant(month.end) == span.upperBound,
    let before = calendar.date(byAdding: .month, value: -1, to: month.start)
  else { return nil }
  return Instant(before)
}

/// Why events of two spans cannot be compared: `docs/reports/days.md#coverage`.
package enum ComparisonFault: Hashable, Sendable {
  case emptyLedger
  /// The ledger begins after the earlier span does.
  case ledgerBegins(Instant)
  /// Lines of the export are missing on the day that begins then.
  case missingLines(Instant)
  /// The export of the day that begins then is still to come.
  case awaited(Instant)
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
