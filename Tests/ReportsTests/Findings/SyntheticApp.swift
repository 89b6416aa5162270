import Foundation
import Model
import ReportsTesting

@testable import Reports
@testable import Store

/// An app of 74 days with weekdays, growth, noise and clustered taps, the same for the same seed.
struct SyntheticApp {
  static let dayCount = 74
  private static let weekdays = [0.85, 0.8, 0.85, 0.9, 1.05, 1.3, 1.25]
  /// Ratings by stars in parts of a hundred, of a version that people like.
  private static let likedStars = [8.0, 5, 10, 27, 50]
  /// The same, one star lower in the mean.
  private static let dislikedStars = [32.0, 16, 12, 15, 25]

  private var random: SeededRandom
  private(set) var days: [DayFacts] = []
  private(set) var versionDays: [RatingsData.VersionDay] = []

  /// `badRelease` is the day of a release that people like less; nil without one.
  init(seed: UInt64, badRelease: Int? = nil) {
    random = SeededRandom(state: seed &* 0xD134_2543_DE82_EF95 ^ 0x2545_F491_4F6C_DD1D)
    let size = [40.0, 150, 600, 3_000][Int(seed % 4)]
    let growth = 1 + 0.02 * random.uniform()
    let start = Instant(unixSeconds: 1_788_739_200)
    var level = size
    for day in 0..<Self.dayCount {
      level *= day % 7 == 0 ? growth : 1
      let begin = start + .seconds(86_400 * day)
      var facts = DayFacts(start: begin, end: begin + .seconds(86_400))
      let expected = level * Self.weekdays[day % 7] * (1 + 0.06 * random.normal())
      facts.activeUsers = random.count(expected)
      facts.taps = random.count(5 * Double(facts.activeUsers), clusters: 5)
      facts.freeTaps = facts.taps * 8 / 10
      facts.blocked = min(facts.freeTaps, random.count(0.22 * Double(facts.freeTaps), clusters: 3))
      facts.freeBlocked = facts.blocked
      facts.subscriptionTaps = random.count(0.05 * Double(facts.blocked))
      facts.exportLines = random.count(4 * Double(facts.taps), clusters: 12)
      facts.reads = 24 * 250 + random.count(0.5 * Double(facts.activeUsers))
      facts.onlineNow = random.count(expected / 4)
      rate(&facts, day, badRelease)
      days.append(facts)
    }
  }

  /// About 36 ratings a day; each version of two weeks takes over within a week.
  private mutating func rate(_ facts: inout DayFacts, _ day: Int, _ badRelease: Int?) {
    let isBad = badRelease.map { day >= $0 } ?? false
    let release = isBad ? badRelease ?? 0 : day / 14 * 14
    let share = release == 0 ? 1 : min(0.9, 0.25 + 0.15 * Double(day - release))
    var new = RatingsData.VersionDay(
      version: isBad ? "3.99.0" : "3.\(release / 14).0", day: facts.start, stars: [0, 0, 0, 0, 0])
    var old = new
    old.version = isBad ? "3.\(release / 14).0" : "3.\(max(0, release / 14 - 1)).0"
    for _ in 0..<random.count(36) {
      let isNew = random.uniform() < share
      let stars = random.pick(isBad && isNew ? Self.dislikedStars : Self.likedStars)
      facts.stars[stars] += 1
      if isNew { new.stars[stars] += 1 } else { old.stars[stars] += 1 }
    }
    versionDays += [old, new]
  }

  /// What is left of a day on which the app stood still.
  mutating func suffer(_ day: Int, part: Double) {
    for figure in [
      \DayFacts.activeUsers, \.taps, \.freeTaps, \.blocked, \.subscriptionTaps, \.exportLines,
    ] {
      days[day][keyPath: figure] = Int(Double(days[day][keyPath: figure]) * part)
    }
    days[day].onlineNow = 0
  }

  /// A day whose lines never came, though people used the app.
  mutating func loseExport(_ day: Int) {
    let facts = days[day]
    days[day] = DayFacts(start: facts.start, end: facts.end, coverage: .none)
    days[day].reads = facts.reads
    days[day].onlineNow = facts.onlineNow
  }

  /// What is found on the morning after a day.
  func findings(after day: Int) -> [Finding] {
    var usage = EmptyReports.usage
    usage.history = DayHistory(days: Array(days[...day]))
    var ratings = EmptyReports.ratings
    ratings.versionDays = versionDays.filter { $0.day <= days[day].start }
    var context = SampleReports.context
    context.now = days[day].end + .seconds(6 * 3_600)
    context.timeZone = "UTC"
    return ReportFindings(
      context: context, usage: usage, limits: EmptyReports.limits, ratings: ratings,
      runs: EmptyReports.runs
    ).found()
  }
}

/// SplitMix64 with the few distributions that an app is made of.
struct SeededRandom {
  var state: UInt64

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// From 0 to 1, without 1.
  mutating func uniform() -> Double { Double(next() >> 11) / Double(1 << 53) }

  /// Mean 0 and deviation 1, as the sum of twelve.
  mutating func normal() -> Double {
    (0..<12).reduce(-6.0) { sum, _ in sum + uniform() }
  }

  /// A count around a mean; events that come in clusters spread wider.
  mutating func count(_ mean: Double, clusters: Double = 1) -> Int {
    guard mean > 0 else { return 0 }
    guard mean / clusters < 30 else {
      return max(0, Int((mean + (mean * clusters).squareRoot() * normal()).rounded()))
    }
    // Knuth's way for small means.
    let limit = mean / clusters
    var total = 0.0
    var count = 0
    while true {
      total += -log(1 - uniform())
      if total > limit { return Int(Double(count) * clusters) }
      count += 1
    }
  }

  /// An index by weights.
  mutating func pick(_ weights: [Double]) -> Int {
    var place = uniform() * weights.reduce(0, +)
    for (index, weight) in weights.enumerated() {
      place -= weight
      if place < 0 { return index }
    }
    return weights.count - 1
  }
}
