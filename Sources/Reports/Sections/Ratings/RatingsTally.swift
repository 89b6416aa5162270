import Model
import Store

/// The ratings of a period, counted by day.
struct RatingsTally {
  private(set) var current = StarCounts()
  /// The two sides of the comparison.
  private(set) var compared = StarCounts()
  private(set) var previous = StarCounts()
  private(set) var newestAt: Instant?
  /// The number of ratings on each day of the period, oldest first; nil for an unknown day
  /// without one.
  private(set) var byDay: [Int?] = []

  let context: ReportContext

  init(_ data: RatingsData, context: ReportContext, calendar: ReportCalendar) {
    self.context = context
    var counts: [CivilDay: StarCounts] = [:]
    for rating in data.ratings where rating.at >= context.previousStart && rating.at < context.end {
      newestAt = max(newestAt ?? rating.at, rating.at)
      if let main = context.comparison.main {
        if main.previous.contains(rating.at) { previous.add(rating) }
        if main.current.contains(rating.at) { compared.add(rating) }
      }
      guard rating.at >= context.start else { continue }
      current.add(rating)
      counts[calendar.day(of: rating.at), default: StarCounts()].add(rating)
    }
    let unknown = Set(context.unknownDays.map(calendar.day(of:)))
    byDay = calendar.days(from: context.start, to: context.end).map {
      counts[$0]?.count ?? (unknown.contains($0) ? nil : 0)
    }
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
