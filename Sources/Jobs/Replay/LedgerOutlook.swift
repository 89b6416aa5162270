import Feeds
import Model
import Rules
import Store

/// The newest attempts of the ledger under other limits, for the limits report.
enum LedgerOutlook {
  /// Events that are replayed at most, so that a report stays quick: docs/reports.md#what-if.
  static let mostEvents = 20_000

  /// Of a period from `start` (inclusive) to `end` (exclusive).
  static func make(
    _ reader: Reader, settings: Settings, from start: Instant, to end: Instant
  ) throws -> LimitOutlook {
    let newest = try reader.beginningOfFeatureEvents(newest: mostEvents, from: start, to: end)
    var comparison = LimitComparison(LimitOutlook.settings(around: settings))
    var uses: [FeatureUse] = []
    try reader.forEachFeatureUse(from: newest ?? start, to: end) { uses.append($0) }
    try LedgerAttempts(uses, users: UserTable()).forEach { comparison.take($0, of: $1) }
    return LimitOutlook(
      since: newest ?? start, isWholePeriod: newest == nil, comparison: comparison)
  }
}
