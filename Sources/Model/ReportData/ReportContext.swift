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

  /// From where on data is needed: the start of the period some weeks earlier, at least one.
  package var previousStart: Instant { comparison.previousStart }

  private mutating func compare() {
    comparison = PeriodComparison(start: start, end: end, now: now, timeZone: timeZone)
  }
}
