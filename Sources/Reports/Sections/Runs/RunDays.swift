import Model

/// What each day's runs read and took.
enum RunDays {
  static func section(_ tally: RunsTally) -> Section {
    Section(
      id: "days", title: "Day by day",
      lead: "Reads that Google bills, the runs that made them, and how long they took.",
      blocks: [.chart(chart(tally))])
  }

  private static func chart(_ tally: RunsTally) -> Chart {
    let reads = NumberWords.counted(tally.current.billedReads, "billed read")
    return Chart(
      form: .columns([Chart.Series("reads", "Billed reads", .main)]),
      labels: tally.days.map(\.short), unit: "billed reads a day",
      weekUnit: "billed reads a week", alternative: "\(reads) in all.",
      table: Table(
        id: "runs-by-day", title: "Billed reads by day",
        columns: [
          Table.Column("day", "Day", .leading), Table.Column("reads", "Billed reads"),
          Table.Column("success", "Runs that succeeded"),
          Table.Column("median_seconds", "Median time"), Table.Column("cost", "Estimated cost"),
        ],
        rows: tally.current.runs == 0 ? [] : tally.days.map { row(of: $0, tally) },
        emptyText: "No run in this period."))
  }

  private static func row(of day: CivilDay, _ tally: RunsTally) -> Table.Row {
    let totals = tally.byDay[day] ?? RunsTally.Totals()
    return Table.Row([
      .day(day), .count(totals.billedReads), .ratio(totals.successRatio),
      totals.medianSeconds.map(Cell.seconds) ?? .missing, tally.cost.cell(totals.cost),
    ])
  }
}
