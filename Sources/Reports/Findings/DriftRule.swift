import Foundation
import Model

/// Finds what falls by a little every day: docs/findings.md#drift.
///
/// A line through the logarithms of the days that bends 14, 21 or 28 days ago; days vary by the
/// dispersion around it.
struct DriftRule {
  static let lengths = [14, 21, 28]
  /// Days before the bend that are looked at, at most and at least.
  static let longestBefore = 35
  static let fewestBefore = 14
  /// Deviations of the bend.
  static let deviations = 3.0
  /// The least fall of a day.
  static let leastSlope = 0.008
  /// The least mean of a day.
  static let floor = 8.0

  let days: JudgedDays
  /// Replaces `floor`; nil leaves it.
  var ownFloor: Double?

  struct Drift: Hashable {
    let dayCount: Int
    /// What is lost in a day, in parts.
    let slope: Double
    /// The fitted means of the day before the fall and of the last day.
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
    let begins = max(days.firstWhole, series.firstDay, first - Self.longestBefore)
    guard first - begins >= Self.fewestBefore else { return nil }
    let known = (begins...day).filter { days.isUsual[$0] }
    let falling = known.filter { $0 >= first }.count
    guard falling * 5 >= length * 4, (known.count - falling) * 5 >= Self.fewestBefore * 4 else {
      return nil
    }
    let weekdays = weekdayShares(of: series, before: day + 1)
    let values = known.map { Double(series.counts[$0]) / weekdays[$0 % 7] }
    guard values.suffix(falling).reduce(0, +) >= (ownFloor ?? Self.floor) * Double(falling) else {
      return nil
    }
    let line = BentLine(zip(known, values).map { (Double($0 - first), $1) })
    guard line.slope <= -Self.leastSlope, line.bend <= -Self.deviations * line.deviation,
      !line.isStep
    else { return nil }
    return Drift(
      dayCount: length, slope: -line.slope, first: exp(line.start),
      last: exp(line.start + line.slope * Double(length)),
      distance: -line.bend / max(line.deviation, .ulpOfOne))
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
