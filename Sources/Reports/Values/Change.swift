/// A number beside the same number of the previous period of the same length.
package struct Change: Hashable, Sendable {
  package var current: Int
  package var previous: Int

  package init(from previous: Int, to current: Int) {
    self.current = current
    self.previous = previous
  }

  package var difference: Int { current - previous }

  /// The difference in whole percents of the previous number.
  ///
  /// Nil when the previous number is too small to be a base: docs/reports.md#small-counts.
  package var percent: Double? {
    guard previous >= Ratio.smallWhole else { return nil }
    // Adding 0 turns the -0 of a small loss into 0.
    return (100 * Double(difference) / Double(previous)).rounded() + 0
  }
}
