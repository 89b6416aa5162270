import Model

/// The runs themselves.
enum RunLedger {
  /// Rows in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 25

  static func section(_ tally: RunsTally) -> Section {
    Section(
      id: "ledger", title: "Latest runs", lead: "Every run of this period, newest first.",
      blocks: [.table(table(tally)), .table(costs(tally))])
  }

  private static func table(_ tally: RunsTally) -> Table {
    Table(
      id: "runs", title: "Runs",
      columns: [
        Table.Column("started_at", "Started", .leading), Table.Column("job", "Job", .leading),
        Table.Column("trigger", "Trigger", .leading), Table.Column("outcome", "Outcome", .leading),
        Table.Column("seconds", "Time"), Table.Column("fetched", "Fetched"),
        Table.Column("skipped", "Left out"),
      ],
      rows: tally.runs.map { run in
        Table.Row([
          .instant(run.startedAt), .text(run.job), .text(run.trigger.rawValue),
          .level(run.outcome.level, run.outcome.rawValue),
          run.endedAt.map { .seconds(($0 - run.startedAt).fractionalSeconds) } ?? .missing,
          .count(run.counts.fetched), .count(run.counts.skippedTotal),
        ])
      },
      shownLimit: shownLimit, emptyText: "No run in this period.")
  }

  private static func costs(_ tally: RunsTally) -> Table {
    Table(
      id: "run-costs", title: "What they cost",
      columns: [
        Table.Column("started_at", "Started", .leading), Table.Column("job", "Job", .leading),
      ] + RunCost.columns,
      rows: tally.runs.map { run in
        Table.Row(
          [.instant(run.startedAt), .text(run.job)]
            + tally.cost.cells(
              reads: run.counts.billedReads, bytes: run.counts.bytes, tally.cost.amount(of: run)))
      },
      shownLimit: shownLimit, emptyText: "No run in this period.")
  }
}
