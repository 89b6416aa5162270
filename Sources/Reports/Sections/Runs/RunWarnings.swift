import Model

/// What the jobs complained about.
enum RunWarnings {
  static let shownLimit = 30

  static func section(_ tally: RunsTally) -> Section {
    Section(
      id: "warnings", title: "Errors and warnings",
      lead: "In the jobs' own words, newest first.", blocks: [.table(table(tally))])
  }

  private static func table(_ tally: RunsTally) -> Table {
    Table(
      id: "warnings", title: "In this period",
      columns: [
        Table.Column("at", "When", .leading), Table.Column("job", "Job", .leading),
        Table.Column("level", "Level", .leading), Table.Column("sentence", "What", .leading),
      ],
      rows: tally.runs.flatMap(rows), shownLimit: shownLimit,
      emptyText: "No error and no warning in this period.")
  }

  private static func rows(of run: Run) -> [Table.Row] {
    let error = run.error.map { (Level.error, $0) }
    let warnings = run.warnings.map { (Level.warn, $0) }
    return ([error].compactMap { $0 } + warnings).map { level, sentence in
      Table.Row([
        .instant(run.startedAt), .text(run.job),
        .level(level, level == .error ? "Error" : "Warning"), .text(sentence),
      ])
    }
  }
}
