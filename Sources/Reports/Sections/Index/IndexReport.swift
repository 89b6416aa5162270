import Model

/// The page to read first: what changed, whether it matters, and what to do, on one screen:
/// docs/reports/form.md#index.
package enum IndexReport {
  /// Findings in HTML and text; the pages that they lead to have all.
  static let shownFindings = 5

  /// Expects the reports in the order of reading; `earlier` is nil when no copies are kept.
  static func make(
    of reports: [Report], runs: RunsData, panels: IndexPanels, context: ReportContext,
    earlier: EarlierReport? = nil
  ) -> Report {
    let jobs = JobHealth.all(runs)
    let findings = Finding.worstFirst(reports.flatMap(\.findings) + zoneFindings(context))
    var report = Report(
      name: .index, title: panels.tiles.title, context: context,
      dataTime: Report.DataTime(label: "Newest data", at: newestData(of: reports)),
      summary: [worst(findings), panels.tiles.sentence, RunsReport.summary(of: jobs)]
        .compactMap(\.self).joined(separator: " "),
      headline: panels.tiles.figures,
      sections: [
        IndexAttention.section(findings, unjudged: panels.unjudged), panels.written, panels.sells,
        panels.month, jobSection(jobs),
      ] + since(earlier, reports))
    report.attention = findings
    return report
  }

  /// What matters most, apart from the runs, of which the sentence tells anyway; nil for notes alone.
  private static func worst(_ findings: [Finding]) -> String? {
    findings.first { $0.level >= .warn && $0.report != .runs }?.sentence
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

  private static func jobSection(_ jobs: [JobHealth]) -> Section {
    let well = jobs.count { $0.level == .pass }
    return Section(
      id: "jobs", title: "Jobs \(NumberWords.grouped(well)) of \(NumberWords.grouped(jobs.count))",
      lead: RunsReport.summary(of: jobs),
      blocks: [.table(RunJobs.stateTable(jobs, withSchedule: false).folded)])
  }

  private static func zoneFindings(_ context: ReportContext) -> [Finding] {
    guard !ReportCalendar(timeZone: context.timeZone).knowsZone else { return [] }
    return [
      Finding(
        .warn, "The time zone '\(context.timeZone)' is not known here, so days are those of UTC.",
        report: .index, section: IndexAttention.id)
    ]
  }
}
