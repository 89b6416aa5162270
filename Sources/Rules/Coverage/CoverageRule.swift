package import Model

/// How much of a day the ledger knows: `docs/reports/days.md#coverage`.
package enum CoverageRule {
  /// A ledger that begins no later than this after midnight knows the whole day: nobody may have
  /// been awake.
  static let latestBegin = Duration.seconds(3_600)

  /// `begins` is the ledger's first instant; nil when it is empty.
  package static func coverage(
    of day: DayFacts, at now: Instant, ledgerBegins begins: Instant?, gaps: [ExportGap]
  ) -> DayFacts.Coverage {
    guard day.end <= now else { return .running }
    guard let begins, begins < day.end else { return .none }
    guard !gaps.contains(where: { $0.start < day.end && $0.end > day.start }) else {
      return day.exportLines == 0 ? .none : .partial
    }
    return begins > day.start + latestBegin ? .partial : .whole
  }
}
