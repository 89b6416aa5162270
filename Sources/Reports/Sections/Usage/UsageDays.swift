import Model

/// The section with the attempts of each day.
enum UsageDays {
  static let id = "days"

  static func section(_ tally: UsageTally) -> Section {
    Section(
      id: id, title: "Day by day",
      lead: "What became of the attempts on each day. Today, if it is among them, is not over.",
      blocks: [.chart(chart(tally)), .definitions(definitions)])
  }

  private static func chart(_ tally: UsageTally) -> Chart {
    Chart(
      form: .columns([
        Chart.Series("performed", "Performed", .main), Chart.Series("blocked", "Blocked", .blocked),
      ]),
      labels: tally.days.map(\.short), unit: "attempts a day", weekUnit: "attempts a week",
      alternative: alternative(tally), table: table(tally))
  }

  private static func table(_ tally: UsageTally) -> Table {
    Table(
      id: "usage-by-day", title: "Attempts by day", of: tally.current.isEmpty ? [] : tally.days,
      columns: [Column("day", "Day", .leading) { .day($0) }]
        + UsageCounts.columns.reading { tally.byDay[$0] ?? UsageCounts() },
      emptyText: "No feature was used in this period.")
  }

  private static func alternative(_ tally: UsageTally) -> String {
    let counts = tally.days.map { tally.byDay[$0]?.performed ?? 0 }
    guard let least = counts.min(), let most = counts.max() else { return "Nothing to draw." }
    return "Between \(NumberWords.grouped(least)) and "
      + "\(NumberWords.grouped(most)) performed a day, "
      + "\(NumberWords.grouped(tally.current.blocked)) blocked in all."
  }

  private static let definitions = [
    Definition("Tap", "Someone pressed the feature's button."),
    Definition("Popup", "The limit's popup opened, with or without uses left."),
    Definition("Performed", "The action ran and succeeded, by whoever was allowed."),
    Definition("Blocked", "The limit was reached, or its cooldown was still running."),
    Definition("Bypassed", "A subscriber or a new user went past the limit; mostly performed too."),
  ]
}

/// The section with the taps by hour and weekday.
enum UsageHours {
  static func section(_ tally: UsageTally, covered: [[Bool]]) -> Section {
    Section(
      id: "hours", title: "Hours of the week",
      lead: "Taps by the hour and weekday on which they were made, in this report's time zone.",
      blocks: [.chart(chart(tally, covered))])
  }

  /// Hours that are not in the period, as those that are still to come, have no number.
  private static func chart(_ tally: UsageTally, _ covered: [[Bool]]) -> Chart {
    let taps = tally.tapsByWeekdayAndHour
    return Chart(
      form: .heatMap, labels: (0..<24).map { "\(CivilDay.twoDigits($0))" }, unit: "taps an hour",
      alternative: alternative(taps),
      table: Table(
        id: "taps-by-hour", title: "Taps by hour and weekday",
        of: tally.current.taps == 0 ? [] : Array(0..<24),
        columns: [Column("hour", "Hour", .leading) { .text("\(CivilDay.twoDigits($0)):00") }]
          + CivilDay.weekdayNames.indices.map { weekday in
            let name = CivilDay.weekdayNames[weekday]
            return Column(name.lowercased(), name) {
              covered[weekday][$0] || taps[weekday][$0] > 0 ? .count(taps[weekday][$0]) : .missing
            }
          },
        emptyText: "No tap in this period."))
  }

  private static func alternative(_ taps: [[Int]]) -> String {
    var best = (weekday: 0, hour: 0, taps: 0)
    for (weekday, hours) in taps.enumerated() {
      for (hour, count) in hours.enumerated() where count > best.taps {
        best = (weekday, hour, count)
      }
    }
    guard best.taps > 0 else { return "No tap in this period." }
    return "The busiest hour is \(CivilDay.weekdayNames[best.weekday]) "
      + "\(CivilDay.twoDigits(best.hour)):00 with \(NumberWords.counted(best.taps, "tap"))."
  }
}
