import Foundation
import Model

/// Finds parts of the app that have almost stopped: docs/findings.md#stopped.
struct StoppedParts {
  /// What is left at most: one in this number of usual ones.
  static let mostLeft = 10.0
  /// Deviations of what is left that count as as much: a tenth is a mean, and days vary.
  static let slack = 1.3
  /// What is left in no case, as a part.
  static let utmost = 0.2
  /// What must have been usual of the days together.
  static let floor = 15.0
  /// How often chance may leave as little: a hundred parts are judged each morning.
  static let probability = 1e-5
  /// The same of what is judged alone: new people, subscription taps, sales, ratings, feedback.
  ///
  /// One day is tried in one way, several days in twenty.
  static let floorAlone = 6.0
  static let probabilityAlone = 1e-3
  static let probabilityOfDayAlone = 5e-3
  /// The people who must have been usual, where people are known, and how often chance may leave as
  /// few of them.
  static let peopleFloor = 12.0
  static let probabilityOfPeople = 1e-3
  /// What of the people of one day comes on another: several days have fewer people than they add
  /// up to.
  static let comesAgain = 0.3
  /// Of what comes and goes within weeks, the days before that are usual, and those that are
  /// judged.
  static let shortLivedDays = 3
  static let shortLivedLongest = 7
  /// The days in which it must be proven: what goes by and by has not stopped.
  static let shortLivedProof = 3
  /// Days that are looked at together, so that small parts are seen, too.
  static let longest = 20
  /// Days of the same kind that suffice.
  static let fewestDays = 4
  /// What of the usual a single day may still have, at most.
  static let mostOfDay = 0.25

  let days: JudgedDays
  /// Replaces `floor`; nil leaves it.
  var ownFloor: Double?

  /// How a part stopped.
  struct Stop: Hashable {
    let firstDay: Int
    let count: Int
    let expected: Double
    let dayCount: Int
    /// Nil where the people behind the counts are not known.
    var peopleLostADay: Double?

    var lostADay: Double { (expected - Double(count)) / Double(dayCount) }

    /// Greater for a more likely cause: the part with less left; of equals, the larger part.
    var weight: Double { 10 * (1 - Double(count) / expected) + expected.squareRoot() / 1_000 }
  }

  /// Nil for a part that goes on, and when too little is known.
  ///
  /// `isAlone` is for a series that is not one of many alike, such as ratings.
  func stop(of series: CountSeries, on day: Int, isAlone: Bool = false) -> Stop? {
    let most = Double(series.counts[max(0, day - UsageData.partDays)...day].max() ?? 0)
    guard days.days[day].coverage != .none, mayStop(series.counts[day], usual: most) else {
      return nil
    }
    // One day earlier than the reported ones: what began then is the new normal.
    let earliest = day - (series.isShortLived ? Self.shortLivedLongest : Self.longest)
    for first in max(0, earliest)...day {
      func stop(until last: Int) -> Stop? {
        self.stop(of: series, from: first, to: last, isAlone: isAlone)
      }
      let early = first...min(day, first + Self.shortLivedProof - 1)
      if let found = stop(until: day),
        !series.isShortLived || early.contains(where: { stop(until: $0) != nil })
      {
        return first == earliest ? nil : found
      }
    }
    return nil
  }

  /// The days before `first` that a day is compared with; nil when they are too few.
  private func references(_ series: CountSeries, before first: Int, as day: Int) -> [Int]? {
    guard !series.isShortLived else {
      let last = days.usual(before: first, count: 7).suffix(Self.shortLivedDays)
      let isSteady = last.allSatisfy { Double(series.counts[$0]) >= ownFloor ?? Self.floor }
      return last.count == Self.shortLivedDays && isSteady ? Array(last) : nil
    }
    let alike = days.alike(before: first, as: day).filter { $0 >= series.firstDay }
    return alike.count >= Self.fewestDays ? alike : nil
  }

  /// What of the people of other days comes on a day of its kind, at most 1: an app of workdays has
  /// few on a Saturday.
  private func quietPart(of day: Int, beside others: [Int], before first: Int) -> Double {
    let usual = others.map { days.usualPeople(on: $0, before: first) }.mean
    return usual > 0 ? min(1, days.usualPeople(on: day, before: first) / usual) : 1
  }

  /// Whether a day has so little that a stop may begin with it, or last.
  private func mayStop(_ count: Int, usual: Double) -> Bool {
    Double(count) <= max(usual * Self.mostOfDay, usual < 4 ? 0 : 1)
  }

