import Model

/// The section with the attempts of each day.
enum UsageDays {
  static let id = "days"

  static func section(_ tally: UsageTally, _ data: UsageData) -> Section {
    Section(
      id: id, title: "Day by day", lead: lead(tally),
      blocks: [.chart(chart(tally))] + coverage(tally) + UsageToday.blocks(tally, data)
        + [.definitions(definitions)])
  }

  private static func lead(_ tally: UsageTally) -> String {
    let lead = "What became of the attempts on each day. Today, if it is among them, is not over."
    guard tally.days.contains(where: { tally.gaps[$0] != nil }) else { return lead }
    return lead + " Hatched days are those that the ledger does not know, or knows in part."
  }

  private static func chart(_ tally: UsageTally) -> Chart {
    var chart = Chart(
      form: .columns([
        Chart.Series("performed", "Performed", .main), Chart.Series("blocked", "Blocked", .blocked),
      ]),
      labels: tally.days.map(\.short), unit: "attempts a day", weekUnit: "attempts a week",
      alternative: alternative(tally), table: table(tally))
    chart.uncovered = Set(tally.days.indices.filter { tally.gaps[tally.days[$0]] != nil })
    return chart
  }

  private static func table(_ tally: UsageTally) -> Table {
    Table(
      id: "usage-by-day", title: "Attempts by day", of: tally.current.isEmpty ? [] : tally.days,
      columns: [Column("day", "Day", .leading) { .day($0) }]
        + UsageTotals.numbers.map { number in
          Column(number.id, number.title) {
            .optional(tally.counts(of: $0)?[keyPath: number.path])
          }
        },
      emptyText: tally.context.emptyText("No feature was used in this period."))
  }

  /// The days of the period that the ledger does not know wholly; nothing when there are none.
  private static func coverage(_ tally: UsageTally) -> [Block] {
    let rows = tally.days.compactMap { day in tally.gaps[day].map { (day: day, coverage: $0) } }
    guard !rows.isEmpty else { return [] }
    let table = Table(
      id: "coverage", title: "Days without all of their data", of: rows,
      columns: [
        Column("day", "Day", .leading) { .day($0.day) },
        Column("data", "Data", .leading) { .text($0.coverage.word) },
      ],
      emptyText: "")
    return [.table(table)]
  }

  private static func alternative(_ tally: UsageTally) -> String {
    let counts = tally.byDay(\.performed).compactMap(\.self)
    guard let least = counts.min(), let most = counts.max() else { return "Nothing to draw." }
    return "Between \(NumberWords.grouped(least)) and "
      + "\(NumberWords.grouped(most)) performed a day, "
      + "\(NumberWords.grouped(tally.current.blocked)) blocked in all."
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

/// The running day beside the same hours a week ago: docs/reports/days.md#comparisons.
enum UsageToday {
  private struct Row {
    var title: String
    var now: Int
    var before: Int
  }

  /// Nothing when the period is over or the day has only begun.
  static func blocks(_ tally: UsageTally, _ data: UsageData) -> [Block] {
    guard let today = tally.context.comparison.today else { return [] }
    let fault = tally.context.todayFault
    let rows =
      [Row(title: "People active", now: data.activeUsersToday, before: data.activeUsersTodayBefore)]
      + numbers.map { title, number in
        Row(
          title: title, now: tally.today[keyPath: number],
          before: tally.todayBefore[keyPath: number])
      }
    let table = Table(
      id: "today", title: title(until: today.current.upperBound, tally), of: rows,
      columns: [
        Column("what", "What", .leading) { .text($0.title) },
        Column("so_far", "Today so far") { .count($0.now) },
        Column("week_before", "A week ago") { fault == nil ? .count($0.before) : .missing },
        Column("change", "Change") {
          fault == nil ? .change(PeriodChange(from: $0.before, to: $0.now)) : .missing
        },
      ],
      emptyText: "The day has only begun.")
    guard let fault else { return [.table(table.folded)] }
    return [
      .table(table.folded),
      .text("There is no comparison: \(tally.comparison.words(fault))."),
    ]
  }

  private static var numbers: [(String, KeyPath<UsageTotals, Int>)] {
    [
      ("Taps", \.taps), ("Performed", \.performed), ("Blocked", \.blocked),
      ("Subscription taps", \.subscriptionTaps),
    ]
  }

  private static func title(until end: Instant, _ tally: UsageTally) -> String {
    let local = ReportCalendar(timeZone: tally.context.timeZone).localTime(end)
    return "Today so far, until \(CivilDay.twoDigits(local.hour)):"
      + "\(CivilDay.twoDigits(local.minute)), and the same hours a week ago"
  }
}
