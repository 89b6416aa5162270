import Model
import Store
import Testing

@testable import Reports

/// Ratings of one person, and worse weeks: docs/findings.md#ratings.
@Suite struct RatingRulesTests {
  private static let last = JudgedApp.last

  private func oneRater(_ own: Int, of all: Int) -> RatingRules.OneRater? {
    let days = JudgedApp.days()
    let at = days.days[Self.last].start
    let raters = (0..<all).map { RatingsData.Rater(at: at, person: $0 < own ? 0 : $0 + 1) }
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
      RatingsData.Rater(at: days.days[Self.last].start, person: nil)
    }
    #expect(RatingRules(days: days, raters: raters).oneRater(on: Self.last) == nil)
  }

  private func worse(_ stars: [Int]) -> RatingRules.Worse? {
    let days = JudgedApp.days { days in
      for day in (Self.last - 6)...Self.last { days[day].stars = [0, 0, 0, 0, 0] }
      days[Self.last].stars = stars
    }
    return RatingRules(days: days, raters: []).worse(on: Self.last)
  }

  @Test func `eight ratings of one star after four weeks of four are worse, seven are not told`() {
    #expect(worse([8, 0, 0, 0, 0]) != nil)
    #expect(worse([7, 0, 0, 0, 0]) == nil)
    #expect(worse([1, 1, 1, 2, 4]) == nil)
    #expect(worse([0, 0, 0, 0, 30]) == nil)
  }
}
