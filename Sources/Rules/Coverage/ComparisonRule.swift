package import Model

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
    let uncovered = data.history.complete.first { day in
      day.coverage != .whole
        && [pair.previous, pair.current].contains { $0.overlaps(day.start..<day.end) }
    }
    return uncovered.map { .missingLines($0.start) }
  }
}
