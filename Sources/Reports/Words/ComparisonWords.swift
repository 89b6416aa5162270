import Model

/// Changes of a report's figures, and what they are told of: docs/reports/days.md#comparisons.
struct ComparisonWords {
  private let context: ReportContext
  private let calendar: ReportCalendar

  init(_ context: ReportContext) {
    self.context = context
    calendar = ReportCalendar(timeZone: context.timeZone)
  }

  /// The change of a figure that is counted from events.
  func change(ofEvents previous: Int, to current: Int) -> Figure.Change {
    if let fault = context.comparisonFault {
      return Figure.Change(nil, note: "no comparison: \(words(fault))")
    }
    return change(from: previous, to: current)
  }

  /// The change of any other figure; `begins` is when it began to be counted, nil when long ago.
  func change(from previous: Int, to current: Int, since begins: Instant? = nil) -> Figure.Change {
    let comparison = context.comparison
    guard let main = comparison.main else { return Figure.Change(nil) }
    if let begins, begins > main.previous.lowerBound + .seconds(3_600) {
      return Figure.Change(nil, note: "no comparison: \(words(.ledgerBegins(begins)))")
    }
    let note: String? =
      if comparison.whole == nil {
        "by this hour a week ago"
      } else if comparison.today != nil {
        "without today"
      } else { nil }
    return Figure.Change(PeriodChange(from: previous, to: current), note: note)
  }

  /// The same in a table of events.
  func cell(from previous: Int, to current: Int) -> Cell {
    change(ofEvents: previous, to: current).change.map(Cell.change) ?? .missing
  }

  /// What the changes of a section are told of, as a sentence.
  var sentence: String {
    if let fault = context.comparisonFault { return "There is no comparison: \(words(fault))." }
    let comparison = context.comparison
    guard comparison.main != nil else { return "The day has only begun: nothing is compared yet." }
    guard comparison.whole != nil else { return "Changes compare with the same hours a week ago." }
    return "Changes compare whole days with the same weekdays earlier"
      + (comparison.today == nil ? "." : ", without today.")
  }

  func words(_ fault: ComparisonFault) -> String {
    switch fault {
    case .emptyLedger: "the ledger is empty"
    case .ledgerBegins(let at): "the ledger begins \(calendar.day(of: at).short)"
    case .missingLines(let day):
      "\(calendar.day(of: day).short) is incomplete"
    case .awaited(let day):
      "the export of \(calendar.day(of: day).short) has not come yet"
    }
  }
}
