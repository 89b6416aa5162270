package import Model

/// Instants and periods in words, in the report's time zone.
package struct TimeWords: Sendable {
  package let calendar: ReportCalendar
  package let now: Instant

  package init(frame: ReportFrame) {
    calendar = ReportCalendar(timeZone: frame.timeZone)
    now = frame.now
  }

  /// `2 Mar 2026, 07:30`.
  package func dateAndTime(_ instant: Instant) -> String {
    let local = calendar.localTime(instant)
    return "\(local.day.plain), \(clock(local))"
  }

  /// `3 hours ago`; `in 5 min` for what is still to come.
  package func distance(to instant: Instant) -> String {
    let seconds = (now - instant).fractionalSeconds
    if seconds < 0 { return "in \(NumberWords.roughly(seconds: -seconds))" }
    return seconds < 60 ? "just now" : "\(NumberWords.roughly(seconds: seconds)) ago"
  }

  /// `16 Feb – 1 Mar 2026 (14 days)`, whole days; with times when the period is not made of days.
  package func period(from start: Instant, to end: Instant) -> String {
    let first = calendar.localTime(start)
    let after = calendar.localTime(end)
    let days = calendar.days(from: start, to: end)
    guard first.hour + first.minute + after.hour + after.minute == 0, let last = days.last else {
      return "\(dateAndTime(start)) – \(dateAndTime(end))"
    }
    let count = NumberWords.counted(days.count, "day")
    if first.day == last { return "\(first.day.plain) (1 day)" }
    let from = first.day.year == last.year ? first.day.short : first.day.plain
    return "\(from) – \(last.plain) (\(count))"
  }

  private func clock(_ local: ReportCalendar.LocalTime) -> String {
    "\(CivilDay.twoDigits(local.hour)):\(CivilDay.twoDigits(local.minute))"
  }
}
