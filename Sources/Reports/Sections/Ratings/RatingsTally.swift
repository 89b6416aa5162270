import Model

/// The ratings of a period in every direction that the report looks.
struct RatingsTally {
  private(set) var current = StarCounts()
  private(set) var previous = StarCounts()
  /// By the Monday of the week; also of the period before.
  private(set) var byWeek: [CivilDay: StarCounts] = [:]
  /// Nil is "not told".
  private(set) var byVersion: [String?: StarCounts] = [:]
  private(set) var byCountry: [String?: StarCounts] = [:]
  private(set) var newestAt: Instant?
  /// Ratings of each day of the period, oldest first.
  private(set) var byDay: [Int] = []
  let weeks: [CivilDay]

  init(_ facts: RatingsFacts, frame: ReportFrame, calendar: ReportCalendar) {
    let days = calendar.days(from: frame.previousStart, to: frame.end)
    let firstMonday = calendar.monday(of: frame.previousStart)
    weeks = days.isEmpty ? [] : [firstMonday] + days.dropFirst().filter { $0.weekday == 1 }
    var counts: [CivilDay: StarCounts] = [:]
    for rating in facts.ratings where rating.at >= frame.previousStart && rating.at < frame.end {
      newestAt = max(newestAt ?? rating.at, rating.at)
      byWeek[calendar.monday(of: rating.at), default: StarCounts()].add(rating)
      guard rating.at >= frame.start else {
        previous.add(rating)
        continue
      }
      current.add(rating)
      counts[calendar.day(of: rating.at), default: StarCounts()].add(rating)
      byVersion[rating.appVersion, default: StarCounts()].add(rating)
      byCountry[rating.country, default: StarCounts()].add(rating)
    }
    byDay = calendar.days(from: frame.start, to: frame.end).map { counts[$0]?.count ?? 0 }
  }
}
