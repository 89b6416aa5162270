import Model

/// What the head of a report states, a term and its words a line, the same in HTML and in text.
struct FrameWords {
  let report: Report
  let time: TimeWords

  var period: String { time.period(from: report.frame.start, to: report.frame.end) }

  /// What changes compare with; nil for a report without any.
  var previousPeriod: String? {
    let hasChanges = report.shownCells.contains { cell in
      if case .change = cell { true } else { false }
    }
    return hasChanges
      ? time.period(from: report.frame.previousStart, to: report.frame.start) : nil
  }

  /// Whose doings are counted, and whether people are named; nil when there is nothing to say.
  var people: String? {
    let scope = report.name.followsScope ? report.frame.scope : nil
    let words = [
      scope.map { "profile \(VisibleText.clipped($0, to: 60)) alone" },
      report.frame.isAnonymous ? "under pseudonyms" : nil,
    ].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  var timeZone: String { time.calendar.knowsZone ? report.frame.timeZone : "UTC" }
}

extension Report.Name {
  /// Whether its numbers are of one profile alone where that is asked for: docs/reports.md#options.
  fileprivate var followsScope: Bool {
    switch self {
    case .index, .usage, .ratings: true
    case .limits, .users, .runs, .history: false
    }
  }
}
