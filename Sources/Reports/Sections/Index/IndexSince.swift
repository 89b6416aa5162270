import Model

/// The section with what changed since the last report of an earlier day: docs/reports.md#history.
enum IndexSince {
  static let id = "since"
  /// Figures or findings in HTML and text: docs/reports.md#top-n.
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
      let gap = EarlierReport.gap(between: then, and: now)
      return "Against the one of \(written), which looked back as many days from there."
        + (gap.map { " \($0)" } ?? "")
    }
  }

  private static func blocks(_ earlier: EarlierReport, _ now: PastReport) -> [Block] {
    guard case .report(let then) = earlier,
      EarlierReport.obstacle(between: then, and: now) == nil
    else { return [] }
    let difference = ReportDifference(from: then, to: now)
    let hasGap = EarlierReport.gap(between: then, and: now) != nil
    return [
      .table(findings(difference)), .table(figures(difference, hasGap: hasGap).folded),
    ]
  }

  private static func findings(_ difference: ReportDifference) -> Table {
    Table(
      id: "since-findings", title: "What needs attention", of: difference.findings,
      columns: [
        Column("change", "Change", .leading) { .text($0.change.words) },
        Column("level", "Level", .leading) { .level($0.level, $0.level.word) },
        Column("sentence", "What", .leading) { .text($0.sentence) },
      ],
      shownLimit: shownLimit, emptyText: "Nothing came, went, or got worse or better.")
  }

  /// With a gap counts of events have no difference.
  private static func figures(_ difference: ReportDifference, hasGap: Bool) -> Table {
    Table(
      id: "since-figures", title: "Figures", of: difference.figures,
      columns: [
        Column("figure", "Figure", .leading) { .text($0.label) },
        Column("then", "Then") { $0.then.cell },
        Column("now", "Now") { $0.now.cell },
        Column("change", "Difference") { hasGap && $0.isOfEvents ? .missing : change($0) },
      ],
      shownLimit: shownLimit, emptyText: "Every figure is what it was.")
  }

  /// Only for counts: readers would take a difference of percentages for a percentage.
  private static func change(_ figure: FigureDifference) -> Cell {
    guard case .count(let then) = figure.then, case .count(let now) = figure.now else {
      return .missing
    }
    return .change(PeriodChange(from: then, to: now))
  }
}

extension FindingChange {
  fileprivate var words: String {
    switch self {
    case .new: "New"
    case .worse: "Worse"
    case .better: "Better"
    case .gone: "Gone"
    }
  }
}
