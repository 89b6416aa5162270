package import Model

/// Whether the jobs did their work, and what it took and cost: docs/reports.md#runs.
package enum RunsReport {
  package static func make(_ data: RunsData, context: ReportContext) -> Report {
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let tally = RunsTally(data, context: context, calendar: calendar)
    let jobs = JobHealth.all(data)
    return Report(
      name: .runs, title: "Runs", context: context,
      dataTime: Report.DataTime(
        label: "Newest run", at: data.lastRuns.values.map(\.startedAt).max()),
      summary: summary(of: jobs),
      headline: headline(of: jobs, tally, data, ComparisonWords(context)),
      findings: JobHealth.findings(of: jobs, data.futureRuns, now: context.now),
      sections: [
        RunJobs.section(jobs, tally), RunDays.section(tally),
        RunSkips.section(tally), RunWarnings.section(tally), RunTable.section(tally),
      ])
  }

  /// One sentence about all jobs, which the index repeats.
  static func summary(of jobs: [JobHealth]) -> String {
    guard !jobs.isEmpty else { return "The workspace has no jobs." }
    let bad = jobs.filter { $0.level > .pass }
    let all = NumberWords.counted(jobs.count, "job")
    guard !bad.isEmpty else { return "All \(all) did their work on time." }
    let need = bad.count == 1 ? "needs" : "need"
    return "\(NumberWords.grouped(bad.count)) of \(all) \(need) attention: "
      + bad.map(\.job.name).joined(separator: ", ") + "."
  }

  private static func headline(
    of jobs: [JobHealth], _ tally: RunsTally, _ data: RunsData, _ comparison: ComparisonWords
  ) -> [Figure] {
    let onTime = jobs.count { $0.level == .pass }
    let price = tally.cost.price
    return [
      Figure(
        id: "on-time", label: "Jobs in order", value: .ratio(Ratio(onTime, of: jobs.count)),
        note: "jobs"),
      Figure(
        id: "runs", label: "Runs", value: .count(tally.current.runs),
        trend: tally.byDay(\.runs), section: "ledger"
      ).compared(
        comparison.change(
          from: tally.previous.runs, to: tally.compared.runs, since: data.beginsAt)),
      Figure(
        id: "success", label: "Runs that succeeded", value: .ratio(tally.current.successRatio),
        note: "runs"),
      Figure(
        id: "reads", label: "Billed reads", value: .count(tally.current.billedReads),
        trend: tally.byDay(\.billedReads), section: "days"
      ).compared(
        comparison.change(
          from: tally.previous.billedReads, to: tally.compared.billedReads, since: data.beginsAt)),
      Figure(
        id: "cost", label: "Estimated cost", value: tally.cost.cell(tally.current.cost),
        note: price.words(isOwn: data.ownPrice != nil)),
    ]
  }
}
