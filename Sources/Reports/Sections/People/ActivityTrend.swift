import Model

/// People a day and stickiness of seven days beside the seven before them:
/// docs/people.md#retention.
struct ActivityTrend {
  /// Days of each side: the same weekdays.
  static let sideDays = 7
  /// Days that the stickiness of a day looks back on, that day included.
  static let stickyDays = 28

  /// The days of a side added up.
  struct Side: Hashable {
    /// People of each day, who count once a day.
    var daily: Int
    /// People of the 28 days that end with each day.
    var fourWeekly: Int

    /// The mean number of people a day, rounded.
    var perDay: Int { Int((Double(daily) / Double(ActivityTrend.sideDays)).rounded()) }
    var stickiness: Ratio { Ratio(daily, of: fourWeekly) }
  }

  /// The newest side and the one before it; nil when there are fewer days.
  let sides: (now: Side, before: Side)?
  /// Why people a day have no trend, as the end of a sentence; nil when they have one.
  let dailyObstacle: String?
  /// The same of the stickiness, whose days each look back on 28.
  let stickyObstacle: String?
  /// Whether all days of the newest side are known whole, and all that they look back on.
  let knowsDaily: Bool
  let knowsSticky: Bool

  init(_ data: ActivityData, _ calendar: ReportCalendar) {
    let both = data.days.suffix(2 * Self.sideDays)
    guard both.count == 2 * Self.sideDays else {
      sides = nil
      dailyObstacle = "fewer than \(2 * Self.sideDays) days are over"
      stickyObstacle = dailyObstacle
      (knowsDaily, knowsSticky) = (false, false)
      return
    }
    let middle = both.startIndex + Self.sideDays
    sides = (Self.side(both[middle...]), Self.side(both[..<middle]))
    dailyObstacle = Self.unknownDay(both, calendar)
    knowsDaily = Self.unknownDay(both[middle...], calendar) == nil
    let missing = data.missingDays.map(calendar.day(of:))
    stickyObstacle = Self.stickyObstacle(both, missing, calendar)
    knowsSticky = Self.stickyObstacle(both[middle...], missing, calendar) == nil
  }

  /// The first of the days that is not known whole; nil when all are.
  private static func unknownDay(
    _ days: ArraySlice<ActivityData.Day>, _ calendar: ReportCalendar
  ) -> String? {
    days.first { $0.coverage != .whole }.map { words(calendar.day(of: $0.start)) }
  }

  /// What is missing of the days and of those that they look back on; nil when all are known whole.
  private static func stickyObstacle(
    _ days: ArraySlice<ActivityData.Day>, _ missing: [CivilDay], _ calendar: ReportCalendar
  ) -> String? {
    guard let first = days.first, let last = days.last else { return nil }
    let (earliest, latest) = (calendar.day(of: first.start), calendar.day(of: last.start))
    let gap = missing.first { $0.distance(to: earliest) < stickyDays && $0 <= latest }
    return gap.map(words) ?? unknownDay(days, calendar)
      ?? (days.contains { $0.fourWeekly == nil }
        ? "the ledger does not go back 28 days from each day" : nil)
  }

  private static func side(_ days: ArraySlice<ActivityData.Day>) -> Side {
    Side(
      daily: days.reduce(0) { $0 + $1.daily },
      fourWeekly: days.reduce(0) { $0 + ($1.fourWeekly ?? 0) })
  }

  private static func words(_ day: CivilDay) -> String { "\(day.short) is incomplete" }

  /// The figures of the section; none without days.
  func figures(_ words: CellWords) -> [Figure] {
    guard let (now, before) = sides else { return [] }
    let daily = Figure(
      id: "people-a-day", label: "People a day",
      value: knowsDaily ? .count(now.perDay) : .missing, note: "mean of the last 7 days"
    ).compared(
      dailyObstacle.map { Figure.Change(nil, note: "no trend: \($0)") }
        ?? Figure.Change(PeriodChange(from: before.perDay, to: now.perDay), note: "a week before"))
    var sticky = Figure(
      id: "stickiness", label: "Of the people of 28 days",
      value: knowsSticky ? .ratio(now.stickiness) : .missing,
      note: knowsSticky ? "people, added up over 7 days" : nil)
    sticky.changeNote =
      stickyObstacle.map { "no trend: \($0)" } ?? "\(words.words(before.stickiness)) a week before"
    return [daily, sticky]
  }
}
