/// What the kept reports told, each finding once, also when it is over: docs/reports/history.md.
enum HistoryFindings {
  /// A finding of one or more reports.
  private struct Told {
    /// As the newest of these reports has it.
    let finding: PastFinding
    let first: CivilDay
    let last: CivilDay
    /// Reports that told it.
    var count: Int
    let isOpen: Bool
  }

  /// Expects the days newest first; warnings and errors alone are listed.
  static func section(_ days: [HistoryReport.Day]) -> Section {
    Section(
      id: "findings", title: "Findings",
      lead: "What needed somebody, with the first and the last report that told it.",
      blocks: [
        .table(
          Table(
            id: "findings", title: "Newest first", of: told(days),
            columns: [
              Column("finding", "Finding", .leading) { .text($0.finding.sentence) },
              Column("level", "Level", .leading) {
                .level($0.finding.level, $0.finding.level.word)
              },
              Column("first", "First told", .leading) { .day($0.first) },
              Column("last", "Last told", .leading) { .day($0.last) },
              Column("reports", "Reports") { .count($0.count) },
              Column("open", "Open", .leading) { .text($0.isOpen ? "yes" : "over") },
            ],
            shownLimit: 60, emptyText: "No kept report has a finding."))
      ])
  }

  private static func told(_ days: [HistoryReport.Day]) -> [Told] {
    let newest = days.first { $0.report != nil }?.day
    var told: [String: Told] = [:]
    var ids: [String] = []
    for day in days {
      for finding in day.report?.findings ?? [] where finding.level >= .warn {
        let id = "\(finding.report.rawValue) \(finding.subject ?? finding.sentence)"
        if told[id] == nil { ids.append(id) }
        let known = told[id]
        told[id] = Told(
          finding: known?.finding ?? finding, first: day.day, last: known?.last ?? day.day,
          count: (known?.count ?? 0) + 1, isOpen: known?.isOpen ?? (day.day == newest))
      }
    }
    return ids.compactMap { told[$0] }
  }
}
