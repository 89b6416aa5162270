import Model

/// A period of which the ledger knows no day: docs/reports/days.md#coverage.
extension ReportContext {
  /// Whether every day of the period is unknown; counts of its events are then missing, not 0.
  var knowsNothing: Bool {
    let calendar = ReportCalendar(timeZone: timeZone)
    let days = calendar.days(from: start, to: end)
    return !days.isEmpty && Set(unknownDays.map(calendar.day(of:))).isSuperset(of: days)
  }

  /// What stands in the place of events when there is none: that the period is unknown, or the
  /// sentence, which is true when the ledger knows a day of it.
  func emptyText(_ sentence: String) -> String {
    knowsNothing ? "The ledger knows nothing of this period." : sentence
  }
}
