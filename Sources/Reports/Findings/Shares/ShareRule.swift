import Foundation
import Model

/// What share some people of a day are of others, day by day: docs/shares.md.
struct ShareSeries: Hashable {
  enum Subject: Hashable {
    /// Of the events, those that name no user.
    case unnamed
    /// Of the lines of an import, those of days that were stored before.
    case late
    /// The people with the last part, among those with the parts before it.
    case part([ShareCounts.Part])
    /// Of people of some parts, those whom a measure counts.
    case measure(ShareCounts.Measure, [ShareCounts.Part])
    /// Of the taps of a feature, the blocked ones.
    case blocks(Feature)
    /// Of the filters that say what they found, those that found nobody.
    case filters
    /// Of the taps of a feature by people of a part, or in some hours, those that led to an action.
    case actions(Feature, [ShareCounts.Part])
    /// Of the offers of a feature, those with a limit; nil for none above 0.
    case limit(Feature, Int?)
    /// Of all offers, those with a price.
    case price(String)
    /// Of users' documents, those without a field.
    case field(ShareCounts.Field)
    /// Of the texts of feedback, those that say the same.
    case text(String)

    /// Whose share a measure or the actions after taps are; empty for those of all people.
    fileprivate var people: [ShareCounts.Part] {
      switch self {
      case .measure(_, let parts), .actions(_, let parts): parts
      default: []
      }
    }
  }

  let subject: Subject
  /// By the days of the history.
  let counts: [Int]
  let wholes: [Int]
  /// The same of all others, where a part is compared with them; empty elsewhere.
  var otherCounts: [Int] = []
  var otherWholes: [Int] = []
  /// Whether it is judged only beside the others, whose change excuses it.
  var needsOthers = false
  /// The people behind the wholes; empty where these are people, or many lines of some.
  var people: [Int] = []
  /// The least dispersion: who is counted more than once a day makes a share vary.
  var leastDispersion = 1.0
  /// The least whole that is judged, that of the past, and the least difference of a count and of a
  /// share.
  var fewest = 12
  var fewestBefore = 60
  /// How much more of what is judged the past must have.
  var timesBefore = 1.5
  var leastCount = 6.0
  var leastShare = 0.05
  /// The least fall, in parts of what is expected, where a fall need not reach `leastShare`.
  var leastFall: Double?
}

/// Judges one day, three or seven against the 28 usual days that end a week before:
/// docs/shares.md.
struct ShareRule {
  static let lengths = [1, 3, 7]
  /// Days between what is judged and what it is compared with, so that what began some days ago is
  /// still compared with the days before it.
  static let gap = 6
  static let fewestDays = 10
  /// Of a part without a past of its own, what the others must have, and the least difference.
  static let fewestElsewhere = 100
  static let dispersionElsewhere = 3.0
  static let leastShareElsewhere = 0.12
  /// People behind the wholes of a span; each further day has this part of them again.
  static let fewestPeople = 12.0
  static let peopleComeAgain = 0.3
  /// How much more of the variation each further day has: who comes again is counted again.
  static let comesAgain = 0.15
  /// False discoveries of a morning without a cause.
  static let rate = 1.0 / 300

  let days: JudgedDays

  struct Judged: Hashable {
    let series: ShareSeries
    let dayCount: Int
    let count: Int
    let whole: Int
    let expected: Double
    let probability: Double
    let comparedDays: Int

    var isRise: Bool { Double(count) > expected * Double(whole) }
    var difference: Double { Double(count) - expected * Double(whole) }
    var share: Double { Double(count) / Double(whole) }
  }

