import Model

/// The section with the runs of each day.
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
      weekUnit: "billed reads a week", alternative: "\(reads) in all.", table: table(tally))
  }

  private static func table(_ tally: RunsTally) -> Table {
    let rows = tally.days.map { (day: $0, totals: tally.byDay[$0] ?? RunTotals()) }
    return Table(
      id: "runs-by-day", title: "Billed reads by day",
      of: tally.current.runs == 0 ? [] : rows,
      columns: [
        Column("day", "Day", .leading) { .day($0.day) },
        Column("reads", "Billed reads") { .count($0.totals.billedReads) },
        Column("success", "Runs that succeeded") { .ratio($0.totals.successRatio) },
        Column("median_seconds", "Median time") {
          $0.totals.medianSeconds.map(Cell.seconds) ?? .missing
        },
        Column("cost", "Estimated cost") { tally.cost.cell($0.totals.cost) },
      ],
      emptyText: "No run in this period.")
  }
}

/// The section with every run of the period.
enum RunTable {
  static func section(_ tally: RunsTally) -> Section {
    let runs = ListedRun.folding(tally.runs)
    return Section(
      id: "ledger", title: "Latest runs",
      lead: "Newest first. Runs of a job that found nothing due, one after the other, are one "
        + "line.",
      blocks: [
        .table(table(runs)),
        .table(
          id: "run-costs", title: "What they cost and left out", of: runs.map(\.run),
          columns: [
            Column("started_at", "Started", .leading) { .instant($0.startedAt) },
            Column("job", "Job", .leading) { .text($0.job) },
            Column("skipped", "Left out") { .count($0.counts.skippedTotal) },
          ]
            + tally.cost.columns.reading { run in
              (run.counts.billedReads, run.counts.bytes, tally.cost.amount(of: run))
            },
          shownLimit: 25, emptyText: "No run in this period."),
      ])
  }

  private static func table(_ runs: [ListedRun]) -> Table {
    Table(
      id: "runs", title: "Runs", of: runs,
      columns: [
        Column("started_at", "Started", .leading) { .instant($0.run.startedAt) },
        Column("job", "Job", .leading) { .text($0.run.job) },
        Column("trigger", "Trigger", .leading) { .text($0.run.trigger.rawValue) },
        Column("outcome", "Outcome", .leading) {
          .level($0.run.outcome.level, $0.run.outcome.rawValue)
        },
        Column("runs", "Runs") { .count($0.count) },
        Column("seconds", "Time") { duration(of: $0.run) },
        Column("fetched", "Fetched") { .count($0.run.counts.fetched) },
      ],
      shownLimit: 25, emptyText: "No run in this period.")
  }

  private static func duration(of run: Run) -> Cell {
    run.endedAt.map { .seconds(($0 - run.startedAt).fractionalSeconds) } ?? .missing
  }
}
