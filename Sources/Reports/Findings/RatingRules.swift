import Model
import Store

/// Finds weeks whose ratings one person gave, or that are worse than the weeks before:
/// docs/findings.md#ratings.
struct RatingRules {
  static let week = 7
  /// Ratings that a week needs, and those of the four weeks before.
  static let fewestRatings = 8
  static let fewestBefore = 20
  /// Of one person: how many, and more than what share.
  static let fewestOfOne = 5
  static let share = 0.25
  /// The least difference of means, and how often chance may do as much.
  static let leastDifference = 0.4
  static let probability = 0.002
  /// The same of one country, against itself and against the others: the ratings that it and the
  /// others need, the least difference, and how often chance may do as much; ten times as often
  /// against itself.
  static let fewestElsewhere = 20
  static let leastDifferenceOfCountry = 0.7
  static let probabilityOfCountry = 0.001

  let days: JudgedDays
  let raters: [RatingsData.Rating]
  /// Replaces `share`; nil leaves it.
  var ownShare: Double?

  struct OneRater: Hashable {
    let count: Int
    let whole: Int
  }

  /// The person who gave more of the ratings of a week, or of its last day, than their share.
  func oneRater(on day: Int) -> OneRater? {
    [1, Self.week].lazy.compactMap { length in
      let start = days.days[max(0, day - length + 1)].start
      let given = raters.filter { $0.at >= start && $0.at < days.days[day].end }
      let byPerson = Dictionary(grouping: given.compactMap(\.person)) { $0 }.mapValues(\.count)
      guard let most = byPerson.values.max(), given.count >= Self.fewestRatings,
        most >= Self.fewestOfOne, Double(most) > (ownShare ?? Self.share) * Double(given.count)
      else { return nil }
      return OneRater(count: most, whole: given.count)
    }.first
  }

  struct Worse: Hashable {
    let week: StarCounts
    let before: StarCounts
    let probability: Double
  }

  /// Nil for a week like the four before, and with too few ratings.
  func worse(on day: Int) -> Worse? {
    let first = day - Self.week + 1
    guard first > 0 else { return nil }
    let week = stars(first...day)
    let before = stars(max(0, first - JudgedDays.compared)...(first - 1))
    guard week.count >= Self.fewestRatings, before.count >= Self.fewestBefore,
      before.mean.exact - week.mean.exact >= Self.leastDifference
    else { return nil }
    let test = MannWhitney(week, before)
    return test.probability < Self.probability
      ? Worse(week: week, before: before, probability: test.probability) : nil
  }

  /// A country whose ratings fell, while those of the others are as ever.
  struct WorseCountry: Hashable {
    let name: String
    let stars: Worse
    let elsewhere: StarCounts
  }

  /// The one that chance explains least; nil when none fell by itself.
  func worseCountry(on day: Int) -> WorseCountry? {
    let first = day - Self.week + 1
    guard first > 0 else { return nil }
    let week = starsByCountry(first...day)
    let before = starsByCountry(max(0, first - JudgedDays.compared)...(first - 1))
    return week.filter { !$0.key.isEmpty }.compactMap { name, own -> WorseCountry? in
      var elsewhere = StarCounts()
      for (other, stars) in week where other != name { elsewhere.add(stars.counts) }
      guard let earlier = before[name], min(own.count, earlier.count) >= Self.fewestRatings,
        elsewhere.count >= Self.fewestElsewhere,
        min(earlier.mean.exact, elsewhere.mean.exact) - own.mean.exact
          >= Self.leastDifferenceOfCountry
      else { return nil }
      let probability = MannWhitney(own, elsewhere).probability
      guard probability < Self.probabilityOfCountry,
        MannWhitney(own, earlier).probability < 10 * Self.probabilityOfCountry
      else { return nil }
      return WorseCountry(
        name: name, stars: Worse(week: own, before: earlier, probability: probability),
        elsewhere: elsewhere)
    }.min { ($0.stars.probability, $0.name) < ($1.stars.probability, $1.name) }
  }

  /// Ratings without a country have none as their name.
  private func starsByCountry(_ span: ClosedRange<Int>) -> [String: StarCounts] {
    let (start, end) = (days.days[span.lowerBound].start, days.days[span.upperBound].end)
    var found: [String: StarCounts] = [:]
    for rater in raters where rater.at >= start && rater.at < end {
      let one = (1...5).map { $0 == rater.stars ? 1 : 0 }
      found[rater.country ?? "", default: StarCounts()].add(one)
    }
    return found
  }

