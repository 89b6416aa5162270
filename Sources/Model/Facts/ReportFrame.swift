/// What every report states about itself: for whom, of what time, seen from where.
package struct ReportFrame: Hashable, Sendable {
  package var appName: String
  /// When the report was made.
  package var now: Instant
  /// IANA name; decides days, hours and weekdays.
  package var timeZone: String
  /// The period: from `start` (inclusive) to `end` (exclusive).
  package var start: Instant
  package var end: Instant
  /// The profile whose events, ratings and feedback alone are counted; nil for everybody's.
  package var scope: String?
  /// Whether pseudonyms stand for people: `docs/reports.md#anonymous`.
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
