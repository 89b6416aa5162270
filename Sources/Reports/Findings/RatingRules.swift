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
  /// The same of a country or a platform, against itself and against the others: the ratings that
  /// it and the others need, the least difference, and how often chance may do as much; ten times
  /// as often against itself.
  static let fewestElsewhere = 20
  static let leastDifferenceOfPart = 0.7
  static let probabilityOfPart = 0.001

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

  /// The newest ratings of some days, and those of the four weeks before these.
  struct Worse: Hashable {
    let dayCount: Int
    let stars: StarCounts
    let before: StarCounts
    let probability: Double
  }

  /// Nil for a week like the four before it, and with too few ratings; of few ratings a week, for
  /// two weeks or three.
  func worse(on day: Int) -> Worse? {
    guard let span = spans(until: day).first(where: { $0.stars.count >= Self.fewestRatings })
    else { return nil }
    let (stars, before) = (span.stars, span.before.all)
    guard before.count >= Self.fewestBefore,
      before.mean.exact - stars.mean.exact >= Self.leastDifference
    else { return nil }
    let test = MannWhitney(stars, before)
    return test.probability < Self.probability
      ? Worse(
        dayCount: span.dayCount, stars: stars, before: before, probability: test.probability) : nil
  }

  /// A country, a platform, or a country on a platform.
  struct Part: Hashable {
    var country: String?
    var platform: String?

    /// The parts that a rating belongs to.
    static func all(of rater: RatingsData.Rating) -> [Part] {
      let (country, platform) = (rater.country ?? "", rater.platform ?? "")
      var parts: [Part] = []
      if !country.isEmpty { parts.append(Part(country: country)) }
      if !platform.isEmpty { parts.append(Part(platform: platform)) }
      if parts.count == 2 { parts.append(Part(country: country, platform: platform)) }
      return parts
    }

    /// In order, and in the ids of findings.
    var name: String { [country, platform].compactMap(\.self).joined(separator: " ") }
  }

  /// A part whose ratings fell, while those of the others are as ever.
  struct WorsePart: Hashable {
    let part: Part
    let stars: Worse
    let elsewhere: StarCounts
  }

  /// The one that chance explains least; nil when none fell by itself.
  func worsePart(on day: Int) -> WorsePart? {
    var judged: Set<Part> = []
    var found: [WorsePart] = []
    for span in spans(until: day) {
      for (part, stars) in span.parts
      where stars.count >= Self.fewestRatings && judged.insert(part).inserted {
        worse(part, stars, in: span).map { found.append($0) }
      }
    }
    return found.min { ($0.stars.probability, $0.part.name) < ($1.stars.probability, $1.part.name) }
  }

  private func worse(_ part: Part, _ own: StarCounts, in span: Span) -> WorsePart? {
    let elsewhere = StarCounts(zip(span.stars.counts, own.counts).map(-))
    guard let before = span.before.parts[part], before.count >= Self.fewestRatings,
      elsewhere.count >= Self.fewestElsewhere,
      min(before.mean.exact, elsewhere.mean.exact) - own.mean.exact >= Self.leastDifferenceOfPart
    else { return nil }
    let probability = MannWhitney(own, elsewhere).probability
    guard probability < Self.probabilityOfPart,
      MannWhitney(own, before).probability < 10 * Self.probabilityOfPart
    else { return nil }
    let stars = Worse(
      dayCount: span.dayCount, stars: own, before: before, probability: probability)
    return WorsePart(part: part, stars: stars, elsewhere: elsewhere)
  }

  private typealias Stars = (parts: [Part: StarCounts], all: StarCounts)

  /// The days up to one, and what the four weeks before them had.
  private struct Span {
    let dayCount: Int
    let parts: [Part: StarCounts]
    let stars: StarCounts
    let before: Stars
  }

  /// A week, then two and three for those who rate seldom; none that begins the history.
  private func spans(until day: Int) -> some Sequence<Span> {
    (1...3).lazy.map { $0 * Self.week }.filter { $0 <= day }.map { dayCount in
      let first = day - dayCount + 1
      let recent = stars(first...day)
      return Span(
        dayCount: dayCount, parts: recent.parts, stars: recent.all,
        before: stars(max(0, first - JudgedDays.compared)...(first - 1)))
    }
  }

  /// The stars of each part, and of all.
  private func stars(_ span: ClosedRange<Int>) -> Stars {
    let (start, end) = (days.days[span.lowerBound].start, days.days[span.upperBound].end)
    var found: Stars = ([:], StarCounts())
    for rater in raters where rater.at >= start && rater.at < end {
      found.all.add(rater)
      for part in Part.all(of: rater) { found.parts[part, default: StarCounts()].add(rater) }
    }
    return found
  }
}

