package import Model

extension ReportCalendar {
  /// The hours of the week that the span from `start` to `end` (exclusive) touches: by weekday (0
  /// for Monday), then hour.
  ///
  /// Quarters of an hour that begin within one of the `gaps` do not count.
  package func hoursOfWeek(
    from start: Instant, to end: Instant, without gaps: [Range<Instant>] = []
  ) -> [[Bool]] {
    var touched = Array(repeating: Array(repeating: false, count: 24), count: 7)
    var left = 7 * 24
    var at = start
    // Zones differ by quarters of an hour, and clocks change by less than an hour in some.
    while at < end, left > 0 {
      let local = localTime(at)
      if !gaps.contains(where: { $0.contains(at) }), !touched[local.day.weekday - 1][local.hour] {
        touched[local.day.weekday - 1][local.hour] = true
        left -= 1
      }
      at = at + .seconds(900)
    }
    return touched
  }
}
