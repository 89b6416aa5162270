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

  let days: JudgedDays
  let raters: [RatingsData.Rater]
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

  private func stars(_ span: ClosedRange<Int>) -> StarCounts {
    var sum = StarCounts()
    for day in span { sum.add(days.days[day].stars) }
    return sum
  }
}
