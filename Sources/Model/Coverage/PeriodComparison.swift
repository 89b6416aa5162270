import FoundationEssentials

/// What the numbers of a period are compared with: `docs/reports/days.md#comparisons`.
///
/// A calendar month is compared with the one before it, other whole days with the same weekdays,
/// the running day with the same hours a week ago, and never one with the other.
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
  /// The running day up to the last full quarter of an hour that is known, with the same hours a
  /// week ago; nil for a period that is over.
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
    calendar.timeZone = TimeZone(knownOrUTC: timeZone)
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

/// Whether the ledger knows enough of two spans to compare them.
package enum ComparisonRule {
  /// Nil when every day of both spans is whole; the running day's part so far counts as whole.
  ///
  /// Days before the history count as whole when the ledger had begun.
  package static func fault(
    in pair: PeriodComparison.Pair, of history: DayHistory, ledgerBegins begins: Instant?
  ) -> ComparisonFault? {
    guard !history.days.isEmpty else { return nil }
    guard let begins else { return .emptyLedger }
    let start = min(pair.previous.lowerBound, pair.current.lowerBound)
    guard begins <= start + CoverageRule.latestBegin else { return .ledgerBegins(begins) }
    let uncovered = history.days.first { day in
      day.coverage != .whole && day.coverage != .running
        && [pair.previous, pair.current].contains { $0.overlaps(day.start..<day.end) }
    }
    return uncovered.map { $0.coverage == .awaited ? .awaited($0.start) : .missingLines($0.start) }
  }
}
