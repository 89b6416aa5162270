import Model

/// What may explain a change of counts by day: changed settings and new versions.
enum TimelineMarks {
  /// The newest of each kind that a chart shows; more would hide the columns.
  private static let most = 8

  /// The marks that a chart shows: of each kind the newest of those that lie in it.
  static func shown(_ marks: [Chart.Mark], in chart: Chart) -> [Chart.Mark] {
    let inside = marks.filter { chart.holds($0.day) }
    return [Chart.Mark.Kind.setting, .release]
      .flatMap { kind in inside.filter { $0.kind == kind }.suffix(most) }
      .sorted { $0.day < $1.day }
  }

  /// Oldest first.
  static func all(
    _ limits: LimitsData, _ ratings: RatingsData, context: ReportContext
  ) -> [Chart.Mark] {
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let settings = limits.changes.filter { $0.oldValue != nil && $0.newValue != nil }
      .sorted { $0.changedAt < $1.changedAt }
      .map { Chart.Mark(calendar.day(of: $0.changedAt), .setting, words(of: $0)) }
    return (settings + releases(ratings, calendar)).sorted { $0.day < $1.day }
  }

  private static func words(of change: SettingChange) -> String {
    let name = SettingKey(wireName: change.wireName)?.descriptor.title ?? change.wireName
    let values = [change.oldValue, change.newValue].map {
      VisibleText.clipped($0 ?? "none", to: 20)
    }
    return "\(VisibleText.clipped(name, to: 40)) \(values[0]) → \(values[1])"
  }

  /// Ratings that must come before the first one of a version, so that it is new: of the versions
  /// with which the ledger begins nobody knows since when they are there.
  static let fewestBefore = 10

  /// The first rating of each version in all of the ledger, whatever the period.
  private static func releases(
    _ ratings: RatingsData, _ calendar: ReportCalendar
  ) -> [Chart.Mark] {
    ratings.versionStarts.filter { $0.ratingsBefore >= fewestBefore }.map { start in
      Chart.Mark(
        calendar.day(of: start.at), .release,
        "version \(VisibleText.clipped(start.version, to: 20)) first rated")
    }
  }
}

extension Report {
  /// The same report with the marks on its charts over time.
  func marked(with marks: [Chart.Mark]) -> Report {
    var report = self
    report.sections = sections.map { section in
      var section = section
      section.blocks = section.blocks.map { block in
        guard case .chart(var chart) = block, chart.isTimeline else { return block }
        chart.marks = TimelineMarks.shown(marks, in: chart)
        return .chart(chart)
      }
      return section
    }
    return report
  }
}
