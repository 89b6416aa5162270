/// Judges seven days, or fourteen, against the four weeks before: docs/findings.md#weeks.
///
/// The counts are taken for quasi-Poisson: their variance is their mean times a dispersion that the
/// four weeks show.
struct WeekRule {
  static let week = 7
  /// Weeks that are compared with.
  static let weeks = 4
  /// Known days that a week needs, and known weeks before it.
  static let fewestDays = 5
  static let fewestWeeks = 3
  /// Deviations for a fall, and for a rise.
  static let fall = 2.6
  static let rise = 4.0
  /// The least change that matters, in parts of what is expected.
  static let leastPart = 0.2
  /// The least difference of a count that matters.
  static let leastDifference = 7.0
  /// What weeks vary beyond the days in them, in parts of what is expected.
  static let wander = 0.06

  let days: JudgedDays
  /// Replaces `leastDifference`; nil leaves it.
  var ownFloor: Double?

  struct Change: Hashable {
    let direction: Detection.Direction
    /// The mean of a day now, and what is expected of it.
    let count: Double
    let expected: ClosedRange<Double>
    let usual: Double
    /// The length of what was judged.
    let dayCount: Int
    let distance: Double
  }

  /// Nil for a week like others, or when too little is known.
  func change(of series: CountSeries, on day: Int) -> Change? {
    change(of: series, on: day, weeks: 1) ?? change(of: series, on: day, weeks: 2)
  }

  private func change(of series: CountSeries, on day: Int, weeks: Int) -> Change? {
    let length = weeks * Self.week
    let first = day - length + 1
    guard first > 0, let now = mean(series, first...day, fewest: Self.fewestDays * weeks) else {
      return nil
    }
    let means = (1...Self.weeks).compactMap { back -> Double? in
      let start = first - back * Self.week
      guard start >= max(days.firstWhole, series.firstDay) else { return nil }
      return mean(series, start...(start + Self.week - 1), fewest: Self.fewestDays)
    }
    guard means.count >= Self.fewestWeeks else { return nil }
    let usual = means.mean
    let dispersion = series.dispersion(days, before: first)
    let whole = usual * Double(length)
    let variance =
      dispersion * whole * (1 + Double(weeks) / Double(means.count))
      + whole * whole * Self.wander * Self.wander
    let deviation = max(variance, 1).squareRoot()
    let distance = (now * Double(length) - whole) / deviation
    let least = max(Self.leastPart * whole, ownFloor ?? Self.leastDifference)
    guard abs(now * Double(length) - whole) >= least else { return nil }
    let isFall = distance < 0
    guard
      isFall
        ? distance <= -Self.fall && now < (means.min() ?? 0)
        : distance >= Self.rise && now > (means.max() ?? 0)
    else { return nil }
    let reach = (isFall ? Self.fall : Self.rise) * deviation / Double(length)
    return Change(
      direction: isFall ? .fell : .rose, count: now,
      expected: max(0, usual - reach)...(usual + reach),
      usual: usual, dayCount: length, distance: abs(distance))
  }

  /// The mean of a day, each weekday having the same weight; nil when too few days are known.
  private func mean(_ series: CountSeries, _ span: ClosedRange<Int>, fewest: Int) -> Double? {
    let known = span.filter { days.isUsual[$0] }
    guard known.count >= fewest else { return nil }
    let kinds = [true, false].compactMap { isWeekend -> (mean: Double, share: Double)? in
      let values = known.filter { days.isWeekend[$0] == isWeekend }.map {
        Double(series.counts[$0])
      }
      return values.isEmpty ? nil : (values.mean, isWeekend ? 2.0 / 7 : 5.0 / 7)
    }
    return kinds.reduce(0) { $0 + $1.mean * $1.share } / kinds.reduce(0) { $0 + $1.share }
  }
}

/// Finds what falls by a little every day: docs/findings.md#drift.
///
/// A line through the logarithms of 14, 21 or 28 days, by weighted least squares; days vary by the
/// dispersion around it.
struct DriftRule {
  static let lengths = [14, 21, 28]
  /// Deviations of the slope.
  static let deviations = 4.0
  /// The least fall of a day, and of all days together.
  static let leastSlope = 0.01
  static let leastFall = 0.18
  /// The least mean of a day.
  static let floor = 8.0
  /// Usual days before, from which the weekdays' shares are taken.
  static let fewestBefore = 14

  let days: JudgedDays
  /// Replaces `floor`; nil leaves it.
  var ownFloor: Double?

  struct Drift: Hashable {
    let dayCount: Int
    /// What is lost in a day, in parts.
    let slope: Double
    /// The fitted means of the first and the last day.
    let first: Double
    let last: Double
    let distance: Double
  }

  /// Nil without a drift, or when too little is known.
  func drift(of series: CountSeries, on day: Int) -> Drift? {
    Self.lengths.compactMap { drift(of: series, on: day, length: $0) }
      .max { $0.distance < $1.distance }
  }

  private func drift(of series: CountSeries, on day: Int, length: Int) -> Drift? {
    let first = day - length + 1
    guard first - Self.fewestBefore >= max(days.firstWhole, series.firstDay) else { return nil }
    let known = (first...day).filter { days.isUsual[$0] }
    guard known.count * 5 >= length * 4 else { return nil }
    let weekdays = weekdayShares(of: series, before: day + 1)
    let values = known.map { Double(series.counts[$0]) / weekdays[$0 % 7] }
    guard values.mean >= ownFloor ?? Self.floor else { return nil }
    let fit = LinearFit(zip(known, values).map { (Double($0 - first), $1) })
    let total = 1 - (fit.slope * Double(length - 1)).exponential
    guard -fit.slope >= Self.leastSlope, total >= Self.leastFall,
      fit.slope <= -Self.deviations * fit.deviation, !fit.isStep
    else { return nil }
    return Drift(
      dayCount: length, slope: -fit.slope, first: fit.start.exponential,
      last: (fit.start + fit.slope * Double(length - 1)).exponential,
      distance: -fit.slope / max(fit.deviation, .ulpOfOne))
  }

  /// What each weekday has of the mean of the week around it, by the index of a day modulo 7.
  private func weekdayShares(of series: CountSeries, before end: Int) -> [Double] {
    var shares: [[Double]] = Array(repeating: [], count: 7)
    for day in max(3, end - 56)..<max(3, end - 3) where days.isUsual[day] {
      let around = (day - 3...day + 3).filter { days.isUsual[$0] }
      let mean = around.map { Double(series.counts[$0]) }.mean
      if around.count == 7, mean > 0 { shares[day % 7].append(Double(series.counts[day]) / mean) }
    }
    return shares.map { $0.count < 2 ? 1 : max(0.1, $0.middleMean) }
  }
}
