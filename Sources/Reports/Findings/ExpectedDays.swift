import Model

/// Adds to drawings by day what the same weekdays let expect: docs/reports/form.md#charts.
enum ExpectedDays {
  /// The charts whose columns are sums of a series that is judged, by the ids of their tables.
  private static let charts: [String: DaySeries] = [
    "month": .taps, "usage-by-day": .taps, "runs-by-day": .reads,
  ]

  /// The reports with what is expected of their days; nothing for one profile alone.
  static func added(
    to reports: [Report], _ history: DayHistory, _ context: ReportContext
  ) -> [Report] {
    guard context.scope == nil else { return reports }
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let anomalies = DayAnomalies(
      history.complete, settings: context.findingSettings, calendar: calendar)
    let bands = Dictionary(
      uniqueKeysWithValues: Set(charts.values).map { ($0, days(of: $0, anomalies, calendar)) })
    return reports.map { report in
      var report = report
      for section in report.sections.indices {
        report.sections[section].blocks = report.sections[section].blocks.map { block in
          guard case .chart(var chart) = block, chart.isDaily,
            let expected = charts[chart.table.id].flatMap({ bands[$0] })
          else { return block }
          let shown = Set(chart.days)
          chart.expected = expected.filter { shown.contains($0.day) }
          return .chart(chart)
        }
      }
      return report
    }
  }

  private static func days(
    of series: DaySeries, _ anomalies: DayAnomalies, _ calendar: ReportCalendar
  ) -> [Chart.ExpectedDay] {
    anomalies.days.indices.compactMap { day in
      anomalies.band(of: series, on: day).map {
        Chart.ExpectedDay(
          day: calendar.day(of: anomalies.days[day].start), range: $0.expected,
          comparedDays: $0.comparedDays)
      }
    }
  }
}
