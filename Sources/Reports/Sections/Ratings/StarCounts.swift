import Model

/// Ratings counted by stars, with their mean.
struct StarCounts {
  /// By stars: index 0 for one star.
  private(set) var counts = [0, 0, 0, 0, 0]
  private(set) var mean = Mean()

  mutating func add(_ rating: RatingsFacts.Rating) {
    guard (1...5).contains(rating.stars) else { return }
    counts[rating.stars - 1] += 1
    mean.add(rating.stars)
  }

  /// Adds so many of each, index 0 for one star.
  mutating func add(_ more: [Int]) {
    for (index, count) in more.enumerated() {
      counts[index] += count
      mean.total += count * (index + 1)
      mean.count += count
    }
  }

  /// Ratings of one, two or three stars: those that are asked for feedback.
  var low: Int { counts[0] + counts[1] + counts[2] }
  var high: Int { counts[3] + counts[4] }
  var count: Int { mean.count }

  /// Number, mean, and how the stars are distributed, five stars first.
  static let columns =
    [Table.Column("count", "Ratings", drawsBars: true), Table.Column("mean", "Mean")]
    + (1...5).reversed().map { Table.Column("stars_\($0)", "\($0) ★") }

  /// The cells of `columns`.
  var cells: [Cell] {
    [.count(count), .mean(mean)] + counts.reversed().map(Cell.count)
  }
}
