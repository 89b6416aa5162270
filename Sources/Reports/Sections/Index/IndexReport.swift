import Model

/// The page to read first: what changed, whether it matters, and what to do, on one screen:
/// docs/reports/form.md#index.
package enum IndexReport {
  /// Findings in HTML and text; the pages that they lead to have all.
  package static let shownFindings = 5

  /// Expects the reports in the order of reading; `earlier` is nil when no copies are kept, `tiles`
  /// and `moneySentences` are those of queries.
  static func make(
    of reports: [Report], runs: RunsData, panels: IndexPanels, context: ReportContext,
    earlier: EarlierReport? = nil, tiles: [Figure] = [], moneySentences: [String] = []
  ) -> Report {
    let jobs = JobHealth.all(runs)
    let state = RunsReport.summary(
      of: jobs, runs.incidents, TimeWords(context: context))
    let zone = context.parted(zoneFindings(context))
    let findings = Finding.worstFirst(reports.flatMap(\.findings) + zone.open)
    let quieted = AcknowledgedFinding.worstFirst(
      reports.flatMap(\.acknowledged) + zone.acknowledged)
    let isWell = !jobs.isEmpty && jobs.allSatisfy { $0.level == .pass }
    // The state names the jobs that a finding of runs is about.
    let isTroubled = jobs.contains { $0.level > .pass }
    let worst = findings.first { $0.level >= .warn }
      .map { $0.report == .runs && isTroubled ? state : $0.sentence }
    return Report(
      name: .index, title: panels.tiles.title, context: context,
      dataTime: Report.DataTime(label: "Newest data", at: newestData(of: reports)),
      summary: [
        worst, panels.tiles.sentence(besideFinding: worst != nil),
        // Beside findings, jobs that need nobody are only in their section.
        worst == state || worst != nil && isWell ? nil : state,
      ].compactMap(\.self).joined(separator: " "),
      headline: panels.tiles.figures
        + [paid(reports), payers(reports), UsersRetention.nextDay(reports)].compactMap(\.self)
        + tiles,
      sections: [
        IndexAttention.section(findings, quieted, unjudged: panels.unjudged), panels.written,
        panels.sells(saying: moneySentences, reports),
        panels.month, jobSection(jobs, state, runs, TimeWords(context: context)),
      ] + since(earlier, reports), attention: findings, acknowledged: quieted,
      unjudged: panels.unjudged, moneySentences: moneySentences)
  }

  /// What is paid a month, where purchases say it; nil where it is estimated from prices.
  private static func paid(_ reports: [Report]) -> Figure? {
    guard let money = reports.first(where: { $0.name == .money }),
      money.sections.flatMap(\.blocks).compactMap(\.table).contains(where: { $0.id == "paying" }),
      var figure = money.headline.first(where: { $0.id == "monthly" })
    else { return nil }
    figure.report = money.name
    return figure
  }

  /// The course of the people who pay by their accounts' claims; nil where nobody read these.
  private static func payers(_ reports: [Report]) -> Figure? {
    let blocks = reports.first { $0.name == .money }?.sections.flatMap(\.blocks) ?? []
    let tables = blocks.compactMap { block -> Table? in
      if case .chart(let chart) = block { chart.table } else { nil }
    }
    guard let table = tables.first(where: { $0.id == "payers-by-day" }),
      case .day(let first)? = table.cells(of: "day").first
    else { return nil }
    let course = table.values(of: "people").map { $0.map { Int($0) } }
    guard case let before?? = course.first, case let now?? = course.last else { return nil }
    return Figure(
      id: "payers", label: "People who pay", value: .count(now),
      change: PeriodChange(from: before, to: now), changeNote: "on \(first.withWeekday)",
      trend: course, section: MoneyReport.baseId, report: .money)
  }

  /// The newest data of all reports but that of the runs: a job that ran just now may have fetched
  /// nothing.
  private static func newestData(of reports: [Report]) -> Instant? {
    reports.filter { $0.name != .runs }.compactMap(\.dataTime.at).max()
  }

  private static func since(_ earlier: EarlierReport?, _ reports: [Report]) -> [Section] {
    guard let earlier, let now = PastReport(of: reports, firstPage: .index) else { return [] }
    return [IndexSince.section(earlier, now: now, TimeWords(context: reports[0].context))]
  }

  private static func jobSection(
    _ jobs: [JobHealth], _ state: String, _ runs: RunsData, _ time: TimeWords
  ) -> Section {
    let beside = [
      RunsReport.namedIncidents(jobs, runs.incidents) > 0
        ? nil : RunIncidents.sentence(runs.incidents, besides: jobs),
      runs.backup.map { RunBackups.sentence($0, time) },
    ].compactMap(\.self)
    let well = jobs.count { $0.level == .pass }
    return Section(
      id: "jobs", title: "Jobs \(NumberWords.grouped(well)) of \(NumberWords.grouped(jobs.count))",
      lead: state,
      blocks: [.table(RunJobs.stateTable(jobs, withSchedule: false, isFolded: true))]
        + (beside.isEmpty ? [] : [.text(beside.joined(separator: " "))]))
  }

  private static func zoneFindings(_ context: ReportContext) -> [Finding] {
    guard !ReportCalendar(timeZone: context.timeZone).knowsZone else { return [] }
    return [
      Finding(
        .warn, "The time zone '\(context.timeZone)' is not known here, so days are in UTC.",
        report: .index, section: IndexAttention.id)
    ]
  }
}