  private func stop(
    of series: CountSeries, from first: Int, to day: Int, isAlone: Bool
  ) -> Stop? {
    var count = 0
    var expected = 0.0
    var people = (count: 0, expected: 0.0)
    var compared: Set<Int> = []
    let known = (first...day).filter { days.days[$0].coverage != .none }
    for index in known {
      guard let references = references(series, before: first, as: index) else { return nil }
      compared.formUnion(references)
      let part = series.isShortLived ? quietPart(of: index, beside: references, before: first) : 1
      let usual = references.map { Double(series.counts[$0]) }.middleMean * part
      if index == first || index == day, !mayStop(series.counts[index], usual: usual) { return nil }
      count += series.counts[index]
      expected += usual
      if let counts = series.people {
        people.count += counts[index]
        people.expected += references.map { Double(counts[$0]) }.middleMean * part
      }
    }
    let dispersion = series.dispersion(days, before: first)
    let tenth = expected / Self.mostLeft
    let most = min(expected * Self.utmost, tenth + Self.slack * (dispersion * tenth).squareRoot())
    let floor = ownFloor ?? (isAlone ? Self.floorAlone : Self.floor)
    guard expected >= floor, Double(count) <= most else { return nil }
    // People who tap ten times are not ten: what counts are the people, or independent pieces.
    let level = level(of: known, before: first)
    let isProven =
      series.people != nil
      ? people.expected >= Self.peopleFloor
        && isUnlikely(
          people, (count: Double(count), expected: expected), onDays: known.count, level)
      : Self.chance(
        of: Double(count) / dispersion,
        around: expected * min(level, recentLevel(of: series, before: first)) / dispersion,
        knownBy: Double(compared.reduce(0) { $0 + series.counts[$1] }) / dispersion)
        < Self.probability(isAlone: isAlone, dayCount: known.count)
    return isProven
      ? Stop(
        firstDay: first, count: count, expected: expected, dayCount: known.count,
        peopleLostADay: series.people.map { _ in
          (people.expected - Double(people.count)) / Double(known.count)
        }) : nil
  }

  private static func probability(isAlone: Bool, dayCount: Int) -> Double {
    guard isAlone else { return probability }
    return dayCount == 1 ? probabilityOfDayAlone : probabilityAlone
  }

  /// Whether chance hardly leaves so few people, or so few events of as many people as usual.
  private func isUnlikely(
    _ people: (count: Int, expected: Double), _ events: (count: Double, expected: Double),
    onDays count: Int, _ level: Double
  ) -> Bool {
    let again = 1 + Self.comesAgain * Double(count - 1)
    let usual = people.expected * level / again
    return Self.chance(of: Double(people.count) / again, around: usual) < Self.probabilityOfPeople
      || Self.chance(
        ofEvents: events.count / again, of: usual, each: events.expected / people.expected)
        < Self.probabilityOfPeople
  }

  /// What came of the usual people in all, at most 1: where fewer come everywhere, a part has not
  /// stopped by itself.
  private func level(of known: [Int], before first: Int) -> Double {
    let usual = known.reduce(0) { $0 + days.usualPeople(on: $1, before: first) }
    let came = known.reduce(0) { $0 + days.days[$1].activeUsers }
    return usual > 0 ? min(1, Double(came) / usual) : 1
  }

  /// What the last seven days before have of the usual, at most 1: what fell some days ago is low
  /// more often.
  private func recentLevel(of series: CountSeries, before first: Int) -> Double {
    let last = days.usual(before: first, count: 7)
    let usual = last.reduce(0) { sum, day in
      sum + days.alike(before: first, as: day).map { Double(series.counts[$0]) }.middleMean
    }
    let came = last.reduce(0) { $0 + series.counts[$1] }
    return usual > 0 ? min(1, Double(came) / usual) : 1
  }

  /// How often a Poisson count with a mean is as low, or lower.
  static func chance(of count: Double, around mean: Double) -> Double {
    var term = exp(-mean)
    var sum = term
    for index in stride(from: 1.0, through: count.rounded(.down), by: 1) {
      term *= mean / index
      sum += term
    }
    return min(1, sum)
  }

  /// The same where the mean is known only from counts of other days: negative binomial.
  ///
  /// A. Gelman and others, Bayesian data analysis, 3rd edition (2013), section 2.6.
  static func chance(of count: Double, around mean: Double, knownBy counted: Double) -> Double {
    let shape = counted + 0.5
    let part = mean / (shape + mean)
    var term = exp(shape * log1p(-part))
    var sum = term
    for index in stride(from: 1.0, through: count.rounded(.down), by: 1) {
      term *= part * (shape + index - 1) / index
      sum += term
    }
    return min(1, sum)
  }

  /// How often people in a mean number have as few events, or fewer, who have `mean` each.
  ///
  /// The distribution of Pólya and Aeppli: a Poisson count of people, and a geometric one of the
  /// events of each. N. L. Johnson, A. W. Kemp and S. Kotz, Univariate discrete distributions, 3rd
  /// edition (2005), section 9.7.
  static func chance(ofEvents count: Double, of people: Double, each mean: Double) -> Double {
    let last = 1 / max(1, mean)
    let next = 1 - last
    var (before, term) = (0.0, exp(-people))
    var sum = term
    for index in stride(from: 0.0, to: count.rounded(.down), by: 1) {
      let after =
        ((2 * next * index + people * last) * term - next * next * (index - 1) * before)
        / (index + 1)
      (before, term) = (term, after)
      sum += after
    }
    return min(1, sum)
  }
}
