/// Judges a number of a day by those of the same weekdays before it: docs/findings.md#anomalies.
struct AnomalyRule {
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

  /// Deviations within which eight of ten numbers of a normal distribution lie.
  private static let usualDeviations = 1.2816

  private var deviation: Double {
    let median = median
    let spread = Self.normalScale * references.map { abs($0 - median) }.median
    return max(spread, leastDeviation(median))
  }

  /// What eight of ten such days have.
  var usual: ClosedRange<Double> {
    let (median, reach) = (median, Self.usualDeviations * deviation)
    return max(0, median - reach)...(median + reach)
  }

  /// The numbers that are not an anomaly, both ends included; nil with too few same weekdays.
  var expected: ClosedRange<Double>? {
    guard references.count >= Self.fewestDays else { return nil }
    let (median, deviation) = (median, deviation)
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
  func direction(of value: Double) -> Detection.Direction? {
    expected.flatMap { $0.direction(of: value) }
  }
}

extension ClosedRange<Double> {
  /// Nil for a number within.
  func direction(of value: Double) -> Detection.Direction? {
    if value < lowerBound { return .fell }
    return value > upperBound ? .rose : nil
  }
}