/// Ratings of one person and worse stars, in sentences: docs/findings.md#ratings.
struct RatingFindings {
  /// Where ratings are given.
  enum Source {
    case app, appStore

    var title: String { self == .app ? "Stars" : "App Store stars" }
    var idPrefix: String { self == .app ? "" : "store " }
    var noun: String { self == .app ? "rating" : "review" }
    var section: String { self == .app ? RatingsReport.weeksId : StoreRatings.id }
  }

  let rule: RatingRules
  var source = Source.app

  private var days: JudgedDays { rule.days }

  func found(on day: Int) -> [Detection] {
    [oneRater(on: day), worsePart(on: day), worse(on: day)].compactMap(\.self)
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

  private func worsePart(on day: Int) -> Detection? {
    guard let found = rule.worsePart(on: day) else { return nil }
    return fall(
      until: day, weight: 320, of: found.part, found.stars, elsewhere: found.elsewhere,
      advice: "Read what people write there, and see with which version."
    ) { rule.worsePart(on: $0)?.part == found.part }
  }

  private func worse(on day: Int) -> Detection? {
    guard let found = rule.worse(on: day) else { return nil }
    return fall(
      until: day, weight: 300, of: nil, found, elsewhere: nil,
      advice: "Read the newest feedback, and compare versions and countries."
    ) { rule.worse(on: $0) != nil }
  }

  /// Weeks that share a day are one matter; only the last days in a row are explained by others.
  private func fall(
    until day: Int, weight: Double, of part: RatingRules.Part?, _ worse: RatingRules.Worse,
    elsewhere: StarCounts?, advice: String, isFound: (Int) -> Bool
  ) -> Detection {
    let first = days.firstDay(until: day, across: worse.dayCount - 1, isFound)
    var found = Detection(
      .warn, .stars, "\(source.idPrefix)stars fell" + (part.map { " \($0.name)" } ?? ""),
      since: first, days.names, at: (.ratings, source.section), weight: weight,
      topics: [.stars], direction: .fell, explains: [.stars],
      sentence(part, worse, elsewhere: elsewhere),
      evidence: evidence(part, worse, elsewhere: elsewhere), advice: advice)
    found.firstDay = days.firstDay(until: day, isFound)
    return found
  }

  private func sentence(
    _ part: RatingRules.Part?, _ worse: RatingRules.Worse, elsewhere: StarCounts?
  ) -> String {
    func mean(_ stars: StarCounts) -> String { NumberWords.decimal(stars.mean.exact, places: 2) }
    let count = NumberWords.counted(worse.stars.count, source.noun)
    return "\(source.title)\(place(part)) fell in the last \(worse.dayCount) days: "
      + "\(mean(worse.stars)) of \(count) instead of \(mean(worse.before))"
      + (elsewhere.map { "; elsewhere \(mean($0))." } ?? ".")
  }

  /// Empty for all, else with a space before it.
  private func place(_ part: RatingRules.Part?) -> String {
    let country = part?.country.map { " from \(VisibleText.clipped($0, to: 40))" } ?? ""
    return country + (part?.platform.map { " on \(PlatformWords.title($0))" } ?? "")
  }

  private func evidence(
    _ part: RatingRules.Part?, _ worse: RatingRules.Worse, elsewhere: StarCounts?
  ) -> [Evidence] {
    let (place, days) = (place(part), "last \(worse.dayCount) days")
    let others = elsewhere.map { Evidence("Mean stars elsewhere, \(days)", $0.mean.exact, .stars) }
    return [
      Evidence("Mean stars\(place), \(days)", worse.stars.mean.exact, .stars),
      Evidence("Mean stars\(place), the 28 days before", worse.before.mean.exact, .stars),
      others, Evidence("Chance of such a difference", worse.probability, .probability),
    ].compactMap(\.self)
  }
}
