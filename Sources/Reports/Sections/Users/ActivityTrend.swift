import Model

/// People a day and stickiness of the newest seven days beside the seven before them, of the days
/// that are known: docs/people.md#retention.
struct ActivityTrend {
  /// Days of each side: the same weekdays.
  static let sideDays = 7
  /// Known days that suffice for a figure, and days of each side for a comparison.
  static let fewestDays = 4
  /// Days that the stickiness of a day looks back on, that day included.
  static let stickyDays = 28
  /// Days of these that may be missing.
  static let mostLost = 4

  /// Days added up.
  struct Side: Hashable {
    let days: Int
    /// People of each day, who count once a day.
    let daily: Int
    /// People of the 28 days that end with each day.
    let fourWeekly: Int

    init(_ days: [ActivityData.Day]) {
      self.days = days.count
      daily = days.reduce(0) { $0 + $1.daily }
      fourWeekly = days.reduce(0) { $0 + ($1.fourWeekly ?? 0) }
    }

    /// The mean number of people a day, rounded.
    var perDay: Int { Int((Double(daily) / Double(days)).rounded()) }
    var stickiness: Ratio { Ratio(daily, of: fourWeekly) }
  }

  /// The days of one figure.
  struct Known {
    /// Those of the newest seven that are known; nil of too few.
    let value: Side?
    /// The same weekdays of both weeks; nil of too few.
    let sides: (now: Side, before: Side)?

    fileprivate init(
      _ days: [ActivityData.Day], where isKnown: (ActivityData.Day) -> Bool
    ) {
      let (before, now) = (days.prefix(sideDays), days.suffix(sideDays))
      let known = now.filter(isKnown)
      value = known.count < fewestDays ? nil : Side(known)
      let pairs = zip(before, now).filter { isKnown($0) && isKnown($1) }
      sides = pairs.count < fewestDays ? nil : (Side(pairs.map(\.1)), Side(pairs.map(\.0)))
    }
  }

  let daily: Known
  let sticky: Known
  /// Days that are not known whole among those that the share of the newest seven looks back on,
  /// oldest first.
  let lost: [CivilDay]

  /// Nil while fewer than fourteen days are over.
  init?(_ data: ActivityData, _ calendar: ReportCalendar) {
    let days = Array(data.days.suffix(2 * Self.sideDays))
    guard days.count == 2 * Self.sideDays else { return nil }
    let missing = data.missingDays.map(calendar.day(of:))
    func lost(_ day: ActivityData.Day) -> [CivilDay] {
      let last = calendar.day(of: day.start)
      return missing.filter { $0 <= last && $0.distance(to: last) < Self.stickyDays }
    }
    daily = Known(days) { $0.coverage == .whole }
    sticky = Known(days) { day in
      day.coverage == .whole && day.fourWeekly != nil && lost(day).count <= Self.mostLost
    }
    self.lost = Set(days.suffix(Self.sideDays).flatMap(lost)).sorted()
  }

  func figures(_ words: CellWords) -> [Figure] {
    let people = Figure(
      id: "people-a-day", label: "People a day",
      value: daily.value.map { .count($0.perDay) } ?? .missing,
      note: "mean of \(Self.days(daily.value))"
    ).compared(
      daily.sides.map { now, before in
        Figure.Change(
          change: PeriodChange(from: before.perDay, to: now.perDay),
          note: "a week before" + Self.shorter(now))
      } ?? Figure.Change(note: "no trend: too few days are known"))
    var share = Figure(
      id: "stickiness", label: "Of the people of 28 days",
      value: sticky.value.map { .ratio($0.stickiness) } ?? .missing,
      note: sticky.value.map {
        "added up over \(Self.days($0)): a person counts on each\(incomplete)"
      })
    share.changeNote =
      sticky.sides.map { now, before in
        "\(words.words(before.stickiness)) a week before\(Self.shorter(now))"
      } ?? "no trend: too few days are known with the 28 before them"
    return [people, share]
  }

  /// `the last 7 days`, or `6 of the last 7 days`.
  private static func days(_ side: Side?) -> String {
    let count = side?.days ?? sideDays
    return "\(count < sideDays ? "\(count) of " : "")the last \(sideDays) days"
  }

  private static func shorter(_ side: Side) -> String {
    side.days < sideDays ? ", of \(side.days) days each" : ""
  }

  /// The lost days that the share looks back on; nothing without one.
  private var incomplete: String {
    guard let first = lost.first else { return "" }
    return lost.count == 1
      ? "; \(first.short) is incomplete" : "; \(lost.count) days are incomplete"
  }
}
