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

  package init(appName: String, now: Instant, timeZone: String, start: Instant, end: Instant) {
    self.appName = appName
    self.now = now
    self.timeZone = timeZone
    self.start = start
    self.end = end
  }

  package var length: Duration { end - start }

  /// The start of the period of the same length just before this one.
  package var previousStart: Instant { start - length }
}