  private func stars(_ span: ClosedRange<Int>) -> StarCounts {
    var sum = StarCounts()
    for day in span { sum.add(days.days[day].stars) }
    return sum
  }
}

/// Ratings of one person and worse stars, in sentences: docs/findings.md#ratings.
struct RatingFindings {
  let rule: RatingRules

  private var days: JudgedDays { rule.days }

  func found(on day: Int) -> [Detection] {
    [oneRater(on: day), worseCountry(on: day), worse(on: day)].compactMap(\.self)
  }

  private func oneRater(on day: Int) -> Detection? {
    guard let found = rule.oneRater(on: day) else { return nil }
    let first = days.firstDay(until: day) { rule.oneRater(on: $0) != nil }
    let share = Ratio(found.count, of: found.whole)
    return Detection(
      .warn, .oneRater, "one-rater", since: first, days.names,
      at: (.ratings, RatingsReport.starsId),
      weight: 450, topics: [.ratings], explains: [.ratings, .stars],
      "One person gave \(NumberWords.grouped(found.count)) of the last "
        + "\(NumberWords.counted(found.whole, "rating")) (\(NumberWords.percent(share.percent))).",
      evidence: [
        Evidence("Ratings of one person", found.count, .ratings),
        Evidence("Ratings of all", found.whole, .ratings),
      ],
      advice:
        "See who: `firetally sql \"SELECT user_id, count(*) FROM rating WHERE in_period GROUP "
        + "BY 1 ORDER BY 2 DESC\"`; the app should ask each person once.")
  }

  private func worseCountry(on day: Int) -> Detection? {
    guard let found = rule.worseCountry(on: day) else { return nil }
    let name = VisibleText.clipped(found.name, to: 40)
    let means = [found.stars.week, found.stars.before, found.elsewhere].map(\.mean.exact)
    let words = means.map { NumberWords.decimal($0, places: 2) }
    return fall(
      until: day, weight: 320, of: found.name,
      "Stars from \(name) fell in the last 7 days: \(words[0]) of "
        + "\(NumberWords.counted(found.stars.week.count, "rating")) instead of \(words[1]); "
        + "elsewhere \(words[2]).",
      evidence: [
        Evidence("Mean stars from \(name), last 7 days", means[0], .stars),
        Evidence("Mean stars from \(name), the 28 days before", means[1], .stars),
        Evidence("Mean stars elsewhere, last 7 days", means[2], .stars),
        Evidence("Chance of such a difference", found.stars.probability, .probability),
      ],
      advice: "Read what people write there, and see with which version."
    ) { rule.worseCountry(on: $0)?.name == found.name }
  }

  private func worse(on day: Int) -> Detection? {
    guard let found = rule.worse(on: day) else { return nil }
    return fall(
      until: day, weight: 300, of: nil,
      "Stars fell in the last 7 days: \(NumberWords.decimal(found.week.mean.exact, places: 2)) of "
        + "\(NumberWords.counted(found.week.count, "rating")) instead of "
        + "\(NumberWords.decimal(found.before.mean.exact, places: 2)).",
      evidence: [
        Evidence("Mean stars of the last 7 days", found.week.mean.exact, .stars),
        Evidence("Mean stars of the 28 days before", found.before.mean.exact, .stars),
        Evidence("Chance of such a difference", found.probability, .probability),
      ],
      advice: "Read the newest feedback, and compare versions and countries."
    ) { rule.worse(on: $0) != nil }
  }

  /// Weeks that share a day are one matter; only the last days in a row are explained by others.
  private func fall(
    until day: Int, weight: Double, of country: String?, _ sentence: String, evidence: [Evidence],
    advice: String, isFound: (Int) -> Bool
  ) -> Detection {
    let first = days.firstDay(until: day, across: RatingRules.week - 1, isFound)
    var found = Detection(
      .warn, .stars, "stars fell" + (country.map { " \($0)" } ?? ""), since: first, days.names,
      at: (.ratings, "weeks"), weight: weight, topics: [.stars], direction: .fell,
      explains: [.stars], sentence, evidence: evidence, advice: advice)
    found.firstDay = days.firstDay(until: day, isFound)
    return found
  }
}
