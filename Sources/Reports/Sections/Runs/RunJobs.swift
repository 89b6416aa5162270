import Model

/// How each job stands.
enum RunJobs {
  static let id = "jobs"

  static func section(_ standings: [JobStanding], _ tally: RunsTally) -> Section {
    let jobs = names(standings, tally)
    return Section(
      id: id, title: "Jobs",
      lead: "On time means: succeeded since it was last due. One missed start is late, two are "
        + "overdue.",
      blocks: [
        .table(standing(standings)), .table(effort(jobs, tally)), .table(cost(jobs, tally)),
      ])
  }

  private static func standing(_ standings: [JobStanding]) -> Table {
    Table(
      id: "jobs", title: "Where they stand",
      columns: [
        Table.Column("job", "Job", .leading), Table.Column("state", "State", .leading),
        Table.Column("last_outcome", "Last outcome", .leading),
        Table.Column("last_success_at", "Last success", .leading),
        Table.Column("schedule", "Schedule", .leading),
      ],
      rows: standings.map { Table.Row(cells(of: $0)) }, emptyText: "The workspace has no jobs.")
  }

  /// Job, state, last outcome, last success and schedule; the index shows the first four.
  static func cells(of standing: JobStanding) -> [Cell] {
    [
      .text(standing.job.name), .level(standing.freshness.level, standing.freshness.words),
      standing.outcome ?? .missing,
      .optional(standing.lastSuccess?.startedAt),
      standing.job.schedule.map(Cell.code) ?? .text("on demand"),
    ]
  }

  /// The workspace's jobs, then others that ran in the period.
  private static func names(_ standings: [JobStanding], _ tally: RunsTally) -> [String] {
    let known = standings.map(\.job.name)
    return known + tally.byJob.keys.filter { !known.contains($0) }.sorted()
  }

  private static func effort(_ jobs: [String], _ tally: RunsTally) -> Table {
    Table(
      id: "job-effort", title: "What they took in this period",
      columns: [
        Table.Column("job", "Job", .leading), Table.Column("success", "Succeeded"),
        Table.Column("median_seconds", "Median time"),
        Table.Column("longest_seconds", "Longest"), Table.Column("documents", "Fetched"),
      ],
      rows: jobs.map { row(of: $0, tally.byJob[$0] ?? RunsTally.Totals()) },
      emptyText: "No run in this period.")
  }

  private static func row(of job: String, _ totals: RunsTally.Totals) -> Table.Row {
    Table.Row([
      .text(job), .ratio(totals.successRatio), totals.medianSeconds.map(Cell.seconds) ?? .missing,
      totals.durations.max().map(Cell.seconds) ?? .missing, .count(totals.fetched),
    ])
  }

  private static func cost(_ jobs: [String], _ tally: RunsTally) -> Table {
    Table(
      id: "job-cost", title: "What they cost in this period",
      columns: [Table.Column("job", "Job", .leading)] + RunCost.columns,
      rows: jobs.map { job in
        let totals = tally.byJob[job] ?? RunsTally.Totals()
        return Table.Row(
          [.text(job)]
            + tally.cost.cells(reads: totals.billedReads, bytes: totals.bytes, totals.cost))
      },
      emptyText: "No run in this period.")
  }
}