  /// What is out on a day, the surest first, by one rate of false discoveries over all that is
  /// judged.
  ///
  /// Y. Benjamini and Y. Hochberg, Controlling the false discovery rate, 1995.
  func found(_ series: [ShareSeries], on day: Int) -> [Judged] {
    var judged: [Judged] = []
    for one in series {
      for length in Self.lengths { judge(one, on: day, length).map { judged.append($0) } }
    }
    judged.sort {
      $0.probability == $1.probability
        ? abs($0.difference) > abs($1.difference) : $0.probability < $1.probability
    }
    let whole = Double(judged.count)
    let count = judged.indices.last {
      judged[$0].probability <= Self.rate * Double($0 + 1) / whole
    }
    return judged.prefix((count ?? -1) + 1).filter { one in
      abs(one.difference) >= one.series.leastCount
        && abs(one.difference) >= leastShare(one) * Double(one.whole)
    }
  }

  private func leastShare(_ judged: Judged) -> Double {
    if !judged.isRise, let fall = judged.series.leastFall { return fall * judged.expected }
    return judged.comparedDays == 0
      ? max(Self.leastShareElsewhere, judged.series.leastShare) : judged.series.leastShare
  }

  /// Nil for a share of too few, or with too short a past.
  private func judge(_ series: ShareSeries, on day: Int, _ length: Int) -> Judged? {
    let now = (max(0, day - length + 1)...day).filter { $0 == day || days.isUsual[$0] }
    let count = now.reduce(0) { $0 + series.counts[$1] }
    let whole = now.reduce(0) { $0 + series.wholes[$1] }
    guard whole >= series.fewest, now.count * 3 >= length * 2, hasPeople(series, now) else {
      return nil
    }
    let before = days.usual(before: day - Self.gap)
      .filter { $0 >= JudgedDays.settlingDays && series.wholes[$0] > 0 }
    let past = before.reduce(into: (count: 0, whole: 0)) {
      $0.count += series.counts[$1]
      $0.whole += series.wholes[$1]
    }
    let isProven =
      before.count >= Self.fewestDays
      && Double(past.whole) >= max(Double(series.fewestBefore), series.timesBefore * Double(whole))
    guard isProven else { return judgeElsewhere(series, now, count, whole) }
    let usual = (Double(past.count) + 0.5) / (Double(past.whole) + 1)
    var expected = usual
    let factor = factorElsewhere(series, now, before)
    guard factor != nil || !series.needsOthers else { return nil }
    if let factor {
      // The others' change excuses, and does not accuse.
      let moved = min(0.99, usual * factor)
      let share = Double(count) / Double(whole)
      expected = (share - usual) * (share - moved) <= 0 ? share : nearer(share, usual, moved)
    }
    let dispersion =
      max(series.leastDispersion, self.dispersion(series, before, around: usual))
      * (1 + Self.comesAgain * Double(length - 1))
    return Judged(
      series: series, dayCount: length, count: count, whole: whole, expected: expected,
      probability: ShareChance(
        count: count, whole: whole, share: expected, dispersion: dispersion, before: past.whole,
        degrees: before.count - 1
      ).probability,
      comparedDays: before.count)
  }

  private func hasPeople(_ series: ShareSeries, _ now: [Int]) -> Bool {
    guard !series.people.isEmpty else { return true }
    let people = Double(now.reduce(0) { $0 + series.people[$1] })
    return people >= Self.fewestPeople * (1 + Self.peopleComeAgain * Double(now.count - 1))
  }

  private func nearer(_ share: Double, _ one: Double, _ other: Double) -> Double {
    abs(share - one) < abs(share - other) ? one : other
  }

  /// A version without a past is compared with the others of the same days.
  private func judgeElsewhere(
    _ series: ShareSeries, _ now: [Int], _ count: Int, _ whole: Int
  ) -> Judged? {
    guard let part = series.subject.people.last, part.dimension == .version, !part.value.isEmpty,
      !series.otherWholes.isEmpty
    else { return nil }
    let otherCount = now.reduce(0) { $0 + series.otherCounts[$1] }
    let otherWhole = now.reduce(0) { $0 + series.otherWholes[$1] }
    guard
      Double(otherWhole)
        >= max(Double(Self.fewestElsewhere), series.timesBefore * Double(whole))
    else { return nil }
    let expected = (Double(otherCount) + 0.5) / (Double(otherWhole) + 1)
    return Judged(
      series: series, dayCount: now.count, count: count, whole: whole, expected: expected,
      probability: ShareChance(
        count: count, whole: whole, share: expected,
        dispersion: max(series.leastDispersion, Self.dispersionElsewhere), before: otherWhole,
        degrees: JudgedDays.settlingDays
      ).probability,
      comparedDays: 0)
  }

