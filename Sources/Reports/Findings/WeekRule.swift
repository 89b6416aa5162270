import Foundation
import Model

/// Judges seven days, or fourteen, against the four weeks before: docs/findings.md#weeks.
///
/// The counts are taken for quasi-Poisson: their variance is their mean times a dispersion that the
/// four weeks show. Their roots are compared, whose variance is the same for all means:
/// F. J. Anscombe, The transformation of Poisson, binomial and negative-binomial data, 1948.
struct WeekRule {
  static let week = 7
  /// Weeks that are compared with.
  static let weeks = 4
  /// Known days that a week needs, and known weeks before it.
  static let fewestDays = 5
  static let fewestWeeks = 3
  /// Deviations for a fall, and for a rise.
  static let fall = 2.9
  static let rise = 4.0
  /// The least change that matters, in parts of what is expected.
  static let leastPart = 0.2
  /// The least difference of a count that matters.
  static let leastDifference = 7.0
  /// What weeks vary beyond the days in them, in parts of what is expected.
  static let wander = 0.06
  /// What Anscombe adds to a count.
  private static let added = 0.375

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
    guard first > 0,
      let now = mean(series.counts, first...day, fewest: Self.fewestDays * weeks)
    else { return nil }
    let starts = (1...Self.weeks).map { first - $0 * Self.week }
      .filter { $0 >= max(days.firstWhole, series.firstDay) }
    let means = starts.compactMap { start in
      mean(series.counts, start...(start + Self.week - 1), fewest: Self.fewestDays)
    }
    guard means.count >= Self.fewestWeeks else { return nil }
    let people = series.isByPerson ? partOfPeople(in: first...day, weeks: starts) : 1
    let usual = means.mean * people
    let (whole, count) = (usual * Double(length), now * Double(length))
    let least = max(Self.leastPart * whole, ownFloor ?? Self.leastDifference)
    guard abs(count - whole) >= least else { return nil }
    let isFall = count < whole
    guard isFall ? now < (means.min() ?? 0) : now > (means.max() ?? 0) else { return nil }
    // A day with half of the people is half a day.
    let lengthBefore = Double(Self.week * means.count)
    let before = ((means.mean * lengthBefore + Self.added) / lengthBefore).squareRoot()
    let lengthNow = Double(length) * people
    let dispersion =
      series.weekFactor * series.dispersion(days, before: first)
      + whole * Self.wander * Self.wander / (1 + Double(weeks) / Double(means.count))
    let deviation = (dispersion * (1 / lengthNow + 1 / lengthBefore)).squareRoot() / 2
    let distance = abs(((count + Self.added) / lengthNow).squareRoot() - before) / deviation
    let bound = isFall ? Self.fall : Self.rise
    guard distance >= bound else { return nil }
    func expected(_ root: Double) -> Double {
      let count = max(0, root) * max(0, root) * lengthNow - Self.added
      return max(0, count / Double(length))
    }
    return Change(
      direction: isFall ? .fell : .rose, count: now,
      expected: expected(before - bound * deviation)...expected(before + bound * deviation),
      usual: usual, dayCount: length, distance: distance)
  }

  /// How many people came in a span, as a part of those of the weeks that begin on some days.
  private func partOfPeople(in span: ClosedRange<Int>, weeks starts: [Int]) -> Double {
    let counts = days.days.map(\.activeUsers)
    let before = starts.compactMap { start in
      mean(counts, start...(start + Self.week - 1), fewest: Self.fewestDays)
    }.mean
    guard before > 0, let now = mean(counts, span, fewest: Self.fewestDays), now > 0 else {
      return 1
    }
    return now / before
  }

  /// The mean of a day, each weekday having the same weight; nil when too few days are known.
  private func mean(_ counts: [Int], _ span: ClosedRange<Int>, fewest: Int) -> Double? {
    let known = span.filter { days.isUsual[$0] }
    guard known.count >= fewest else { return nil }
    let kinds = [true, false].compactMap { isWeekend -> (mean: Double, share: Double)? in
      let values = known.filter { days.isWeekend[$0] == isWeekend }.map { Double(counts[$0]) }
      return values.isEmpty ? nil : (values.mean, isWeekend ? 2.0 / 7 : 5.0 / 7)
    }
    return kinds.reduce(0) { $0 + $1.mean * $1.share } / kinds.reduce(0) { $0 + $1.share }
  }
}