/// What the index says above its findings: how many there are, and what nobody can judge yet.
package enum IndexAttention {
  package static let id = "attention"

  /// `unjudged` is what cannot be judged, in sentences; nil when all can.
  static func section(
    _ findings: [Finding], _ acknowledged: [AcknowledgedFinding] = [], unjudged: String?
  ) -> Section {
    let closed = AcknowledgedFinding.line(acknowledged).map { Block.text($0) }
    return Section(
      id: id, title: "Needs you",
      lead: lead(findings, unjudged: unjudged),
      blocks: (findings.isEmpty ? [] : [.findings(findings)]) + [closed].compactMap(\.self))
  }

  /// How many there are of each urgent level, or that there are none, and what nobody can judge.
  package static func lead(_ findings: [Finding], unjudged: String?) -> String {
    [sentence(findings, isJudged: unjudged == nil), unjudged].compactMap(\.self)
      .joined(separator: " ")
  }

  private static func sentence(_ findings: [Finding], isJudged: Bool) -> String {
    let urgent = [Level.error, .warn].compactMap { level -> String? in
      let count = findings.count { $0.level == level }
      return count > 0 ? NumberWords.counted(count, level.word.lowercased()) : nil
    }
    guard urgent.isEmpty else {
      return "\(urgent.joined(separator: " and "))\(findings.count > 1 ? ", worst first" : "")."
    }
    guard findings.isEmpty else {
      return "Nothing urgent; \(NumberWords.counted(findings.count, "note")) to read."
    }
    return isJudged ? "Nothing needs you today." : "Nothing found, as far as can be judged."
  }

  /// Nil when the newest day can be compared with enough of the same weekdays.
  static func unjudged(_ history: DayHistory, _ context: ReportContext) -> String? {
    guard context.scope == nil else {
      return "This report is about one profile, so the app's days are not judged."
    }
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let days = Array(history.complete)
    let known = Set(days.indices.filter { days[$0].coverage == .whole })
    guard !known.isEmpty, let last = days.indices.last else {
      return "The ledger has no whole day yet, so what people do cannot be judged."
    }
    let awaited = history.awaited.map {
      "The export of \(calendar.day(of: $0.start).withWeekday) has not come yet."
    }
    /// Days to come are taken for whole ones.
    func isJudged(_ day: Int) -> Bool {
      (1...AnomalyRule.comparedDays).count { week in
        day - 7 * week > last || known.contains(day - 7 * week)
      } >= AnomalyRule.fewestDays
    }
    guard !isJudged(last),
      let next = (1...7 * AnomalyRule.fewestDays).first(where: { isJudged(last + $0) })
    else { return awaited.first }
    let start = days[last].start + .seconds(86_400 * next + 43_200)
    return
      (awaited + [
        "Days are judged from \(calendar.day(of: start).short) on: it takes "
          + "\(AnomalyRule.fewestDays) earlier ones of the same weekday."
      ]).joined(separator: " ")
  }
}
