package import Model

/// The page to read first: what needs attention, what changed, and how fresh the data is.
package enum IndexReport {
  /// Expects the five reports in the order of reading; `earlier` is nil when no copies are kept.
  package static func make(
    of reports: [Report], runs: RunsData, context: ReportContext, earlier: EarlierReport? = nil
  ) -> Report {
    let jobs = JobHealth.all(runs)
    let findings = Finding.worstFirst(reports.flatMap(\.findings) + zoneFindings(context))
    var report = Report(
      name: .index, title: "At a glance", context: context,
      dataTime: Report.DataTime(label: "Newest data", at: newestData(of: reports)),
      summary: RunsReport.summary(of: jobs),
      sections: [
        attention(findings), jobSection(jobs), changes(in: reports), contents(of: reports),
      ] + since(earlier, reports))
    report.attention = findings
    return report
  }

  /// The newest data of all reports but that of the runs: a job that ran just now may have fetched
  /// nothing.
  private static func newestData(of reports: [Report]) -> Instant? {
    reports.filter { $0.name != .runs }.compactMap(\.dataTime.at).max()
  }

  private static func since(_ earlier: EarlierReport?, _ reports: [Report]) -> [Section] {
    guard let earlier, let now = PastReport(of: reports) else { return [] }
    return [IndexSince.section(earlier, now: now, TimeWords(context: reports[0].context))]
  }

  private static func attention(_ findings: [Finding]) -> Section {
    let count = findings.count { $0.level >= .warn }
    return Section(
      id: "attention", title: "Needs attention",
      lead: count == 0
        ? "Nothing needs you." : "\(NumberWords.counted(count, "matter")), worst first.",
      blocks: findings.isEmpty ? [] : [.findings(findings)])
  }

  private static func changes(in reports: [Report]) -> Section {
    let figures = reports.flatMap { report in
      report.headline.filter(\.isCompared).prefix(3).map { figure in
        var named = figure
        named.id = "\(report.name.rawValue)-\(figure.id)"
        named.report = report.name
        return named
      }
    }
    return Section(
      id: "changes", title: "What changed",
      lead: "Whole days against the same weekdays earlier.",
      blocks: [.figures(figures)])
  }

  private static func jobSection(_ jobs: [JobHealth]) -> Section {
    Section(
      id: "jobs", title: "Jobs", lead: "The last run of each, and whether it keeps its schedule.",
      blocks: [.table(RunJobs.stateTable(jobs, withSchedule: false))])
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

  private static func zoneFindings(_ context: ReportContext) -> [Finding] {
    guard !ReportCalendar(timeZone: context.timeZone).knowsZone else { return [] }
    return [
      Finding(
        .warn, "The time zone '\(context.timeZone)' is not known here, so days are those of UTC.",
        report: .index, section: "attention")
    ]
  }
}
