import Model

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
