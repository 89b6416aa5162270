/// A part of a whole, which never appears without that whole.
package struct Ratio: Hashable, Sendable {
  package var part: Int
  package var whole: Int

  package init(_ part: Int, of whole: Int) {
    self.part = part
    self.whole = whole
  }

  /// Below this many, a percentage is marked: docs/reports.md#small-counts.
  package static let smallWhole = 30

  package var isSmall: Bool { whole < Ratio.smallWhole }

  /// The percentage as every format gives it; nil of nothing.
  ///
  /// Whole percents, with one decimal below 10 and above 99. Only nothing is 0 and only everything
  /// is 100: docs/reports.md#percentages.
  package var percent: Double? {
    guard whole > 0 else { return nil }
    let exact = 100 * Double(part) / Double(whole)
    if part == 0 || part == whole { return exact }
    let finely = (exact * 10).rounded() / 10
    guard exact >= 9.95, exact <= 99 else {
      return part < whole ? min(max(finely, 0.1), 99.9) : finely
    }
    return exact.rounded()
  }

  /// The part as a share of the whole for drawing, 0 of nothing.
  package var share: Double {
    whole > 0 ? Double(part) / Double(whole) : 0
  }
}
