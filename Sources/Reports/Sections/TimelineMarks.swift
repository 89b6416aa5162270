import Model

/// What may explain a change of counts by day: changed settings and new versions.
enum TimelineMarks {
  /// The newest of each kind that charts show; more would hide the columns.
  static let most = 8

  /// Oldest first.
  static func all(
    _ limits: LimitsData, _ ratings: RatingsData, calendar: ReportCalendar
  ) -> [Chart.Mark] {
    let settings = limits.changes.filter { $0.oldValue != nil && $0.newValue != nil }
      .sorted { $0.changedAt < $1.changedAt }.suffix(most)
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

  /// The first rating of each version but of the one that came first: nobody knows since when that
  /// one is in use.
  private static func releases(
    _ ratings: RatingsData, _ calendar: ReportCalendar
  ) -> ArraySlice<Chart.Mark> {
    var seen: Set<String> = []
    var marks: [Chart.Mark] = []
    for rating in ratings.ratings {
      guard let version = rating.appVersion, seen.insert(version).inserted, seen.count > 1 else {
        continue
      }
      marks.append(
        Chart.Mark(
          calendar.day(of: rating.at), .release,
          "version \(VisibleText.clipped(version, to: 20)) first rated"))
    }
    return marks.suffix(most)
  }
}

extension Report {
  /// The same report with the marks on its charts by day.
  func marked(with marks: [Chart.Mark]) -> Report {
    var report = self
    report.sections = sections.map { section in
      var section = section
      section.blocks = section.blocks.map { block in
        guard case .chart(var chart) = block, chart.isDaily else { return block }
        chart.marks = marks
        return .chart(chart)
      }
      return section
    }
    return report
  }
}
