package import Model

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
  /// Before midnight people may be asleep: a day without lines in its last hours is no late one.
  static let quietEnd = Duration.seconds(6 * 3_600)

  /// The time up to which lines should have come.
  let expectedUntil: Instant

  /// Nil while too few arrivals are known.
  ///
  /// `imports` are the starts of the runs that brought lines, oldest first; `newestLine` is the time
  /// of the newest line that came; days are those of `timeZone`.
  package init?(
    imports: [Instant], newestLine: Instant?, at now: Instant, timeZone: String
  ) {
    var delays: [String: Duration] = [:]
    for start in imports {
      let day = LocalDay(of: start, in: timeZone)
      delays[day.text] = min(delays[day.text] ?? .seconds(86_400), start - day.start)
    }
    let known = delays.sorted { $0.key < $1.key }.suffix(Self.mostDays).map(\.value).sorted()
    guard known.count >= Self.fewestDays, let last = imports.last, let newestLine else {
      return nil
    }
    let usual = known[known.count - (known.count >= Self.daysWithOutlier ? 2 : 1)]
    let today = LocalDay(of: now, in: timeZone)
    let yesterday = LocalDay(of: today.start - .microseconds(1), in: timeZone)
    let due = now >= today.start + usual ? today.start + usual : yesterday.start + usual
    expectedUntil = max(newestLine, due - (last - newestLine))
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
