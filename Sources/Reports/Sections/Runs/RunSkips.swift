import Model

/// What the jobs left out, and why.
enum RunSkips {
  /// Reasons in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 30

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
      id: "skipped", title: "By reason",
      columns: [
        Table.Column("reason", "Reason", .leading), Table.Column("job", "Job", .leading),
        Table.Column("count", "Left out", drawsBars: true), Table.Column("share", "Share"),
      ],
      rows: ordered.map { skip, count in
        Table.Row([
          .code(skip.reason), .text(skip.job), .count(count), .ratio(Ratio(count, of: total)),
        ])
      },
      shownLimit: shownLimit, emptyText: "Nothing was left out in this period.")
  }
}
