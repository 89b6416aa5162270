import Model
import Store

/// The section with the attempts of each day: its chart is a query.
enum UsageDays {
  static let id = "days"

  static func section(_ tally: UsageTally, _ data: UsageData) -> Section {
    let gaps = tally.days.compactMap { day in tally.gaps[day].map { (day: day, coverage: $0) } }
    var lead = "What became of the attempts on each day. Today, if it is among them, is not over."
    if !gaps.isEmpty {
      lead += " Hatched days are those that the ledger does not know, or knows in part."
    }
    let coverage = Block.table(
      id: "coverage", title: "Days without all of their data", of: gaps,
      columns: [
        Column("day", "Day", .leading) { .day($0.day) },
        Column("data", "Data", .leading) { .text($0.coverage.word) },
      ])
    return Section(
      id: id, title: "Day by day", lead: lead,
      blocks: (gaps.isEmpty ? [] : [coverage]) + today(tally, data) + [.definitions(definitions)])
  }

  private static let definitions = [
    Definition("Tap", "Someone pressed the feature's button."),
    Definition(
      "Free tap",
      "A tap of somebody whom the limit can block: of everybody but subscribers and new users."),
    Definition("Performed", "The action ran and succeeded, by whoever was allowed."),
    Definition("Blocked", "The limit was reached, or its cooldown was still running."),
    Definition(
      "Other",
      "All other taps: the popup was closed, or the action failed. Below zero when actions came "
        + "without their taps."),
    Definition("Popup", "The limit's popup opened, with or without uses left."),
    Definition("Dismissed", "A popup was closed."),
    Definition("Bypassed", "A subscriber or a new user went past the limit; mostly performed too."),
  ]
}

extension DayFacts {
  /// What a table says of the day.
  var dataWord: String {
    silentHours == 0
      ? coverage.word
      : "\(coverage.word), \(NumberWords.counted(silentHours, "hour")) silent"
  }
}

extension DayFacts.Coverage {
  /// What a table says of the day.
  var word: String {
    switch self {
    case .none: "none"
    case .partial: "in part"
    case .whole: "whole"
    case .awaited: "still to come"
    case .running: "not over"
    }
  }
}

extension UsageDays {
  /// The running day beside the same hours a week ago: docs/reports/days.md#comparisons.
  ///
  /// Nothing when the period is over or the day has only begun.
  private static func today(_ tally: UsageTally, _ data: UsageData) -> [Block] {
    guard let today = tally.context.comparison.today else { return [] }
    let fault = tally.context.todayFault
    let numbers: [(String, KeyPath<UsageTotals, Int>)] = [
      ("Taps", \.taps), ("Performed", \.performed), ("Blocked", \.blocked),
      ("Subscription taps", \.subscriptionTaps),
    ]
    let people = ("People active", data.activeUsersToday, data.activeUsersTodayBefore)
    let rows: [(title: String, now: Int, before: Int)] =
      [people] + numbers.map { ($0, tally.today[keyPath: $1], tally.todayBefore[keyPath: $1]) }
    // An export that is behind brings the newest hours later.
    let until = tally.context.newestLine == nil ? "until" : "known until"
    let end = ReportCalendar(timeZone: tally.context.timeZone).localTime(today.current.upperBound)
    return [
      .table(
        id: "today", title: "Today so far, \(until) \(end.clock), and the same hours a week ago",
        of: rows,
        columns: [
          Column("what", "What", .leading) { .text($0.title) },
          Column("so_far", "Today so far") { .count($0.now) },
          Column("week_before", "A week ago") { fault == nil ? .count($0.before) : .missing },
          Column("change", "Change") {
            fault == nil ? .change(PeriodChange(from: $0.before, to: $0.now)) : .missing
          },
        ],
        isFolded: true)
    ] + (fault.map { [.text("There is no comparison: \(tally.comparison.words($0)).")] } ?? [])
  }
}
