import Model
import Testing

@testable import Reports
@testable import Store

/// Ratings of one person, and worse weeks: docs/findings.md#ratings.
@Suite struct RatingRulesTests {
  private static let last = JudgedApp.last

  private func oneRater(_ own: Int, of all: Int) -> RatingRules.OneRater? {
    let days = JudgedApp.days()
    let at = days.days[Self.last].start
    let raters = (0..<all).map {
      RatingsData.Rating(at: at, person: $0 < own ? 0 : $0 + 1, stars: 5)
    }
    return RatingRules(days: days, raters: raters).oneRater(on: Self.last)
  }

  @Test func `more than a quarter of eight ratings, and five of one person, are one rater's`() {
    for (own, all, isOne) in [
      (5, 19, true), (5, 20, false), (4, 8, false), (5, 8, true), (5, 7, false), (26, 100, true),
      (25, 100, false),
    ] { #expect((oneRater(own, of: all) != nil) == isOne, "\(own) of \(all)") }
  }

  @Test func `people without an id are not one person`() {
    let days = JudgedApp.days()
    let raters = (0..<20).map { _ in
      RatingsData.Rating(at: days.days[Self.last].start, person: nil, stars: 5)
    }
    #expect(RatingRules(days: days, raters: raters).oneRater(on: Self.last) == nil)
  }

  /// Ratings by stars.
  private func raters(
    _ stars: [Int], on day: Int, country: String? = nil, platform: String? = nil
  ) -> [RatingsData.Rating] {
    stars.enumerated().flatMap { place, count in
      (0..<count).map { _ in
        RatingsData.Rating(
          at: JudgedApp.days().days[day].start, person: nil, stars: place + 1, country: country,
          platform: platform)
      }
    }
  }

  /// After four weeks with 30 ratings a day, of four stars in the mean.
  private func worse(_ stars: [Int]) -> RatingRules.Worse? {
    let before = (0...(Self.last - 7)).flatMap { raters([2, 2, 4, 8, 14], on: $0) }
    return RatingRules(days: JudgedApp.days(), raters: before + raters(stars, on: Self.last))
      .worse(on: Self.last)
  }

  @Test func `eight ratings of one star after four weeks of four are worse, seven are not told`() {
    #expect(worse([8, 0, 0, 0, 0]) != nil)
    #expect(worse([7, 0, 0, 0, 0]) == nil)
    #expect(worse([1, 1, 1, 2, 4]) == nil)
    #expect(worse([0, 0, 0, 0, 30]) == nil)
  }

  /// Ratings by stars: of a country now and before, and elsewhere.
  private func worseCountry(
    _ now: [Int], day: Int = Self.last, before: [Int] = [0, 0, 0, 0, 8],
    dayBefore: Int = Self.last - 7, elsewhere: [Int] = [0, 0, 0, 0, 20]
  ) -> RatingRules {
    RatingRules(
      days: JudgedApp.days(),
      raters: raters(before, on: dayBefore, country: "India")
        + raters(now, on: day, country: "India") + raters(elsewhere, on: day, country: ""))
  }

  private func isWorse(_ rule: RatingRules) -> Bool { rule.worsePart(on: Self.last) != nil }

  @Test func `a country needs eight ratings in the week and before, and the others twenty`() {
    #expect(isWorse(worseCountry([8, 0, 0, 0, 0])))
    #expect(!isWorse(worseCountry([7, 0, 0, 0, 0])))
    #expect(!isWorse(worseCountry([8, 0, 0, 0, 0], before: [0, 0, 0, 0, 7])))
    #expect(!isWorse(worseCountry([8, 0, 0, 0, 0], elsewhere: [0, 0, 0, 0, 19])))
    // Who has always given one star, and where all do, is no news.
    #expect(!isWorse(worseCountry([8, 0, 0, 0, 0], before: [8, 0, 0, 0, 0])))
    #expect(!isWorse(worseCountry([8, 0, 0, 0, 0], elsewhere: [20, 0, 0, 0, 0])))
  }

  @Test(arguments: [
    (0, 7, true), (6, 34, true), (6, 35, false), (7, 41, true), (7, 42, false), (20, 48, true),
    (20, 49, false), (21, 48, false),
  ])
  func `a week, or two or three of few ratings, are compared with the twenty-eight days before`(
    daysAgo: Int, before: Int, isTold: Bool
  ) {
    let rule = worseCountry(
      [8, 0, 0, 0, 0], day: Self.last - daysAgo, dayBefore: Self.last - before)
    #expect(isWorse(rule) == isTold)
  }

  @Test(arguments: [(6, false), (7, true)])
  func `the first day that is judged has a day before its week`(day: Int, isTold: Bool) {
    let rule = worseCountry([8, 0, 0, 0, 0], day: day, dayBefore: 0)
    #expect((rule.worsePart(on: day) != nil) == isTold)
  }

  @Test(arguments: [(70, true), (69, false)])
  func `a country is worse by 0.7 stars`(threes: Int, isTold: Bool) {
    let rule = worseCountry(
      [0, 0, threes, 100 - threes, 0], before: [0, 0, 0, 100, 0], elsewhere: [0, 0, 0, 300, 0])
    #expect(isWorse(rule) == isTold)
  }

  @Test func `chance does it once in 1,000 times against others, in 100 against itself`() {
    // By Mann and Whitney: 0.0004 and 0.0013 against others, 0.003 and 0.011 against itself.
    #expect(isWorse(worseCountry([7, 0, 0, 0, 1], elsewhere: [3, 0, 0, 0, 17])))
    #expect(!isWorse(worseCountry([7, 0, 0, 0, 1], elsewhere: [4, 0, 0, 0, 16])))
    #expect(isWorse(worseCountry([6, 0, 0, 0, 2])))
    #expect(!isWorse(worseCountry([5, 0, 0, 0, 3])))
  }

  @Test func `the sentence of a country names what it had and what others have`() {
    let rule = worseCountry([8, 0, 0, 0, 0])
    let found = RatingFindings(rule: rule).found(on: Self.last).map(\.finding)
    #expect(
      found.map(\.sentence) == [
        "Stars from India fell in the last 7 days: 1.00 of 8 ratings instead of 5.00; elsewhere "
          + "5.00."
      ])
    #expect(found.map(\.id) == ["ratings-stars-fell-india-2026-03-01"])
  }

