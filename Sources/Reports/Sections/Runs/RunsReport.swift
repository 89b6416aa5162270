package import Model

/// Whether the jobs did their work, and what it took: docs/reports.md#runs.
package enum RunsReport {
  package static func make(_ facts: RunsFacts, frame: ReportFrame) -> Report {
    let calendar = ReportCalendar(timeZone: frame.timeZone)
    let tally = RunsTally(facts, frame: frame, calendar: calendar)
    let standings = JobStanding.all(facts)
    return Report(
      name: .runs, title: "Runs", frame: frame,
      dataTime: Report.DataTime(
        label: "Newest run", at: facts.lastRuns.values.map(\.startedAt).max()),
      summary: summary(of: standings), headline: headline(of: standings, tally),
      findings: Finding.worstFirst(standings.compactMap { $0.finding(now: frame.now) }),
      sections: [
        RunJobs.section(standings, tally), RunDays.section(tally),
        RunSkips.section(tally), RunWarnings.section(tally), RunLedger.section(tally),
      ])
  }

  /// One sentence about all jobs, also the first of the index.
  static func summary(of standings: [JobStanding]) -> String {
    guard !standings.isEmpty else { return "The workspace has no jobs." }
    let bad = standings.filter { $0.freshness.level > .pass }
    let all = NumberWords.counted(standings.count, "job")
    guard !bad.isEmpty else { return "All \(all) did their work on time." }
    let need = bad.count == 1 ? "needs" : "need"
    return "\(NumberWords.grouped(bad.count)) of \(all) \(need) attention: "
      + bad.map(\.job.name).joined(separator: ", ") + "."
  }

  private static func headline(
    of standings: [JobStanding], _ tally: RunsTally
  ) -> [Figure] {
    let onTime = standings.filter { $0.freshness.level == .pass }.count
    let price = tally.cost.price
    return [
      Figure(
        id: "on-time", label: "Jobs in order", value: .ratio(Ratio(onTime, of: standings.count)),
        note: "jobs"),
      Figure(
        id: "runs", label: "Runs", value: .count(tally.current.runs),
        change: Change(from: tally.previous.runs, to: tally.current.runs),
        trend: tally.byDay(\.runs), section: "ledger"),
      Figure(
        id: "success", label: "Runs that succeeded", value: .ratio(tally.current.successRatio),
        note: "runs"),
      Figure(
        id: "reads", label: "Billed reads", value: .count(tally.current.billedReads),
        change: Change(from: tally.previous.billedReads, to: tally.current.billedReads),
        trend: tally.byDay(\.billedReads), section: "days"),
      Figure(
        id: "cost", label: "Estimated cost", value: tally.cost.cell(tally.current.cost),
        note: "at \(price.per100kReads) \(price.currency) per 100,000 reads now"),
    ]
  }
}
