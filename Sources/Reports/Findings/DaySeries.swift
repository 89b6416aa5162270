import Model

/// A figure of each day of an app, and how it is judged by other days: docs/findings.md#anomalies.
struct DaySeries: Hashable, Sendable {
  /// In the ids of findings: `subscription-taps`.
  let name: String
  /// At the beginning of a sentence: `Subscription taps`.
  let title: String
  let unit: Evidence.Unit
  let place: (report: Report.Name, section: String)
  /// Those that move together are one finding.
  let topic: Detection.Topic
  /// The export brings most; the program counts reads and users online itself.
  private(set) var comesByExport = true
  /// More use is good news; more reads are not.
  private(set) var good = Detection.Direction.rose
  /// What to do about a day that fell, and about one that rose.
  private(set) var advice = (fell: "", rose: "")
  private let read: @Sendable (DayFacts) -> Sample?

  /// The figure of a day.
  struct Sample {
    var value: Double
    /// What a share or a mean is of; 0 for counts.
    var whole = 0
  }

  static let people = count("people", "People", .people, .use, useAdvice) { $0.activeUsers }
  static let taps = count("taps", "Taps", .taps, .use, useAdvice) { $0.taps }
  static let exportLines = count("export-lines", "Export lines", .lines, .use, useAdvice) {
    $0.exportLines
  }
  static let subscriptionTaps = count(
    "subscription-taps", "Subscription taps", .taps, .subscriptionTaps,
    (popupAdvice, popupAdvice), at: (.usage, PeopleFunnel.id)
  ) { $0.subscriptionTaps }
  static let newSubscribers = count(
    "new-subscribers", "New subscribers", .people, .sales, at: (.usage, PeopleFunnel.id)
  ) { $0.newSubscribers }
  static let newPeople = count("new-people", "New people", .people, .newPeople) { $0.newcomers }
  static let blockedPeople = count("blocked-people", "People at the limit", .people, .blocks) {
    $0.blockedUsers
  }
  static let blockedShare: DaySeries = {
    let advice = "Look at the limits in force and at who was blocked."
    var series = DaySeries(
      name: "blocked-share", title: "Blocked share", unit: .percent, place: (.usage, "features"),
      topic: .blocks, advice: (advice, advice)
    ) { day in
      day.freeTaps < fewestTaps
        ? nil
        : Sample(
          value: Double(day.freeBlocked) / Double(day.freeTaps), whole: day.freeTaps)
    }
    series.good = .fell
    return series
  }()
  static let reads: DaySeries = {
    let advice = "See which job read: `firetally runs`; bound it with `max_reads`."
    var series = DaySeries(
      name: "reads", title: "Billed reads", unit: .reads, place: (.runs, "days"), topic: .reads,
      advice: (advice, advice)
    ) { Sample(value: Double($0.reads)) }
    (series.comesByExport, series.good) = (false, .fell)
    return series
  }()
  static let stars: DaySeries = {
    let advice = "Read the newest feedback, and compare the versions."
    return DaySeries(
      name: "mean-stars", title: "Mean stars", unit: .stars, place: (.ratings, "weeks"),
      topic: .stars, advice: (advice, advice)
    ) { day in
      let mean = StarCounts(day.stars).mean
      return mean.count < fewestRatings ? nil : Sample(value: mean.exact, whole: mean.count)
    }
  }()
  /// Users online at the last load of a day, and at the last one up to this hour of it.
  static let online = loaded("online") { $0.onlineNow }
  static let onlineByNow = loaded("online-by-now") { $0.onlineByNow }

  /// The series whose unusual days are findings; of others only tiles show what is usual.
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
  private static let popupAdvice = "Look at the popups and the price that people saw."
  private static let useAdvice = (
    fell: "Look for a release, a changed setting or a missing export of that day.",
    rose: "Look for where the people come from: a campaign, a feature, a country."
  )

  private static func count(
    _ name: String, _ title: String, _ unit: Evidence.Unit, _ topic: Detection.Topic,
    _ advice: (fell: String, rose: String) = ("", ""),
    at place: (report: Report.Name, section: String) = (.usage, UsageDays.id),
    _ count: @escaping @Sendable (DayFacts) -> Int
  ) -> DaySeries {
    DaySeries(name: name, title: title, unit: unit, place: place, topic: topic, advice: advice) {
      Sample(value: Double(count($0)))
    }
  }

  private static func loaded(
    _ name: String, _ count: @escaping @Sendable (DayFacts) -> Int?
  ) -> DaySeries {
    var series = DaySeries(
      name: name, title: "Online", unit: .people, place: (.users, UsersReport.onlineId), topic: .use
    ) { count($0).map { Sample(value: Double($0)) } }
    series.comesByExport = false
    return series
  }

  static func == (left: DaySeries, right: DaySeries) -> Bool { left.name == right.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// Nil when the day says too little.
  func sample(of day: DayFacts) -> Sample? { read(day) }

  /// The standard deviation that chance alone gives a sample around an expected number.
  func chance(around expected: Double, _ sample: Sample) -> Double {
    guard !isCount else { return max(expected, 1).squareRoot() }
    let variance =
      self == .stars
      ? Self.starDeviation * Self.starDeviation : max(expected * (1 - expected), 0.01)
    return (variance / Double(sample.whole)).squareRoot()
  }

  /// The least difference from an expected number that matters to a person; `floor` is that of
  /// counts.
  func leastDifference(around expected: Double, floor: Double = leastCount) -> Double {
    guard isCount else { return self == .stars ? 0.4 : 0.05 }
    return self == .reads ? max(100, expected * 3 / 10) : max(floor, expected / 5)
  }

  var isCount: Bool { self != .blockedShare && self != .stars }

  /// The most that it can be.
  var most: Double { isCount ? .infinity : self == .stars ? 5 : 1 }

  /// The factor from a value to the number in its unit: shares are shown in percent.
  var scale: Double { self == .blockedShare ? 100 : 1 }

  /// Whether those that fall, or rise, on one day are one finding of usage.
  var joinsUsageFinding: Bool { isCount && comesByExport }

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
    guard series != .reads || days.firstReadDay.map({ day >= $0 }) ?? false else { return nil }
    return series.sample(of: days[day])
  }
}

extension [DayFacts] {
  /// The place of the first day with a billed read, before which the program was not in use; nil
  /// without one.
  var firstReadDay: Int? { firstIndex { $0.reads > 0 } }
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
