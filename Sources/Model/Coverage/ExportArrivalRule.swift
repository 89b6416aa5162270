/// Until when lines of the export should be there, by the hours at which they came before:
/// `docs/reports/days.md#late-exports`.
///
/// Exports come once a day or more often. An export that comes later in the day than the report is
/// written is not lost.
package struct ExportArrivalRule: Sendable {
  /// Days on which an import brought lines, and that are looked at.
  static let fewestDays = 4
  static let mostDays = 14
  /// With so many days one arrival may be later than the usual time.
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
  /// `imports` are the starts of the runs that brought lines, oldest first; `newestLine` is the time
  /// of the newest line that came; days are those of `timeZone`.
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
    // An import at an unusual time may have brought an older day again, and tells of no export.
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
    let lacksEnd =
      day.exportLines == 0 || gaps.contains { $0.start < day.end && $0.end >= day.end }
    return lacksEnd && day.end - Self.quietEnd > expectedUntil
  }
}
