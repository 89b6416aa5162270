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

/// The section with what the jobs left out, by reason.
enum RunSkips {
  static func section(_ tally: RunsTally) -> Section {
    Section(
      id: "skipped", title: "Left out",
      lead: "Documents and lines that a job fetched and did not store, each counted every time.",
      blocks: [.table(table(tally))])
  }

  private static func table(_ tally: RunsTally) -> Table {
    let total = tally.skips.values.reduce(0, +)
    let ordered = tally.skips.sorted { left, right in
      (right.value, left.key.job, left.key.reason) < (left.value, right.key.job, right.key.reason)
    }
    return Table(
      id: "skipped", title: "By reason", of: ordered,
      columns: [
        Column("reason", "Reason", .leading) { .code($0.key.reason) },
        Column("job", "Job", .leading) { .text($0.key.job) },
        Column("count", "Left out", drawsBars: true) { .count($0.value) },
        Column("share", "Share") { .ratio(Ratio($0.value, of: total)) },
      ],
      shownLimit: 30, emptyText: "Nothing was left out in this period.")
  }
}

/// The section with the errors and warnings of the runs, equal ones together.
enum RunWarnings {
  /// An error or a warning of a job.
  private struct JobWarning: Hashable {
    var job: String
    var level: Level
    var sentence: String
  }

  /// A warning with how often it was made, and the start of the newest run that made it.
  private typealias RepeatedWarning = (warning: JobWarning, newestAt: Instant, count: Int)

  static func section(_ tally: RunsTally) -> Section {
    Section(
      id: "warnings", title: "Errors and warnings",
      lead: "In the jobs' own words, the newest first, with how often each was said. What another "
        + "job kept from running comes last.",
      blocks: [.table(table(tally))])
  }

  private static func table(_ tally: RunsTally) -> Table {
    Table(
      id: "warnings", title: "In this period", of: repeatedWarnings(tally),
      columns: [
        Column("newest_at", "Newest", .leading) { .instant($0.newestAt) },
        Column("job", "Job", .leading) { .text($0.warning.job) },
        Column("level", "Level", .leading) {
          .level($0.warning.level, $0.warning.level.word)
        },
        Column("sentence", "What", .leading) { .text($0.warning.sentence) },
        Column("count", "Times") { .count($0.count) },
      ],
      shownLimit: 30, emptyText: "No error and no warning in this period.")
  }

  private static func repeatedWarnings(_ tally: RunsTally) -> [RepeatedWarning] {
    var found: [RepeatedWarning] = []
    var indices: [JobWarning: Int] = [:]
    // A cause is older than the runs that it blocked, but must be read first.
    let own = tally.runs.filter { $0.refusedBy != .need }
    for run in own + tally.runs.filter({ $0.refusedBy == .need }) {
      for warning in warnings(of: run) {
        if let index = indices[warning] {
          found[index].count += 1
        } else {
          indices[warning] = found.count
          found.append((warning, run.startedAt, 1))
        }
      }
    }
    return found
  }

  private static func warnings(of run: Run) -> [JobWarning] {
    let level = max(Level.warn, run.outcome.level)
    let error = run.error.map { JobWarning(job: run.job, level: level, sentence: $0) }
    let warnings = run.warnings.map { JobWarning(job: run.job, level: .warn, sentence: $0) }
    return [error].compactMap { $0 } + warnings
  }
}
