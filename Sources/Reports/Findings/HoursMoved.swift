import Foundation
import Model
import Store

/// Finds days whose hours lie earlier or later than usual, as a whole: docs/findings.md#hours.
struct HoursMoved {
  /// Events that a day needs.
  static let fewestEvents = 80
  /// What an event must speak for the moved hours on average, in nats, and how many times as much as
  /// on the day of the weeks before that came nearest to it.
  static let leastEvidence = 0.05
  static let timesUsual = 1.6
  /// What is left of the distance from the usual hours when they are moved, at most.
  static let mostLeft = 0.5
  /// Events that a silent hour would have had after moving, at most: a silence is no move. Those
  /// that a move left to the day beside it are apart.
  static let mostSilent = 8.0
  /// Days that are compared with, and the fewest.
  static let fewestDays = 10

  let days: JudgedDays
  let hours: [[Int]]

  struct Move: Hashable {
    /// Positive for later.
    let byHours: Int
    /// The busiest three hours begin then, usually and on this day.
    let usual: Int
    let now: Int
    let events: Int
  }

  /// Nil for a day like others, and when too little is known.
  func move(on day: Int) -> Move? {
    guard days.days[day].coverage == .whole || days.days[day].coverage == .partial,
      days.days[day].end - days.days[day].start == .seconds(86_400)
    else { return nil }
    let counts = hours[day].map(Double.init)
    let total = counts.reduce(0, +)
    guard total >= Double(Self.fewestEvents) else { return nil }
    let references = days.usual(before: day)
    guard references.count >= Self.fewestDays else { return nil }
    let profile = Self.profile(references.map { hours[$0] })
    let best = Self.best(counts, profile)
    guard best.evidence / total >= Self.leastEvidence else { return nil }
    let moved = Self.moved(profile, by: best.hours)
    guard Self.distance(counts, moved) <= Self.mostLeft * Self.distance(counts, profile),
      (0..<24).allSatisfy({
        counts[$0] > 0 || moved[$0] * total < Self.mostSilent || Self.isLeft($0, by: best.hours)
      })
    else { return nil }
    let usualEvidence =
      references.map { reference -> Double in
        let counts = hours[reference].map(Double.init)
        return Self.best(counts, profile).evidence / max(counts.reduce(0, +), 1)
      }.max() ?? 0
    guard best.evidence / total >= Self.timesUsual * usualEvidence else { return nil }
    return Move(
      byHours: best.hours, usual: Self.busiest(profile), now: Self.busiest(counts),
      events: Int(total))
  }

  /// The share of each hour, none of them 0.
  private static func profile(_ days: [[Int]]) -> [Double] {
    let sums = (0..<24).map { hour in days.reduce(0.5) { $0 + Double($1[hour]) } }
    let total = sums.reduce(0, +)
    return sums.map { $0 / total }
  }

  private static func moved(_ profile: [Double], by hours: Int) -> [Double] {
    (0..<24).map { profile[($0 - hours + 48) % 24] }
  }

  /// Whether a move left the hour to another day: the first ones when later, the last when earlier.
  private static func isLeft(_ hour: Int, by hours: Int) -> Bool {
    hours > 0 ? hour < hours : hour >= 24 + hours
  }

  /// By how many hours, from -11 to 12, moving helps most, and the gain in logarithmic likelihood.
  private static func best(
    _ counts: [Double], _ profile: [Double]
  ) -> (hours: Int, evidence: Double) {
    (-11...12).filter { $0 != 0 }.map { hours in
      let moved = moved(profile, by: hours)
      let evidence = (0..<24).reduce(0) { $0 + counts[$1] * log(moved[$1] / profile[$1]) }
      return (hours, evidence)
    }.max { $0.1 < $1.1 } ?? (0, 0)
  }

  /// The divergence of Kullback and Leibler of a day from shares.
  private static func distance(_ counts: [Double], _ shares: [Double]) -> Double {
    let total = counts.reduce(0, +)
    return zip(counts, shares).reduce(0) { sum, pair in
      pair.0 > 0 ? sum + pair.0 / total * log(pair.0 / total / pair.1) : sum
    }
  }

  private static func busiest(_ counts: [Double]) -> Int {
    (0..<24).max { left, right in
      func sum(_ hour: Int) -> Double { (0..<3).reduce(0) { $0 + counts[(hour + $1) % 24] } }
      return sum(left) < sum(right)
    } ?? 0
  }
}
