import Model
import Store

/// What the days, the versions and the costs of an app say to a person: docs/findings.md.
struct ReportFindings {
  let context: ReportContext
  let usage: UsageData
  let limits: LimitsData
  let ratings: RatingsData
  let runs: RunsData

  /// In no order; none for one profile alone, whose days are no app.
  func found() -> [Finding] {
    guard context.scope == nil else { return [] }
    let releases = ReleaseFindings(
      ratings: ratings, calendar: calendar, now: context.now,
      fewest: settings.floor(of: .release, own: Double(ReleaseFindings.fewestRatings))
    ).findings()
    let reads = ReadForecast(usage.history, settings: settings, calendar: calendar)?.findings(
      maxPerDay: runs.maxReadsPerDay, price: runs.price.isOwn ? runs.price : nil,
      floor: settings.floor(of: .reads, own: 0))
    // A rule that is off explains no other finding, except outages and lost exports.
    let found = (dayDetections() + releases).filter {
      settings.isOn($0.rule) || $0.rule == .outage || $0.rule == .lostExport
    }
    return Causes.findings(found)
      + (reads ?? []).filter { $0.rule.map(settings.isOn) ?? true }
  }

  private var settings: FindingSettings { context.findingSettings }

  private var calendar: ReportCalendar { ReportCalendar(timeZone: context.timeZone) }

  private var anomalies: DayAnomalies {
    DayAnomalies(usage.history.complete, settings: settings, calendar: calendar)
  }

  /// What is found of the last complete day; nothing of a day that the owner calls quiet.
  private func dayDetections() -> [Detection] {
    let troubled = RootCauses.troubledKinds(runs)
    let anomalies = anomalies
    var days = JudgedDays(anomalies.days, calendar: calendar)
    let quiet = days.days.indices.filter { settings.isQuiet(days.names.iso8601($0)) }
    guard let last = days.last, !quiet.contains(last) else { return [] }
    days.exclude(quiet)
    let incidents = Incidents(
      anomalies: anomalies, gaps: usage.exportGaps,
      linesToday: usage.history.today?.exportLines ?? 0)
    days.exclude(days.days.indices.filter(incidents.isUnusual))
    let counts = HourCounts(usage, days: days.days)
    let events = EventFindings(
      events: EventCounts(days: days, ownShare: settings.floors[.flood]),
      hours: HoursMoved(days: days, hours: counts.hours),
      exports: PartialExport(
        days: days, anomalies: anomalies, incidents: incidents, counts: counts))
    let odd = days.days.indices.suffix(JudgedDays.compared + 1).filter(events.isOdd)
    days.exclude(odd)
    return UsageFindings(
      anomalies: anomalies, incidents: incidents, names: days.names, changes: limits.changes
    ).found(on: last, importFails: troubled.contains(.importEvents), readsFail: !troubled.isEmpty)
      + events.found(on: last)
      + ClockFindings(
        days: days, linesAhead: usage.linesAhead, now: context.now,
        ownFloor: settings.floors[.clocks]
      ).found(on: last)
      + judged(days, counts, on: last)
  }

  /// What parts, weeks and ratings say.
  private func judged(_ days: JudgedDays, _ counts: HourCounts, on last: Int) -> [Detection] {
    let series = AppSeries(usage, ratings, days: days, counts: counts)
    let effects = SettingEffects(
      days: days, changes: limits.changes, experiments: limits.experiments,
      proposals: limits.proposals, price: limits.price.flatMap { PriceText($0) })
    return PartFindings(
      rule: StoppedParts(days: days, ownFloor: settings.floors[.dead]), parts: series.parts,
      limitsChangedOn: effects.newestLimitDay
    ).found(on: last)
      + TrendFindings(
        weeks: WeekRule(days: days, ownFloor: settings.floors[.week]),
        drifts: DriftRule(days: days, ownFloor: settings.floors[.drift]), series: series.totals
      ).found(on: last)
      + RatingFindings(
        rule: RatingRules(
          days: days, raters: ratings.raters, ownShare: settings.floors[.oneRater])
      ).found(on: last)
      + RatingFindings(
        rule: RatingRules(days: days, raters: ratings.reviewers), source: .appStore
      ).found(on: last)
      + effects.found(on: last)
      + ShareFindings(
        rule: ShareRule(days: days),
        set: ShareSet(usage, feedback: ratings.feedback, days: days, counts: counts),
        changedOn: effects.newestChangedDay,
        leastActions: settings.floor(of: .dead, own: StoppedParts.floor),
        leastOfRegion: settings.floor(of: .region, own: ShareFindings.leastOfRegion)
      ).found(on: last)
  }
}

/// What the days that are judged let expect of those that are drawn: docs/reports/form.md#charts.
extension ReportFindings {
  /// The charts that draw a series that is judged, by the ids of their tables.
  private static let charts: [String: DaySeries] = [
    "month": .taps, "usage-by-day": .taps, "runs-by-day": .reads, "ratings-by-day": .stars,
  ]

  /// The reports with what is expected of their days; nothing for one profile alone.
  func expectedDays(addedTo reports: [Report]) -> [Report] {
    guard context.scope == nil else { return reports }
    let (calendar, anomalies) = (calendar, anomalies)
    let days = anomalies.days.map { calendar.day(of: $0.start) }
    return reports.map { report in
      report.changingCharts { chart in
        guard chart.isTimeline, let series = Self.charts[chart.table.id] else { return }
        let shown = Set(chart.days)
        chart.expected = days.indices.filter { shown.contains(days[$0]) }.compactMap { day in
          anomalies.band(of: series, on: day).map {
            Chart.ExpectedDay(
              day: days[day], range: $0.usual, comparedDays: $0.comparedDays)
          }
        }
      }
    }
  }
}

/// Leaves out findings that another one explains: docs/findings.md#causes.
enum RootCauses {
  /// The subjects of findings that something is missing.
  static let noEvents = "no-events"
  static let noSettings = "no-settings"
  static let noUsers = "no-users"

  /// The findings of a page without those that the found ones or a job in trouble explain.
  static func open(
    _ findings: [Finding], explainedBy found: [Finding], _ runs: RunsData
  ) -> [Finding] {
    let kinds = troubledKinds(runs)
    let isIncident = found.contains { $0.rule?.isIncident == true }
    return findings.filter { finding in
      switch finding.subject {
      case noEvents: !isIncident && !kinds.contains(.importEvents)
      case noSettings: !kinds.contains(.syncSettings)
      case noUsers: !kinds.contains(.syncUsers)
      default: true
      }
    }
  }

  /// The kinds of the jobs that have a finding of their own, worse than a note.
  static func troubledKinds(_ runs: RunsData) -> Set<JobKindName> {
    Set(JobHealth.all(runs).filter { $0.level >= .warn }.map(\.job.kind))
  }
}
