import Foundation
import Model
import Store

/// Finds an app version whose ratings differ from those of the others:
/// docs/findings.md#releases.
struct ReleaseFindings {
  /// Ratings that a version needs, and the others together.
  static let fewestRatings = 8
  static let fewestBefore = 30
  /// What must be left of the difference on the days on which others were rated too, in parts and
  /// in deviations, and the ratings that the others need there.
  static let leastPartAtOnce = 0.7
  static let leastDeviationsAtOnce = 1.5
  static let fewestAtOnce = 4
  /// The standard deviation of stars.
  private static let starDeviation = 1.4
  /// How often chance alone may part two versions as far.
  static let probability = 0.005
  /// The least difference of the means in stars.
  static let leastDifference = 0.3
  /// A version is news for this number of days after its first rating.
  static let newsDays = 28
  static let shownTexts = 3
  /// Texts that must name a theme before the sentence does.
  static let fewestTexts = 3

  let ratings: RatingsData
  let calendar: ReportCalendar
  let now: Instant
  /// Ratings that the newest version needs; the floor of the rule `release`.
  var fewest = Double(fewestRatings)

  struct Version {
    var name: String
    var stars: StarCounts
    var firstDay: Instant
  }

  /// What is found of the newest version with enough ratings, against all others at once; nothing
  /// when it is like them.
  func findings() -> [Detection] {
    let all = versions()
    guard let newest = all.last(where: { Double($0.stars.count) >= fewest }),
      isRelease(newest, among: all),
      now - newest.firstDay <= .seconds(86_400 * Self.newsDays)
    else { return [] }
    var others = StarCounts()
    for version in all where version.name != newest.name { others.add(version.stars.counts) }
    guard others.count >= Self.fewestBefore else { return [] }
    let difference = newest.stars.mean.exact - others.mean.exact
    let test = MannWhitney(newest.stars, others)
    guard abs(difference) >= Self.leastDifference, test.probability < Self.probability,
      !othersAreAlike(newest, difference)
    else { return [] }
    // Whoever rates by the dozen explains it; it explains stars however long they fall.
    return [
      Detection(
        finding: finding(newest, others, difference, test.probability), rule: .release,
        firstDay: .max, topics: [.stars],
        direction: difference < 0 ? .fell : .rose, explains: [.stars, .ratings, .feedback],
        explainsFrom: 0)
    ]
  }

  /// Whether the difference is lost between ratings of the same days: then the days are to blame,
  /// and not the version.
  ///
  /// The mean of the days' differences, each weighed by what it proves.
  private func othersAreAlike(_ newest: Version, _ difference: Double) -> Bool {
    let days = Dictionary(
      grouping: ratings.versionDays.filter { $0.day >= newest.firstDay }, by: \.day)
    var (weights, sum, count) = (0.0, 0.0, 0)
    for (_, versions) in days.sorted(by: { $0.key < $1.key }) {
      var (own, others) = (StarCounts(), StarCounts())
      for version in versions {
        if version.version == newest.name {
          own.add(version.stars)
        } else {
          others.add(version.stars)
        }
      }
      guard own.count > 0, others.count > 0 else { continue }
      let weight = Double(own.count * others.count) / Double(own.count + others.count)
      weights += weight
      sum += weight * (own.mean.exact - others.mean.exact)
      count += others.count
    }
    guard count >= Self.fewestAtOnce else { return false }
    let apart = difference < 0 ? -sum / weights : sum / weights
    return apart < Self.leastPartAtOnce * abs(difference)
      || apart * weights.squareRoot() < Self.leastDeviationsAtOnce * Self.starDeviation
  }

  /// By version number, the oldest version first.
  func versions() -> [Version] {
    var byName: [String: Version] = [:]
    for day in ratings.versionDays {
      var version =
        byName[day.version]
        ?? Version(
          name: day.version, stars: StarCounts(), firstDay: day.day)
      version.stars.add(day.stars)
      version.firstDay = min(version.firstDay, day.day)
      byName[day.version] = version
    }
    return byName.values.sorted { AppVersion.isOlder($0.name, than: $1.name) }
  }

  /// Whether no newer version was rated before it.
  private func isRelease(_ version: Version, among all: [Version]) -> Bool {
    let starts = ratings.versionStarts
    if starts.contains(where: { $0.version == version.name }) {
      return ratings.releases.contains { $0.version == version.name }
    }
    return !all.contains {
      AppVersion.isOlder(version.name, than: $0.name) && $0.firstDay < version.firstDay
    }
  }

