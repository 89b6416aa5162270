import FoundationEssentials

/// What every report states about itself: the app, the period, the time zone and the scope.
package struct ReportContext: Hashable, Sendable {
  package var appName: String
  /// When the report was made.
  package var now: Instant { didSet { compare() } }
  /// The IANA name of the zone that decides days, hours and weekdays.
  package var timeZone: String { didSet { compare() } }
  /// The period: from `start` (inclusive) to `end` (exclusive).
  package var start: Instant { didSet { compare() } }
  package var end: Instant { didSet { compare() } }
  /// The newest line that came, where the export brings the running day and is behind; nil where all
  /// of the day so far is known.
  package var newestLine: Instant? { didSet { compare() } }
  /// Counts only the events, ratings and feedback of this profile; nil counts everybody's.
  package var scope: String?
  /// Whether pseudonyms replace people: `docs/reports.md#anonymous`.
  package var isAnonymous: Bool
  /// What the period's numbers are compared with.
  package private(set) var comparison: PeriodComparison
  /// The first instants of the days of which no event is known, oldest first.
  package var unknownDays: [Instant] = []
  /// Why not all events of the period are known; nil when they are, up to now.
  package var periodFault: ComparisonFault?
  /// Why events cannot be compared so; nil when they can.
  package var comparisonFault: ComparisonFault?
  /// Why the events of the running day cannot be compared; nil when they can.
  package var todayFault: ComparisonFault?
  /// Which findings the owner wants.
  package var findingSettings = FindingSettings()
  /// The acknowledgements in force, in no order.
  package var acknowledged: [Acknowledgement] = []

  package init(
    appName: String, now: Instant, timeZone: String, start: Instant, end: Instant,
    scope: String? = nil, isAnonymous: Bool = false
  ) {
    self.appName = appName
    self.now = now
    self.timeZone = timeZone
    self.start = start
    self.end = end
    self.scope = scope
    self.isAnonymous = isAnonymous
    comparison = PeriodComparison(start: start, end: end, now: now, timeZone: timeZone)
  }

  /// From where on data is needed: the start of the month before, or of the period some weeks
  /// earlier, at least one.
  package var previousStart: Instant { comparison.previousStart }

  private mutating func compare() {
    comparison = PeriodComparison(
      start: start, end: end, now: now, newestLine: newestLine, timeZone: timeZone)
  }
}

/// What the numbers of a period are compared with: `docs/reports/days.md#comparisons`.
///
/// A calendar month is compared with the one before it, other whole days with the same weekdays, the
/// running day with the same hours a week ago, and never one with the other.
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

  /// The period's days that are over, with the month before or with the same weekdays so many weeks
  /// earlier that the two do not overlap; nil when none is over.
  package let whole: Pair?
  /// The running day up to the last full quarter of an hour that is known, with the same hours a week
  /// ago; nil for a period that is over.
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
    let calendar = Self.calendar(timeZone)
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

  /// What changes are told of: the whole days, or the running one when the period has no other.
  package var main: Pair? { whole ?? today }

  private static func calendar(_ timeZone: String) -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: timeZone) ?? .gmt
    return calendar
  }
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
