/// How much of the running day the ledger knows: `docs/reports/days.md#comparisons`.
package enum TodayRule {
  package enum Extent: Hashable, Sendable {
    /// Up to now: no export brings the day.
    case now
    /// Up to the newest line of the export.
    case until(Instant)
    /// No line of the day has come.
    case nothing
  }

  /// An export brings the day when it brought the same weekday a week before.
  ///
  /// `newestLine` is the newest that came by import up to now; nil without one.
  package static func extent(of history: DayHistory, newestLine: Instant?) -> Extent {
    guard let today = history.today, history.days.count > 7,
      history.days[history.days.count - 8].exportLines > 0
    else { return .now }
    guard let newestLine, newestLine >= today.start else { return .nothing }
    return .until(newestLine)
  }
}