  private func finding(
    _ newest: Version, _ others: StarCounts, _ difference: Double, _ probability: Double
  ) -> Finding {
    let isWorse = difference < 0
    let far = NumberWords.decimal(abs(difference), places: 1)
    let stars = far == "1.0" ? "star" : "stars"
    let count = NumberWords.counted(newest.stars.count, "rating")
    let named = isWorse ? namedMost(of: newest.name) : nil
    return Finding(
      isWorse ? (difference <= -0.7 ? .error : .warn) : .notice,
      "\(newest.name) is \(far) \(stars) \(isWorse ? "below" : "above") the other versions "
        + "in \(count)\(named.map { "; \($0)" } ?? "").",
      report: .ratings, section: "groups",
      subject: "release \(newest.name) \(isWorse ? "below" : "above") the others", rule: .release,
      since: calendar.day(of: newest.firstDay).iso8601,
      evidence: [(newest.name, newest.stars), ("the others", others)].flatMap { name, stars in
        [
          Evidence("Mean stars of \(name)", stars.mean.exact, .stars),
          Evidence("Ratings of \(name)", stars.count, .ratings),
        ]
      } + [Evidence("Chance of such a difference", probability, .probability)],
      quotes: isWorse ? worstTexts(of: newest.name) : [],
      advice: isWorse
        ? "Stop its rollout or fix it; read what people write about \(newest.name)." : nil,
      weight: 500 + 100 * abs(difference))
  }

  /// `14 texts about it name crashes and freezing`: the theme that most texts of the version name;
  /// nil when fewer than three name one.
  private func namedMost(of version: String) -> String? {
    var sorter = TextSorter(ratings.themes)
    var counts: [String: Int] = [:]
    for entry in ratings.feedback
    where entry.feedback.appVersion == version && entry.feedback.stars <= WrittenTexts.mostStars {
      for theme in sorter.themes(of: entry) { counts[theme, default: 0] += 1 }
    }
    let most = ratings.themes.map { ($0.title, counts[$0.id] ?? 0) }.max { $0.1 < $1.1 }
    guard let (title, count) = most, count >= Self.fewestTexts else { return nil }
    return "\(NumberWords.grouped(count)) texts about it name "
      + "\(title.prefix(1).lowercased())\(title.dropFirst())"
  }

  /// The newest texts with one star, or with the fewest that any text has.
  private func worstTexts(of version: String) -> [String] {
    let texts = ratings.feedback.map(\.feedback).filter { $0.appVersion == version }
    let fewest = texts.map(\.stars).min()
    return texts.filter { $0.stars == fewest }.prefix(Self.shownTexts).map(\.text)
  }
}

/// Versions of the app by their numbers: 3.10 is newer than 3.9.
enum AppVersion {
  static func isOlder(_ version: String, than other: String) -> Bool {
    version.compare(other, options: .numeric) == .orderedAscending
  }
}

extension RatingsData {
  /// The first ratings of the versions that are newer than all that were rated before, oldest
  /// first: a late rating of an older version is by somebody who had it already.
  var releases: [VersionStart] {
    var newest: String?
    return versionStarts.filter { start in
      if let newest, !AppVersion.isOlder(newest, than: start.version) { return false }
      newest = start.version
      return true
    }
  }
}

/// Whether one group of ratings tends to have more stars than another.
///
/// The test of Mann and Whitney by ranks, with the correction for ties and for continuity. Stars
/// are an order and not a measure, and most are at the ends: docs/decisions/032-findings.md.
struct MannWhitney {
  /// How often chance alone would part the groups as far, in either direction; 1 when one of them
  /// is empty or all stars are equal.
  let probability: Double

  /// Counts by stars: index 0 is one star.
  init(_ left: StarCounts, _ right: StarCounts) {
    let sizes = (left: Double(left.count), right: Double(right.count))
    let total = sizes.left + sizes.right
    guard sizes.left > 0, sizes.right > 0 else {
      probability = 1
      return
    }
    var ranked = 0.0
    var rankSum = 0.0
    var ties = 0.0
    for (one, other) in zip(left.counts, right.counts) {
      let tied = Double(one + other)
      rankSum += Double(one) * (ranked + (tied + 1) / 2)
      ties += tied * tied * tied - tied
      ranked += tied
    }
    let statistic = rankSum - sizes.left * (sizes.left + 1) / 2
    let mean = sizes.left * sizes.right / 2
    let variance =
      sizes.left * sizes.right / 12 * (total + 1 - ties / (total * max(total - 1, 1)))
    guard variance > 0 else {
      probability = 1
      return
    }
    let distance = max(0, abs(statistic - mean) - 0.5) / variance.squareRoot()
    probability = min(1, erfc(distance / 2.0.squareRoot()))
  }
}
