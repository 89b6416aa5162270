import Model

/// A figure of each day that is judged by the same weekdays before it: docs/findings.md#anomalies.
enum DaySeries: String {
  case people, taps
  case blockedShare = "blocked-share"
  case subscriptionTaps = "subscription-taps"
  case stars = "mean-stars"
  case reads
  case exportLines = "export-lines"
  /// People who hit a limit, and people who bought: only tiles show what is usual of them.
  case blockedPeople = "blocked-people"
  case newSubscribers = "new-subscribers"
  /// Users online at the last load of a day, and at the last one up to this hour of it.
  case online
  case onlineByNow = "online-by-now"

  /// The series whose unusual days are findings.
  static let judged: [DaySeries] = [
    .people, .taps, .blockedShare, .subscriptionTaps, .stars, .reads, .exportLines,
  ]

  /// Taps that a share needs, and ratings that a mean needs.
  static let fewestTaps = 30
  static let fewestRatings = 8
  /// The floor of the rule `day`: counts that differ by fewer are alike.
  static let leastCount = 5.0
  /// The standard deviation of one person's stars, as of most apps; 2 would be the most possible.
  private static let starDeviation = 1.3

  /// The figure of a day.
  struct Sample {
    var value: Double
    /// What a share or a mean is of; 0 for counts.
    var whole = 0
  }

  /// Nil when the day says too little.
  func sample(of day: DayFacts) -> Sample? {
    switch self {
    case .people: return Sample(value: Double(day.activeUsers))
    case .taps: return Sample(value: Double(day.taps))
    case .subscriptionTaps: return Sample(value: Double(day.subscriptionTaps))
    case .reads: return Sample(value: Double(day.reads))
    case .exportLines: return Sample(value: Double(day.exportLines))
    case .blockedPeople: return Sample(value: Double(day.blockedUsers))
    case .newSubscribers: return Sample(value: Double(day.newSubscribers))
    case .online: return day.onlineNow.map { Sample(value: Double($0)) }
    case .onlineByNow: return day.onlineByNow.map { Sample(value: Double($0)) }
    case .blockedShare:
      guard day.freeTaps >= Self.fewestTaps else { return nil }
      return Sample(value: Double(day.freeBlocked) / Double(day.freeTaps), whole: day.freeTaps)
    case .stars:
      let mean = StarCounts(day.stars).mean
      guard mean.count >= Self.fewestRatings else { return nil }
      return Sample(value: mean.exact, whole: mean.count)
    }
  }

  /// The standard deviation that chance alone gives a sample around an expected number.
  func chance(around expected: Double, _ sample: Sample) -> Double {
    switch self {
    case .people, .taps, .subscriptionTaps, .reads, .exportLines, .blockedPeople, .newSubscribers,
      .online, .onlineByNow:
      return max(expected, 1).squareRoot()
    case .blockedShare:
      return (max(expected * (1 - expected), 0.01) / Double(sample.whole)).squareRoot()
    case .stars: return Self.starDeviation / Double(sample.whole).squareRoot()
    }
  }

  /// The least difference from an expected number that matters to a person; `floor` is that of
  /// counts.
  func leastDifference(around expected: Double, floor: Double = leastCount) -> Double {
    switch self {
    case .people, .taps, .subscriptionTaps, .exportLines, .blockedPeople, .newSubscribers, .online,
      .onlineByNow:
      max(floor, expected / 5)
    case .reads: max(100, expected * 3 / 10)
    case .blockedShare: 0.05
    case .stars: 0.4
    }
  }

  var isCount: Bool { self != .blockedShare && self != .stars }

  /// Whether the export brings what it counts; the program counts reads and users online itself.
  var comesByExport: Bool { self != .reads && self != .online && self != .onlineByNow }

  /// The most that it can be.
  var most: Double { self == .stars ? 5 : self == .blockedShare ? 1 : .infinity }

  /// Whether those that fall, or rise, on one day are one finding of usage.
  var joinsUsageFinding: Bool { isCount && comesByExport }

  /// Those that move together are one finding.
  var topic: Detection.Topic {
    switch self {
    case .people, .taps, .exportLines, .online, .onlineByNow: .use
    case .subscriptionTaps: .subscriptionTaps
    case .blockedShare, .blockedPeople: .blocks
    case .newSubscribers: .sales
    case .stars: .stars
    case .reads: .reads
    }
  }

  var title: String { description.title }

  var place: (report: Report.Name, section: String) {
    (description.report, description.section)
  }

  /// Shares are shown in percent.
  var unit: Evidence.Unit { description.unit }

  /// Its name, the section that shows it, and its unit.
  private var description:
    (title: String, report: Report.Name, section: String, unit: Evidence.Unit)
  {
    switch self {
    case .people: ("People", .usage, UsageDays.id, .people)
    case .taps: ("Taps", .usage, UsageDays.id, .taps)
    case .blockedShare: ("Blocked share", .usage, "features", .percent)
    case .subscriptionTaps: ("Subscription taps", .usage, PeopleFunnel.id, .taps)
    case .stars: ("Mean stars", .ratings, "weeks", .stars)
    case .reads: ("Billed reads", .runs, "days", .reads)
    case .exportLines: ("Export lines", .usage, UsageDays.id, .lines)
    case .blockedPeople: ("People at the limit", .usage, UsageDays.id, .people)
    case .newSubscribers: ("New subscribers", .usage, UsageDays.id, .people)
    case .online, .onlineByNow: ("Online", .users, UsersReport.onlineId, .people)
    }
  }

  /// The factor from a value to the number in its unit.
  var scale: Double { self == .blockedShare ? 100 : 1 }

  func evidence(_ anomaly: DayAnomaly, on day: String) -> Evidence {
    let range = anomaly.expected
    return Evidence(
      "\(title) on \(day)", anomaly.value * scale, unit,
      expected: (range.lowerBound * scale)...(range.upperBound * scale),
      comparedDays: anomaly.comparedDays)
  }
}

/// A day whose figure lies outside of what the same weekdays before it let expect.
struct DayAnomaly: Hashable {
  let series: DaySeries
  let direction: Detection.Direction
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
  /// What eight of ten such days have, as people recognise it; within `expected`.
  let usual: ClosedRange<Double>
  /// How many of the six same weekdays are known.
  let comparedDays: Int

  /// Nil for a figure that is expected.
  var direction: Detection.Direction? { expected.direction(of: value) }
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
    DaySeries.judged.compactMap { series in
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
    guard let expected = rule.expected else { return nil }
    return DayBand(
      value: sample.value, median: rule.median, expected: series.shown(expected),
      usual: series.shown(rule.usual.clamped(to: expected)),
      comparedDays: rule.references.count)
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
  fileprivate func direction(of value: Double) -> Detection.Direction? {
    if value < lowerBound { return .fell }
    return value > upperBound ? .rose : nil
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
