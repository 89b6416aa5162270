package import Model

/// The morning's page: did the jobs work, how fresh is the data, what changed, what needs attention.
package enum IndexReport {
  /// Takes the five reports in their own order; nil for `earlier` when none are kept.
  package static func make(
    of reports: [Report], runs: RunsFacts, frame: ReportFrame, earlier: EarlierReport? = nil
  ) -> Report {
    let standings = JobStanding.all(runs)
    let findings = Finding.worstFirst(reports.flatMap(\.findings) + zoneFindings(frame))
    return Report(
      name: .index, title: "At a glance", frame: frame,
      dataTime: Report.DataTime(label: "Newest data", at: newestData(of: reports)),
      summary: RunsReport.summary(of: standings),
      sections: [
        attention(findings), jobs(standings), changes(in: reports), contents(of: reports),
      ] + since(earlier, reports))
  }

  /// Of all but the runs: that a job ran just now, perhaps in vain, makes no data new.
  private static func newestData(of reports: [Report]) -> Instant? {
    reports.filter { $0.name != .runs }.compactMap(\.dataTime.at).max()
  }

  private static func since(_ earlier: EarlierReport?, _ reports: [Report]) -> [Section] {
    guard let earlier, let now = PastReport(of: reports) else { return [] }
    return [IndexSince.section(earlier, now: now, TimeWords(frame: reports[0].frame))]
  }

  private static func attention(_ findings: [Finding]) -> Section {
    let count = findings.filter { $0.level >= .warn }.count
    return Section(
      id: "attention", title: "Needs attention",
      lead: count == 0
        ? "Nothing needs you." : "\(NumberWords.counted(count, "matter")), worst first.",
      blocks: [.findings(findings)])
  }

  private static func changes(in reports: [Report]) -> Section {
    let figures = reports.flatMap { report in
      report.headline.filter { $0.change != nil }.prefix(3).map { figure in
        var named = figure
        named.id = "\(report.name.rawValue)-\(figure.id)"
        named.report = report.name
        return named
      }
    }
    return Section(
      id: "changes", title: "What changed",
      lead: "Against the period before this one.",
      blocks: [.figures(figures)])
  }

  private static func jobs(_ standings: [JobStanding]) -> Section {
    Section(
      id: "jobs", title: "Jobs", lead: "The last run of each, and whether it keeps its schedule.",
      blocks: [.table(table(standings))])
  }

  private static func table(_ standings: [JobStanding]) -> Table {
    Table(
      id: "jobs", title: "Where they stand",
      columns: [
        Table.Column("job", "Job", .leading), Table.Column("state", "State", .leading),
        Table.Column("last_outcome", "Last outcome", .leading),
        Table.Column("last_success_at", "Last success", .leading),
      ],
      rows: standings.map { Table.Row(Array(RunJobs.cells(of: $0).prefix(4))) },
      emptyText: "The workspace has no jobs.")
  }

  private static func contents(of reports: [Report]) -> Section {
    Section(
      id: "reports", title: "The reports", lead: "What each page says, and how fresh its data is.",
      blocks: [
        .contents(
          reports.map {
            PageLink(
              report: $0.name, title: $0.title, summary: $0.summary, dataTime: $0.dataTime)
          })
      ])
  }

  private static func zoneFindings(_ frame: ReportFrame) -> [Finding] {
    guard !ReportCalendar(timeZone: frame.timeZone).knowsZone else { return [] }
    return [
      Finding(
        .warn, "The time zone '\(frame.timeZone)' is not known here, so days are those of UTC.",
        report: .index, section: "attention")
    ]
  }
}
