package import Model

/// Instants and periods in words, in the report's time zone.
package struct TimeWords: Sendable {
  package let calendar: ReportCalendar
  package let now: Instant

  package init(context: ReportContext) {
    calendar = ReportCalendar(timeZone: context.timeZone)
    now = context.now
  }

  package init(timeZone: String, now: Instant) {
    calendar = ReportCalendar(timeZone: timeZone)
    self.now = now
  }

  /// `05:33` of today, `Sun 1 Mar, 05:33` of another day.
  func clock(_ instant: Instant) -> String {
    let local = calendar.localTime(instant)
    guard local.day != calendar.day(of: now) else { return local.clock }
    return "\(local.day.weekdayName) \(local.day.short), \(local.clock)"
  }

  /// `2 Mar 2026, 07:30`.
  package func dateAndTime(_ instant: Instant) -> String {
    let local = calendar.localTime(instant)
    return "\(local.day.plain), \(local.clock)"
  }

  /// `3 hours ago`; `in 5 min` for an instant in the future.
  package func distance(to instant: Instant) -> String {
    let seconds = (now - instant).fractionalSeconds
    if seconds < 0 { return "in \(NumberWords.roughly(seconds: -seconds))" }
    return seconds < 60 ? "just now" : "\(NumberWords.roughly(seconds: seconds)) ago"
  }

  /// `Newest event: 3 hours ago`, or `Newest event: never`.
  func freshness(of data: Report.DataTime) -> String {
    "\(data.label): \(data.at.map(distance) ?? "never")"
  }

  /// `16 Feb – 1 Mar 2026 (14 days)` for whole days; both times for any other period.
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

}

/// The words for the head of a report, the same in HTML and in text.
struct ReportHeadWords {
  let report: Report
  let time: TimeWords

  var period: String { time.period(from: report.context.start, to: report.context.end) }

  /// The period that changes compare with; nil for a report without changes.
  var previousPeriod: String? {
    let hasChanges = report.shownCells.contains { cell in
      if case .change = cell { true } else { false }
    }
    guard hasChanges, let previous = report.context.comparison.main?.previous else { return nil }
    return time.period(from: previous.lowerBound, to: previous.upperBound)
  }

  /// Whose events are counted, and whether pseudonyms replace names; nil for everybody by name.
  var people: String? {
    let scope = report.name.followsScope ? report.context.scope : nil
    let words = [
      scope.map { "profile \(VisibleText.clipped($0, to: 60)) alone" },
      report.context.isAnonymous ? "under pseudonyms" : nil,
    ].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  var timeZone: String { time.calendar.knowsZone ? report.context.timeZone : "UTC" }
}

extension Report.Name {
  /// Whether the report can count one profile alone: docs/reports.md#options.
  fileprivate var followsScope: Bool {
    switch self {
    case .index, .usage, .ratings: true
    case .money, .limits, .popups, .users, .runs, .own, .search, .history: false
    }
  }
}