  /// Ten ratings of each of two countries on each of two platforms, five stars and then what is
  /// given.
  private func worsePart(
    _ now: [RatingRules.Part: [Int]], source: RatingFindings.Source = .app
  ) -> [Finding] {
    var given: [RatingsData.Rating] = []
    for country in ["India", "Chile"] {
      for platform in ["ios", "android"] {
        let stars = [
          RatingRules.Part(country: country), RatingRules.Part(platform: platform),
          RatingRules.Part(country: country, platform: platform),
        ].compactMap { now[$0] }.first
        for (day, stars) in [
          (Self.last - 7, [0, 0, 0, 0, 10]), (Self.last, stars ?? [0, 0, 0, 0, 10]),
        ] { given += raters(stars, on: day, country: country, platform: platform) }
      }
    }
    return RatingFindings(
      rule: RatingRules(days: JudgedApp.days(), raters: given), source: source
    ).found(on: Self.last).map(\.finding).filter { $0.sentence.contains("elsewhere") }
  }

  @Test(arguments: [
    (RatingRules.Part(country: "India"), "from India", "india"),
    (RatingRules.Part(platform: "android"), "on Android", "android"),
    (RatingRules.Part(country: "India", platform: "ios"), "from India on iOS", "india-ios"),
  ])
  func `the part that explains most is named: a country, a platform, or one on the other`(
    part: RatingRules.Part, words: String, id: String
  ) {
    let found = worsePart([part: [10, 0, 0, 0, 0]])
    #expect(found.map(\.id) == ["ratings-stars-fell-\(id)-2026-03-01"])
    #expect(
      found.first?.sentence.hasPrefix("Stars \(words) fell in the last 7 days: 1.00 of ") == true)
    #expect(found.first?.sentence.hasSuffix(" instead of 5.00; elsewhere 5.00.") == true)
    #expect(found.first?.section == "weeks")
  }

  @Test func `stars of the App Store are told as its own`() {
    let found = worsePart(
      [RatingRules.Part(country: "India"): [10, 0, 0, 0, 0]], source: .appStore)
    #expect(found.map(\.id) == ["ratings-store-stars-fell-india-2026-03-01"])
    #expect(
      found.map(\.sentence) == [
        "App Store stars from India fell in the last 7 days: 1.00 of 20 reviews instead of 5.00; "
          + "elsewhere 5.00."
      ])
    #expect(found.map(\.section) == ["app-store"])
  }

  private func rules(_ given: [[RatingsData.Rating]]) -> RatingRules {
    RatingRules(days: JudgedApp.days(), raters: given.flatMap(\.self))
  }

  @Test func `few ratings a week are judged by the shortest span that has eight`() {
    let before = raters([0, 0, 0, 0, 20], on: Self.last - 21)
    for (daysAgo, dayCount) in [(6, 7), (7, 14), (13, 14), (14, 21), (20, 21)] {
      let worse = rules([before, raters([8, 0, 0, 0, 0], on: Self.last - daysAgo)])
        .worse(on: Self.last)
      #expect(worse?.dayCount == dayCount, "\(daysAgo)")
    }
    let found = RatingFindings(
      rule: rules([before, raters([8, 0, 0, 0, 0], on: Self.last - 7)])
    ).found(on: Self.last).map(\.finding.sentence)
    #expect(found == ["Stars fell in the last 14 days: 1.00 of 8 ratings instead of 5.00."])
  }

  @Test(arguments: [(20, true), (19, false)])
  func `twenty ratings before are compared with`(before: Int, isWorse: Bool) {
    let rule = rules([
      raters([0, 0, 0, 0, before], on: Self.last - 7), raters([8, 0, 0, 0, 0], on: Self.last),
    ])
    #expect((rule.worse(on: Self.last) != nil) == isWorse)
  }

  @Test(arguments: [(40, true), (39, false)])
  func `all are worse by 0.4 stars`(fours: Int, isWorse: Bool) {
    let rule = rules([
      raters([0, 0, 0, 0, 100], on: Self.last - 7),
      raters([0, 0, 0, fours, 100 - fours], on: Self.last),
    ])
    #expect((rule.worse(on: Self.last) != nil) == isWorse)
  }

  @Test func `what a week has shown is not asked of two`() {
    func india(_ stars: [Int], _ daysAgo: Int) -> [RatingsData.Rating] {
      raters(stars, on: Self.last - daysAgo, country: "India")
    }
    let rule = rules([
      india([0, 0, 0, 0, 8], 0), india([60, 0, 0, 0, 0], 7), india([0, 0, 0, 0, 8], 14),
      raters([0, 0, 0, 0, 20], on: Self.last),
    ])
    #expect(rule.worsePart(on: Self.last) == nil)
  }
}
