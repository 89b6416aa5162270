import Model
import Reports

/// The words for the head of a report, the same in HTML and in text.
struct ReportHeadWords {
  let report: Report
  let time: TimeWords

  /// Nil for the overview, whose apps have their own time zones.
  var period: String? {
    report.name == .overview
      ? nil : time.period(from: report.context.start, to: report.context.end)
  }

  /// The period that changes compare with; nil for a report without changes, for the overview, and
  /// for the index, which compares a day with its weekdays and with the last report.
  var previousPeriod: String? {
    guard report.name != .overview, report.name != .index else { return nil }
    let hasChanges = report.shownCells.contains { cell in
      if case .change = cell { true } else { false }
    }
    guard hasChanges, let previous = report.context.comparison.main?.previous else { return nil }
    return time.period(from: previous.lowerBound, to: previous.upperBound)
  }

  /// The platform whose events are counted; nil for the overview, whose apps have their own.
  var platform: String? {
    report.name == .overview
      ? nil : report.context.platform.map(PlatformWords.title) ?? "all"
  }

  /// Which events of the period are not counted, as a sentence; nil when there are none.
  var otherPlatforms: String? { PlatformWords.others(report.context) }

  /// The person who is counted, and whether pseudonyms replace names; nil for everybody by name.
  ///
  /// Other reports never count one profile alone: docs/reports.md#options.
  var people: String? {
    let followsScope = [.index, .usage, .ratings].contains(report.name)
    let scope = followsScope ? report.context.scope : nil
    let words = [
      scope.map { "profile \(VisibleText.clipped($0, to: 60)) alone" },
      report.context.isAnonymous ? "under pseudonyms" : nil,
    ].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  var timeZone: String { time.calendar.knowsZone ? report.context.timeZone : "UTC" }
}
