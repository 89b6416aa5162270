import Foundation
import Model

/// Finds days whose hours lie earlier or later than usual, as a whole: docs/findings.md#hours.
struct HoursMoved {
  /// Events that a day needs.
  static let fewestEvents = 80
  /// What an event must speak for the moved hours on average, in nats, and how many times as much
  /// as on the day of the weeks before that came nearest to it.
  static let leastEvidence = 0.05
  static let timesUsual = 1.6
  /// What is left of the distance from the usual hours when they are moved, at most.
  static let mostLeft = 0.6
  /// What all people together must speak for them, in nats: of few each one is an accident, however
  /// many events they have.
  static let leastOfPeople = 3.0
  /// The same where as many hours are silent at an end of the day as a move takes to the day beside
  /// it, and the people that the day needs for that.
  static let leastEvidenceOfEnds = 0.035
  static let mostLeftOfEnds = 0.8
  static let fewestPeople = 100
  /// What silent hours would have of the day's events after moving, at most: a silence is no move.
  static let mostSilent = 0.05
  /// Days that are compared with, at least.
  static let fewestDays = 10
  /// Silent hours at each end of a day that are not compared, at most.
  static let mostEnds = 12

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

  /// Of the 28 days before a day and of itself those that moved: they are compared with the days
  /// before that did not.
  func moves(until day: Int) -> [Int: Move] {
    guard mayMove(day) else { return [:] }
    var moves: [Int: Move] = [:]
    for other in max(0, day - JudgedDays.compared)...day {
      moves[other] = move(on: other, without: moves)
    }
    return moves
  }

  /// Whether the oldest days let think of a move, by half of what is needed.
  private func mayMove(_ day: Int) -> Bool {
    let oldest = days.usual(before: day).prefix(Self.fewestDays)
    let counts = hours[day].map(Double.init)
    let total = counts.reduce(0, +)
    guard oldest.count == Self.fewestDays, total > 0 else { return false }
    let profile = Self.profile(oldest.map { hours[$0] })
    return Self.best(counts, profile).evidence / total >= Self.leastEvidence / 2
  }

  private func move(on day: Int, without moves: [Int: Move]) -> Move? {
    guard days.days[day].coverage == .whole || days.days[day].coverage == .partial,
      days.days[day].end - days.days[day].start == .seconds(86_400)
    else { return nil }
    let counts = hours[day].map(Double.init)
    let total = counts.reduce(0, +)
    guard total >= Double(Self.fewestEvents) else { return nil }
    let references = days.usual(before: day).filter { moves[$0] == nil }
    guard references.count >= Self.fewestDays else { return nil }
    let profile = Self.profile(references.map { hours[$0] })
    let best = Self.best(counts, profile).hours
    let ends =
      days.days[day].activeUsers >= Self.fewestPeople ? Self.silentEnds(counts) : []
    func fits(_ hours: Int, _ evidence: Double, _ mostLeft: Double) -> Bool {
      Self.fits(hours, counts, profile, evidence: evidence, mostLeft: mostLeft)
    }
    let isBest = fits(best, Self.leastEvidence, Self.mostLeft)
    let end = ends.first { fits($0, Self.leastEvidenceOfEnds, Self.mostLeftOfEnds) }
    guard let found = isBest ? best : end else { return nil }
    let usualEvidence =
      references.map { reference -> Double in
        let counts = hours[reference].map(Double.init)
        return Self.best(counts, profile).evidence / max(counts.reduce(0, +), 1)
      }.max() ?? 0
    let evidence = Self.evidence(of: found, counts, profile) / total
    guard evidence >= Self.timesUsual * usualEvidence,
      evidence * Double(days.days[day].activeUsers) >= Self.leastOfPeople
    else { return nil }
    return Move(
      byHours: found, usual: Self.busiest(profile), now: Self.busiest(counts),
      events: Int(total))
  }

  /// Whether a move explains a day: an event speaks for it by enough nats, silent hours have hardly
  /// anything after it, and little is left of the distance.
  private static func fits(
    _ hours: Int, _ counts: [Double], _ profile: [Double], evidence: Double, mostLeft: Double
  ) -> Bool {
    let moved = moved(profile, by: hours)
    let lines = lines(counts)
    // Events that the move takes to the next day leave no silence.
    let kept = min(lines.lowerBound, max(hours, 0))..<max(lines.upperBound, 24 + min(hours, 0))
    let silent = kept.filter { counts[$0] == 0 }.reduce(0) { $0 + moved[$1] }
    return Self.evidence(of: hours, counts, profile) >= evidence * counts.reduce(0, +)
      && silent <= mostSilent
      && distance(counts, moved, lines) <= mostLeft * distance(counts, profile, lines)
  }

  /// The moves that leave the silent hours at an end of the day: later ones those at its beginning,
  /// earlier ones those at its end.
  private static func silentEnds(_ counts: [Double]) -> [Int] {
    let first = counts.firstIndex { $0 > 0 } ?? 0
    let last = counts.lastIndex { $0 > 0 } ?? 23
    return [first, last - 23].filter { (2...11).contains(abs($0)) }
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

  /// The hours between the silent ones at the beginning and the end of a day, of half a day at
  /// most.
  ///
  /// On the first moved day, and on the newest, those are silent whose lines lie in the day beside
  /// it.
  private static func lines(_ counts: [Double]) -> Range<Int> {
    let first = counts.firstIndex { $0 > 0 } ?? 0
    let last = counts.lastIndex { $0 > 0 } ?? 23
    return min(first, mostEnds)..<max(last + 1, counts.count - mostEnds)
  }

  /// By how many hours, from -11 to 12, moving helps most, and the evidence for it.
  private static func best(
    _ counts: [Double], _ profile: [Double]
  ) -> (hours: Int, evidence: Double) {
    (-11...12).filter { $0 != 0 }.map { ($0, evidence(of: $0, counts, profile)) }
      .max { $0.1 < $1.1 } ?? (0, 0)
  }

  /// What moving gains in logarithmic likelihood.
  private static func evidence(
    of hours: Int, _ counts: [Double], _ profile: [Double]
  ) -> Double {
    let lines = lines(counts)
    let moved = moved(profile, by: hours)
    let whole = log(lines.reduce(0) { $0 + profile[$1] } / lines.reduce(0) { $0 + moved[$1] })
    return lines.reduce(0) { $0 + counts[$1] * (log(moved[$1] / profile[$1]) + whole) }
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
