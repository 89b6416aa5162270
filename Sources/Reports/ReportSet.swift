package import Model
package import Store

/// All reports of one moment.
package enum ReportSet {
  /// The index, then the reports in the order of reading, and the list of their sections.
  package static func make(
    context: ReportContext, usage: UsageData, limits: LimitsData, ratings: RatingsData,
    users: UsersData, runs: RunsData, whatIf: WhatIfResult? = nil,
    earlier: EarlierReport? = nil, queries: QuerySections? = nil
  ) -> [Report] {
    let marks = TimelineMarks.all(usage, limits, ratings, context: context)
    var reports = [
      UsageReport.make(usage, context: context),
      MoneyReport.make(usage, context: context),
      LimitsReport.make(limits, whatIf: whatIf, context: context),
      PopupsReport.make(limits, ratings, context: context),
      RatingsReport.make(ratings, context: context),
      UsersReport.make(users, context: context),
      RunsReport.make(runs, context: context),
    ]
    let findings = ReportFindings(
      context: context, usage: usage, limits: limits, ratings: ratings, runs: runs)
    let found = findings.found()
    for index in reports.indices {
      let own = found.filter { $0.report == reports[index].name }
      reports[index].findings = Finding.worstFirst(
        RootCauses.open(reports[index].findings, explainedBy: found, runs) + own)
    }
    let placed = queries?.placed(in: reports)
    reports = (placed?.reports ?? reports).map(RatingFunnel.toldAbove).map(MoneyReport.toldAbove)
      .map(RunJobs.joined).map(UsersRetention.toldAbove).map { $0.marked(with: marks) }
    for index in reports.indices {
      (reports[index].findings, reports[index].acknowledged) = context.parted(
        reports[index].findings)
    }
    var index = IndexReport.make(
      of: reports, runs: runs, panels: IndexPanels(usage, limits, ratings, context: context),
      context: context, earlier: earlier, tiles: placed?.tiles ?? [],
      moneySentences: placed?.moneySentences ?? [])
    MonthIndex(reports, usage, limits, marks: marks, context: context)?
      .write(to: &index, own: placed?.tiles ?? [])
    index = index.marked(with: marks)
    let all = findings.expectedDays(addedTo: [index] + reports).map(\.defined)
    return all + [SearchReport.make(of: all)].compactMap(\.self)
  }
}

/// What may explain a change of counts by day: changed settings, new versions, and hours in which
/// the app stood still.
enum TimelineMarks {
  /// The newest of each kind that a chart shows; more would hide the columns.
  private static let most = 8

  /// The marks that a chart shows: of each kind the newest of those that lie in it.
  static func shown(_ marks: [Chart.Mark], in chart: Chart) -> [Chart.Mark] {
    let inside = marks.filter { chart.holds($0.day) }
    return [Chart.Mark.Kind.setting, .release, .outage]
      .flatMap { kind in inside.filter { $0.kind == kind }.suffix(most) }
      .sorted { $0.day < $1.day }
  }

  /// Oldest first.
  static func all(
    _ usage: UsageData, _ limits: LimitsData, _ ratings: RatingsData, context: ReportContext
  ) -> [Chart.Mark] {
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let settings = limits.changes.filter { $0.oldValue != nil && $0.newValue != nil }
      .sorted { $0.changedAt < $1.changedAt }
      .map { Chart.Mark(day: calendar.day(of: $0.changedAt), kind: .setting, words: $0.words) }
    let outages = usage.history.days.filter { $0.silentHours > 0 }.map {
      let hours = NumberWords.counted($0.silentHours, "hour")
      return Chart.Mark(day: calendar.day(of: $0.start), kind: .outage, words: "\(hours) silent")
    }
    return (settings + releases(ratings, calendar) + outages).sorted { $0.day < $1.day }
  }

  /// Ratings that must come before the first one of a version, so that it is new: of the versions
  /// with which the ledger begins nobody knows since when they are there.
  static let fewestBefore = 10

  /// The first rating of each release in all of the ledger, whatever the period.
  private static func releases(
    _ ratings: RatingsData, _ calendar: ReportCalendar
  ) -> [Chart.Mark] {
    ratings.releases.filter { $0.ratingsBefore >= fewestBefore }.map { start in
      Chart.Mark(
        day: calendar.day(of: start.at), kind: .release,
        words: "version \(VisibleText.clipped(start.version, to: 20)) first rated")
    }
  }
}

extension SettingChange {
  /// `refresh limit 2 → 4`.
  var words: String {
    Self.words(
      of: SettingKey(wireName: wireName)?.descriptor.title ?? wireName, oldValue, newValue)
  }

  static func words(of title: String, _ old: String?, _ new: String?) -> String {
    let values = [old, new].map { VisibleText.clipped($0 ?? "none", to: 20) }
    return "\(VisibleText.clipped(title, to: 40)) \(values[0]) → \(values[1])"
  }
}

extension Report {
  /// The same report with the marks on its charts over time.
  func marked(with marks: [Chart.Mark]) -> Report {
    changingCharts { chart in
      if chart.isTimeline { chart.marks = TimelineMarks.shown(marks, in: chart) }
    }
  }

  /// The same report with its charts changed.
  func changingCharts(_ change: (inout Chart) -> Void) -> Report {
    var report = self
    for section in sections.indices {
      report.sections[section].blocks = sections[section].blocks.map { block in
        guard case .chart(var chart) = block else { return block }
        change(&chart)
        return .chart(chart)
      }
    }
    return report
  }
}
