import Model

/// How the mean moved from week to week.
enum RatingWeeks {
  static func section(_ tally: RatingsTally) -> Section {
    Section(
      id: "weeks", title: "Week by week",
      lead:
        "This period and the one before it. Weeks begin on Monday; the first and the last may be "
        + "cut short.",
      blocks: [.chart(chart(tally))])
  }

  private static func chart(_ tally: RatingsTally) -> Chart {
    Chart(
      form: .line(Chart.Series("mean", "Mean stars", .main), range: 1...5),
      labels: tally.weeks.map(\.short), unit: "mean stars", alternative: alternative(tally),
      table: Table(
        id: "ratings-by-week", title: "Mean stars by week",
        columns: [Table.Column("week", "Week of", .leading)] + StarCounts.columns,
        rows: tally.byWeek.isEmpty ? [] : tally.weeks.map { row(of: $0, tally) },
        emptyText: "No rating in this period or the one before it."),
      showsTable: true)
  }

  private static func row(of week: CivilDay, _ tally: RatingsTally) -> Table.Row {
    Table.Row([.day(week)] + (tally.byWeek[week] ?? StarCounts()).cells)
  }

  private static func alternative(_ tally: RatingsTally) -> String {
    let means = tally.weeks.compactMap { tally.byWeek[$0]?.mean.value }
    guard let first = means.first, let last = means.last else { return "Nothing to draw." }
    return "The weekly mean went from \(NumberWords.decimal(first, places: 2)) to "
      + "\(NumberWords.decimal(last, places: 2)) stars."
  }
}
