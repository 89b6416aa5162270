import Model
import Store

extension PeriodTally<StarCounts> {
  init(_ ratings: [RatingsData.Rating], _ context: ReportContext) {
    self.init(from: StarCounts(), context)
    for rating in ratings { add(at: rating.at) { $0.add(rating) } }
  }
}

/// Ratings counted by stars, with their mean.
struct StarCounts: Hashable {
  /// By stars: index 0 for one star.
  private(set) var counts: [Int]

  init(_ counts: [Int] = [0, 0, 0, 0, 0]) {
    self.counts = counts
  }

  mutating func add(_ rating: RatingsData.Rating) {
    guard (1...5).contains(rating.stars) else { return }
    counts[rating.stars - 1] += 1
  }

  /// Adds counts by stars: index 0 for one star.
  mutating func add(_ more: [Int]) {
    for (index, count) in more.enumerated() { counts[index] += count }
  }

  var mean: Mean {
    Mean(
      total: counts.enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element }, count: count)
  }

  /// Ratings of one to three stars, after which the app asks for feedback.
  var low: Int { counts[0] + counts[1] + counts[2] }
  /// Ratings of four and five stars.
  var high: Int { counts[3] + counts[4] }
  var count: Int { counts.reduce(0, +) }
}
