import Model

/// A day whose figure lies outside of what the same weekdays before it let expect.
struct DayAnomaly: Hashable {
  let series: DaySeries
  let direction: AnomalyRule.Direction
  let value: Double
  let median: Double
  let expected: ClosedRange<Double>
  let comparedDays: Int
  /// The index of the first of the days in a row that are like it.
  var firstDay: Int

  /// How far it lies outside, in parts of the reach of what is expected.
  var distance: Double {
    let reach = max(expected.upperBound - median, .ulpOfOne)
    return abs(value - median) / reach
  }

  /// The value as a part of the median; 1 when both are 0.
  var part: Double { median > 0 ? value / median : value > 0 ? .infinity : 1 }
}

/// The figure of a day, and what the same weekdays before it let expect.
struct DayBand: Hashable {
  let value: Double
  let median: Double
  /// Both ends are no anomaly; counts have whole numbers as ends.
  let expected: ClosedRange<Double>
  /// How many of the six same weekdays are known.
  let comparedDays: Int

  /// Nil for a figure that is expected.
  var direction: AnomalyRule.Direction? {
    if value < expected.lowerBound { return .fell }
    return value > expected.upperBound ? .rose : nil
  }
}

extension DaySeries {
  /// What is expected, as it is shown: never more than can be, and whole numbers for counts, the
  /// first and the last that are expected.
  fileprivate func shown(_ expected: ClosedRange<Double>) -> ClosedRange<Double> {
    let high = min(expected.upperBound, most)
    let low = min(expected.lowerBound, high)
    guard isCount else { return low...high }
    let least = low.rounded(.up)
    return least...max(least, high.rounded(.down))
  }
}

/// Judges the days of a history, each by the days before it alone.
struct DayAnomalies {
  /// Complete days, oldest first, without a day left out: seven back is the same weekday.
  let days: [DayFacts]
  /// What the owner decides: which days are quiet, and the least difference of a count.
  let settings: FindingSettings
  /// By index of `days`, whether it is neither judged nor compared with.
  private let quiet: [Bool]

  private static let week = 7
  /// The days from which the usual unrest of a series is taken.
  private static let unrestDays = week * AnomalyRule.comparedDays
  /// Deviations from medians of six are smaller than from a known mean.
  private static let smallSampleScale = 1.25

  /// Of days that are not over only what loads of users bring can be judged.
  init(
    _ days: some Sequence<DayFacts>, settings: FindingSettings = FindingSettings(),
    calendar: ReportCalendar
  ) {
    self.days = Array(days)
    self.settings = settings
    quiet = self.days.map { settings.isQuiet(calendar.day(of: $0.start).iso8601) }
  }

  func isQuiet(_ day: Int) -> Bool { quiet[day] }

  /// The anomalies of a day, with the first of the days in a row that had the same.
  func all(on day: Int) -> [DayAnomaly] {
    DaySeries.found.compactMap { series in
      guard var anomaly = anomaly(of: series, on: day) else { return nil }
      // Quiet days say nothing, also not that it was over.
      for earlier in (0..<day).reversed() where !isQuiet(earlier) {
        guard self.anomaly(of: series, on: earlier)?.direction == anomaly.direction else { break }
        anomaly.firstDay = earlier
      }
      return anomaly
    }
  }

  /// Nil for a day like others, and when too little is known.
  func anomaly(
    of series: DaySeries, on day: Int, beyond deviations: Double = AnomalyRule.threshold
  ) -> DayAnomaly? {
    guard let sample = known(series, day) else { return nil }
    // Unrest only widens what is expected, and takes much longer to find.
    let calm = rule(of: series, on: day, sample, unrest: 1, beyond: deviations)
    guard calm.direction(of: sample.value) != nil else { return nil }
    guard let band = band(of: series, on: day, beyond: deviations), let direction = band.direction
    else { return nil }
    return DayAnomaly(
      series: series, direction: direction, value: band.value, median: band.median,
      expected: band.expected, comparedDays: band.comparedDays, firstDay: day)
  }

  /// What the same weekdays before a day let expect of it, for the finding, the tile and the
  /// drawing alike; nil when too little is known.
  func band(
    of series: DaySeries, on day: Int, beyond deviations: Double = AnomalyRule.threshold
  ) -> DayBand? {
    guard let sample = known(series, day) else { return nil }
    let rule = rule(
      of: series, on: day, sample, unrest: unrest(of: series, before: day), beyond: deviations)
    return rule.expected.map { expected in
      DayBand(
        value: sample.value, median: rule.median, expected: series.shown(expected),
        comparedDays: rule.references.count)
    }
  }

  private func rule(
    of series: DaySeries, on day: Int, _ sample: DaySeries.Sample, unrest: Double,
    beyond deviations: Double
  ) -> AnomalyRule {
    let floor = settings.floor(of: .day, own: DaySeries.leastCount)
    return AnomalyRule(
      references: sameWeekdays(before: day).compactMap { reference(series, $0)?.value },
      leastDeviation: { unrest * series.chance(around: $0, sample) },
      leastDifference: { series.leastDifference(around: $0, floor: floor) },
      canCollapse: series.isCount, deviations: deviations)
  }

  func sameWeekdays(before day: Int) -> [Int] {
    (1...AnomalyRule.comparedDays).map { day - $0 * Self.week }.filter { $0 >= 0 }
  }

  /// How much more the series varies from week to week than chance alone would; at least 1.
  private func unrest(of series: DaySeries, before day: Int) -> Double {
    let span = max(0, day - Self.unrestDays)..<day
    var byWeekday: [Int: [DaySeries.Sample]] = [:]
    for index in span {
      if let sample = reference(series, index) {
        byWeekday[index % Self.week, default: []].append(sample)
      }
    }
    let residuals = byWeekday.values.flatMap { samples -> [Double] in
      guard samples.count >= AnomalyRule.fewestDays else { return [] }
      let median = samples.map(\.value).median
      return samples.map { abs($0.value - median) / series.chance(around: median, $0) }
    }
    return max(1, AnomalyRule.normalScale * Self.smallSampleScale * residuals.median)
  }

  /// The figure of a day, unless nothing of the day is known.
  private func known(_ series: DaySeries, _ day: Int) -> DaySeries.Sample? {
    guard !isQuiet(day), !series.comesByExport || days[day].coverage != .none else { return nil }
    return series.sample(of: days[day])
  }

  /// The figure of a day that others may be compared with.
  private func reference(_ series: DaySeries, _ day: Int) -> DaySeries.Sample? {
    guard !isQuiet(day), !series.comesByExport || days[day].isUndisturbed else { return nil }
    guard series != .reads || day >= firstReadDay else { return nil }
    return series.sample(of: days[day])
  }

  /// Before it the program was not in use.
  private var firstReadDay: Int { days.firstIndex { $0.reads > 0 } ?? days.count }
}

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
