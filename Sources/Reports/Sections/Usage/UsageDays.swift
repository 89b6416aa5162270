import Model

/// What each day of the period saw.
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
      id: "usage-by-day", title: "Attempts by day",
      columns: [Table.Column("day", "Day", .leading)] + UsageCounts.columns,
      rows: tally.current.isEmpty
        ? [] : tally.days.map { Table.Row([.day($0)] + (tally.byDay[$0] ?? UsageCounts()).cells) },
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
