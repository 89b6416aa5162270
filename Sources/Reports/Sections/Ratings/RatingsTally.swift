import Model

/// The ratings of a period, counted by week, day, version and country.
struct RatingsTally {
  private(set) var current = StarCounts()
  /// The two sides of the comparison.
  private(set) var compared = StarCounts()
  private(set) var previous = StarCounts()
  /// By the Monday of the week; includes the period before.
  private(set) var byWeek: [CivilDay: StarCounts] = [:]
  /// A nil version or country was not told.
  private(set) var byVersion: [String?: StarCounts] = [:]
  private(set) var byCountry: [String?: StarCounts] = [:]
  private(set) var newestAt: Instant?
  /// The number of ratings on each day of the period, oldest first; nil for an unknown day
  /// without one.
  private(set) var byDay: [Int?] = []
  /// The Mondays of both periods, oldest first.
  let weeks: [CivilDay]

  let context: ReportContext

  init(_ data: RatingsData, context: ReportContext, calendar: ReportCalendar) {
    let days = calendar.days(from: context.previousStart, to: context.end)
    let firstMonday = calendar.monday(of: context.previousStart)
    self.context = context
    weeks = days.isEmpty ? [] : [firstMonday] + days.dropFirst().filter { $0.weekday == 1 }
    var counts: [CivilDay: StarCounts] = [:]
    for rating in data.ratings where rating.at >= context.previousStart && rating.at < context.end {
      newestAt = max(newestAt ?? rating.at, rating.at)
      byWeek[calendar.monday(of: rating.at), default: StarCounts()].add(rating)
      if let main = context.comparison.main {
        if main.previous.contains(rating.at) { previous.add(rating) }
        if main.current.contains(rating.at) { compared.add(rating) }
      }
      guard rating.at >= context.start else { continue }
      current.add(rating)
      counts[calendar.day(of: rating.at), default: StarCounts()].add(rating)
      byVersion[rating.appVersion, default: StarCounts()].add(rating)
      byCountry[rating.country, default: StarCounts()].add(rating)
    }
    let unknown = Set(context.unknownDays.map(calendar.day(of:)))
    byDay = calendar.days(from: context.start, to: context.end).map {
      counts[$0]?.count ?? (unknown.contains($0) ? nil : 0)
    }
  }
}

/// Ratings counted by stars, with their mean.
struct StarCounts {
  /// By stars: index 0 for one star.
  private(set) var counts = [0, 0, 0, 0, 0]
  private(set) var mean = Mean()

  mutating func add(_ rating: RatingsData.Rating) {
    guard (1...5).contains(rating.stars) else { return }
    counts[rating.stars - 1] += 1
    mean.add(rating.stars)
  }

  /// Adds counts by stars: index 0 for one star.
  mutating func add(_ more: [Int]) {
    for (index, count) in more.enumerated() {
      counts[index] += count
      mean.total += count * (index + 1)
      mean.count += count
    }
  }

  /// Ratings of one to three stars, after which the app asks for feedback.
  var low: Int { counts[0] + counts[1] + counts[2] }
  /// Ratings of four and five stars.
  var high: Int { counts[3] + counts[4] }
  var count: Int { mean.count }

  /// Number, mean, and the count of each star, five stars first.
  static var columns: [Column<StarCounts>] { columns(drawsBars: true) }

  static func columns(drawsBars: Bool) -> [Column<StarCounts>] {
    [
      Column("count", "Ratings", drawsBars: drawsBars) { .count($0.count) },
      Column("mean", "Mean") { .mean($0.mean) },
    ]
      + (1...5).reversed().map { stars in
        Column("stars_\(stars)", "\(stars) ★") { .count($0.counts[stars - 1]) }
      }
  }
}
