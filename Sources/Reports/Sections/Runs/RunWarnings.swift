import Model

/// What the jobs complained about, the same complaint once.
enum RunWarnings {
  static let shownLimit = 30

  private struct Complaint: Hashable {
    var job: String
    var level: Level
    var sentence: String
  }

  static func section(_ tally: RunsTally) -> Section {
    Section(
      id: "warnings", title: "Errors and warnings",
      lead: "In the jobs' own words, the newest first, with how often each was said.",
      blocks: [.table(table(tally))])
  }

  private static func table(_ tally: RunsTally) -> Table {
    Table(
      id: "warnings", title: "In this period",
      columns: [
        Table.Column("newest_at", "Newest", .leading), Table.Column("job", "Job", .leading),
        Table.Column("level", "Level", .leading), Table.Column("sentence", "What", .leading),
        Table.Column("count", "Times"),
      ],
      rows: rows(tally), shownLimit: shownLimit,
      emptyText: "No error and no warning in this period.")
  }

  private static func rows(_ tally: RunsTally) -> [Table.Row] {
    var newest: [(complaint: Complaint, at: Instant)] = []
    var counts: [Complaint: Int] = [:]
    for run in tally.runs {
      for complaint in complaints(of: run) {
        if counts[complaint] == nil { newest.append((complaint, run.startedAt)) }
        counts[complaint, default: 0] += 1
      }
    }
    return newest.map { complaint, at in
      Table.Row([
        .instant(at), .text(complaint.job),
        .level(complaint.level, complaint.level.word), .text(complaint.sentence),
        .count(counts[complaint] ?? 0),
      ])
    }
  }

  private static func complaints(of run: Run) -> [Complaint] {
    let error = run.error.map { Complaint(job: run.job, level: .error, sentence: $0) }
    let warnings = run.warnings.map { Complaint(job: run.job, level: .warn, sentence: $0) }
    return [error].compactMap { $0 } + warnings
  }
}
