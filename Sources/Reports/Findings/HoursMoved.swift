import Foundation
import Model

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
  /// What silent hours would have of the day's events after moving, at most: a silence is no move.
  static let mostSilent = 0.05
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
    let kept = Self.kept(counts, movedBy: best.hours)
    let silent = kept.filter { counts[$0] == 0 }.reduce(0) { $0 + moved[$1] }
    guard silent <= Self.mostSilent,
      Self.distance(counts, moved, kept) <= Self.mostLeft * Self.distance(counts, profile, kept)
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

  /// The hours that tell of a move.
  ///
  /// On the first moved day those are silent that the move left: the first ones when it is later, the
  /// last when it is earlier; the day beside it has their lines.
  private static func kept(_ counts: [Double], movedBy hours: Int) -> Range<Int> {
    let left = hours > 0 ? 0..<hours : 24 + hours..<24
    guard left.allSatisfy({ counts[$0] == 0 }) else { return 0..<24 }
    return hours > 0 ? hours..<24 : 0..<24 + hours
  }

  /// By how many hours, from -11 to 12, moving helps most, and the gain in logarithmic likelihood.
  private static func best(
    _ counts: [Double], _ profile: [Double]
  ) -> (hours: Int, evidence: Double) {
    (-11...12).filter { $0 != 0 }.map { hours in
      let moved = moved(profile, by: hours)
      let kept = kept(counts, movedBy: hours)
      let whole = log(kept.reduce(0) { $0 + profile[$1] } / kept.reduce(0) { $0 + moved[$1] })
      let evidence = kept.reduce(0) { $0 + counts[$1] * (log(moved[$1] / profile[$1]) + whole) }
      return (hours, evidence)
    }.max { $0.1 < $1.1 } ?? (0, 0)
  }

  /// The divergence of Kullback and Leibler of some hours from shares.
  private static func distance(
    _ counts: [Double], _ shares: [Double], _ hours: Range<Int>
  ) -> Double {
    let total = hours.reduce(0) { $0 + counts[$1] }
    let whole = hours.reduce(0) { $0 + shares[$1] }
    return hours.reduce(0) { sum, hour in
      let part = counts[hour] / total
      return part > 0 ? sum + part * log(part / (shares[hour] / whole)) : sum
    }
  }

  private static func busiest(_ counts: [Double]) -> Int {
    (0..<24).max { left, right in
      func sum(_ hour: Int) -> Double { (0..<3).reduce(0) { $0 + counts[(hour + $1) % 24] } }
      return sum(left) < sum(right)
    } ?? 0
  }
}
