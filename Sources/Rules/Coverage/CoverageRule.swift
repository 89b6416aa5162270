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

/// Whether the ledger knows enough of two spans to compare them.
package enum ComparisonRule {
  /// Nil when every day of both spans is whole; the running day's part so far counts as whole.
  ///
  /// Days before the history count as whole when the ledger had begun.
  package static func fault(
    in pair: PeriodComparison.Pair, of data: UsageData
  ) -> ComparisonFault? {
    guard !data.history.days.isEmpty else { return nil }
    guard let begins = data.ledgerBeginsAt else { return .emptyLedger }
    let start = min(pair.previous.lowerBound, pair.current.lowerBound)
    guard begins <= start + CoverageRule.latestBegin else { return .ledgerBegins(begins) }
    let uncovered = data.history.days.first { day in
      day.coverage != .whole && day.coverage != .running
        && [pair.previous, pair.current].contains { $0.overlaps(day.start..<day.end) }
    }
    return uncovered.map { $0.coverage == .awaited ? .awaited($0.start) : .missingLines($0.start) }
  }
}
