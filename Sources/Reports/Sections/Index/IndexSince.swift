import Model

/// What changed since the last report of an earlier day: docs/reports.md#history.
enum IndexSince {
  static let id = "since"
  /// Figures in HTML and text: docs/reports.md#top-n.
  static let shownLimit = 10

  static func section(_ earlier: EarlierReport, now: PastReport, _ time: TimeWords) -> Section {
    Section(
      id: id, title: "Since the last report", lead: lead(earlier, now, time),
      blocks: blocks(earlier, now))
  }

  private static func lead(
    _ earlier: EarlierReport, _ now: PastReport, _ time: TimeWords
  ) -> String {
    switch earlier {
    case .absent: return "There is no report of an earlier day to compare with yet."
    case .unreadable(let day):
      return "The report of \(day) cannot be read back, so there is nothing to compare with."
    case .report(let then):
      let written = time.dateAndTime(then.writtenAt)
      if let obstacle = EarlierReport.obstacle(between: then, and: now) {
        return "The last one, of \(written), cannot be compared: \(obstacle)."
      }
      return "Against the one of \(written), which looked back as many days from there."
    }
  }

  private static func blocks(_ earlier: EarlierReport, _ now: PastReport) -> [Block] {
    guard case .report(let then) = earlier,
      EarlierReport.obstacle(between: then, and: now) == nil
    else { return [] }
    let difference = ReportDifference(from: then, to: now)
    return [.table(findings(difference)), .table(figures(difference))]
  }

  private static func findings(_ difference: ReportDifference) -> Table {
    Table(
      id: "since-findings", title: "What needs attention",
      columns: [
        Table.Column("change", "Change", .leading), Table.Column("level", "Level", .leading),
        Table.Column("sentence", "What", .leading),
      ],
      rows: difference.findings.map { finding in
        Table.Row([
          .text(finding.kind.words), .level(finding.level, finding.level.word),
          .text(finding.sentence),
        ])
      },
      shownLimit: shownLimit, emptyText: "Nothing came, went, or got worse or better.")
  }

  private static func figures(_ difference: ReportDifference) -> Table {
    Table(
      id: "since-figures", title: "Figures",
      columns: [
        Table.Column("figure", "Figure", .leading), Table.Column("then", "Then"),
        Table.Column("now", "Now"), Table.Column("change", "Difference"),
      ],
      rows: difference.figures.map { figure in
        Table.Row([.text(figure.label), figure.then.cell, figure.now.cell, change(figure)])
      },
      shownLimit: shownLimit, emptyText: "Every figure is what it was.")
  }

  /// Of counts alone: a difference of percentages would be taken for a percentage.
  private static func change(_ figure: ReportDifference.Figure) -> Cell {
    guard case .count(let then) = figure.then, case .count(let now) = figure.now else {
      return .missing
    }
    return .change(Change(from: then, to: now))
  }
}

extension ReportDifference.Finding.Kind {
  fileprivate var words: String {
    switch self {
    case .new: "New"
    case .worse: "Worse"
    case .better: "Better"
    case .gone: "Gone"
    }
  }
}
