package import Model

/// The attempts of a time under the settings in force and under their neighbours.
package struct LimitOutlook: Sendable {
  /// Attempts from then on; they all begin with a full allowance.
  package let since: Instant
  /// Whether that is the whole period, and not only its newest part.
  package let isWholePeriod: Bool
  /// One column for each of `LimitScenario.allCases`.
  package let comparison: LimitComparison

  package init(since: Instant, isWholePeriod: Bool, comparison: LimitComparison) {
    self.since = since
    self.isWholePeriod = isWholePeriod
    self.comparison = comparison
  }

  /// The settings that the comparison was made with, in its order.
  package static func settings(around settings: Settings) -> [Settings] {
    LimitScenario.allCases.map { $0.settings(around: settings) }
  }
}
