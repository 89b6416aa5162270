/// Judges a number of a day by those of the same weekdays before it: docs/findings.md#anomalies.
struct AnomalyRule {
  enum Direction: Hashable {
    case fell, rose
  }

  /// Deviations from the median beyond which a day is an anomaly.
  ///
  /// Seven series of thirty days are 210 judgements a month. At 4.5 they give at most 0.13 false
  /// alarms a series and month, whatever the size of the app: docs/decisions/032-findings.md.
  static let threshold = 4.5
  /// Deviations that suffice when the number is less than a third of the lowest same weekday.
  static let collapseThreshold = 3.0
  /// The same weekdays that a number is compared with, and the fewest that suffice.
  static let comparedDays = 6
  static let fewestDays = 4
  /// Makes the median absolute deviation of normal noise its standard deviation.
  static let normalScale = 1.4826

  /// The numbers of the same weekdays; at least `fewestDays`, or nothing is an anomaly.
  let references: [Double]
  /// The least deviation to assume around an expected number: pure chance, or the unrest of the
  /// series.
  let leastDeviation: (_ expected: Double) -> Double
  /// The least difference that matters to a person.
  let leastDifference: (_ expected: Double) -> Double
  /// Whether a number can collapse, as a count does in an outage.
  var canCollapse = true
  /// Deviations from the median that are still expected.
  var deviations = threshold

  var median: Double { references.median }

  /// The numbers that are no anomaly, both ends included; nil with too few same weekdays.
  var expected: ClosedRange<Double>? {
    guard references.count >= Self.fewestDays else { return nil }
    let median = median
    let spread = Self.normalScale * references.map { abs($0 - median) }.median
    let deviation = max(spread, leastDeviation(median))
    let reach = max(deviations * deviation, leastDifference(median))
    var low = median - reach
    if canCollapse, let lowest = references.min() {
      low = max(
        low,
        min(
          lowest / 3, median - Self.collapseThreshold * deviation,
          median - leastDifference(median)))
    }
    return max(0, low)...(median + reach)
  }

  /// Nil for a number that is expected, or when too little is known.
  func direction(of value: Double) -> Direction? {
    guard let expected else { return nil }
    if value < expected.lowerBound { return .fell }
    return value > expected.upperBound ? .rose : nil
  }
}

extension [Double] {
  /// The middle number, or the mean of the two in the middle; 0 of none.
  var median: Double {
    guard !isEmpty else { return 0 }
    let ordered = sorted()
    let middle = count / 2
    return count.isMultiple(of: 2) ? (ordered[middle - 1] + ordered[middle]) / 2 : ordered[middle]
  }
}
