/// What every report states about itself: the app, the period, the time zone and the scope.
package struct ReportContext: Hashable, Sendable {
  package var appName: String
  /// When the report was made.
  package var now: Instant
  /// The IANA name of the zone that decides days, hours and weekdays.
  package var timeZone: String
  /// The period: from `start` (inclusive) to `end` (exclusive).
  package var start: Instant
  package var end: Instant
  /// Counts only the events, ratings and feedback of this profile; nil counts everybody's.
  package var scope: String?
  /// Whether pseudonyms replace people: `docs/reports.md#anonymous`.
  package var isAnonymous: Bool

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
  }

  package var length: Duration { end - start }

  /// The start of the period of the same length just before this one.
  package var previousStart: Instant { start - length }
}