  /// By what the share of the others has changed; nil when they are not compared with.
  private func factorElsewhere(
    _ series: ShareSeries, _ now: [Int], _ before: [Int]
  ) -> Double? {
    guard !series.otherWholes.isEmpty else { return nil }
    func share(_ days: [Int]) -> Double? {
      let whole = days.reduce(0) { $0 + series.otherWholes[$1] }
      let count = days.reduce(0) { $0 + series.otherCounts[$1] }
      return whole < 20 ? nil : (Double(count) + 0.5) / (Double(whole) + 1)
    }
    guard let later = share(now), let earlier = share(before) else { return nil }
    return later / earlier
  }

  /// The mean of Pearson's terms of the days, at least 1: see `CountSeries.dispersion`.
  private func dispersion(
    _ series: ShareSeries, _ days: [Int], around share: Double
  ) -> Double {
    let terms = days.map { day -> Double in
      let whole = Double(series.wholes[day])
      let difference = Double(series.counts[day]) - whole * share
      return difference * difference / max(whole * share * (1 - share), 0.3)
    }
    return max(1, terms.reduce(0, +) / Double(max(1, terms.count - 1)))
  }
}

/// How probable a count is that is as far from what is expected of it, to one side.
struct ShareChance {
  let count: Int
  let whole: Int
  /// What is expected, above 0 and below 1.
  let share: Double
  /// How much more counts vary than those of independent people.
  let dispersion: Double
  /// The whole that the expected share is known by, and the degrees of freedom of the dispersion.
  let before: Int
  let degrees: Int

  /// The larger of two: that of a binomial count divided by the dispersion, and Student's of the
  /// deviation, since the dispersion is known from some days alone.
  var probability: Double { max(binomial, student) }

  private var binomial: Double {
    let (count, whole) = (Double(count) / dispersion, Double(whole) / dispersion)
    return Double(self.count) > share * Double(self.whole)
      ? Self.beta(share, max(count, 1e-9), whole - count + 1)
      : Self.beta(1 - share, max(whole - count, 1e-9), count + 1)
  }

  private var student: Double {
    let (count, whole) = (Double(count), Double(whole))
    let variance =
      dispersion * max(whole * share * (1 - share), 0.5) * (1 + whole / Double(max(1, before)))
    let distance = (count - whole * share) * (count - whole * share) / variance
    let freedom = Double(max(1, degrees))
    return Self.beta(freedom / (freedom + distance), freedom / 2, 0.5) / 2
  }

  /// The regularized incomplete beta function I of x, with a and b above 0.
  ///
  /// By the continued fraction of NIST's Digital Library of Mathematical Functions, 8.17.22.
  static func beta(_ x: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    let front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    return x < (a + 1) / (a + b + 2)
      ? front * fraction(x, a, b) / a : 1 - front * fraction(1 - x, b, a) / b
  }

  /// By Lentz's method, to a relative error of 1e-12.
  private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    func safe(_ value: Double) -> Double { abs(value) < 1e-300 ? 1e-300 : value }
    var (c, d) = (1.0, 1 / safe(1 - (a + b) * x / (a + 1)))
    var value = d
    for m in stride(from: 1.0, through: 500, by: 1) {
      for term in [
        m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
        -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
      ] {
        d = 1 / safe(1 + term * d)
        c = safe(1 + term / c)
        value *= c * d
      }
      if abs(c * d - 1) < 1e-12 { break }
    }
    return value
  }
}
