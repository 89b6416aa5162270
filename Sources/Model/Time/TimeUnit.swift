/// The unit that a number of a time seems to be in, since its instant is of our time.
package enum TimeUnit: Hashable, Sendable {
  case seconds, milliseconds, microseconds, nanoseconds

  /// From 2001-09-09, a billion seconds, to the year 2096: no unit's numbers are those of another.
  private static let believable: Range<Int64> = 1_000_000_000..<4_000_000_000

  /// Nil for a number that is of our time in none of the units.
  package init?(of number: Int64) {
    let units: [(TimeUnit, Int64)] = [
      (.seconds, 1), (.milliseconds, 1_000), (.microseconds, 1_000_000),
      (.nanoseconds, 1_000_000_000),
    ]
    guard let unit = units.first(where: { Self.believable.contains(number / $0.1) }) else {
      return nil
    }
    self = unit.0
  }

  /// The end of a sentence about a time in the wrong unit.
  package var hint: String { "; it looks like \(self)" }
}
