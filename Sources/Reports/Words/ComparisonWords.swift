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
      return Figure.Change(nil, note: "no comparison: \(words(fault))", isOfEvents: true)
    }
    let change = change(from: previous, to: current)
    return Figure.Change(change.change, note: change.note, isOfEvents: true)
  }

  /// The change of any other figure; `begins` is when it began to be counted, nil when long ago.
  func change(from previous: Int, to current: Int, since begins: Instant? = nil) -> Figure.Change {
    let comparison = context.comparison
    guard comparison.main != nil else { return Figure.Change(nil) }
    if let begins, isTooLate(begins) {
      return Figure.Change(nil, note: "no comparison: \(words(.ledgerBegins(begins)))")
    }
    let note: String? =
      if comparison.whole == nil {
        context.newestLine == nil
          ? "by this hour a week ago" : "by \(lastHour) a week ago"
      } else if comparison.today != nil {
        "without today"
      } else { nil }
    return Figure.Change(PeriodChange(from: previous, to: current), note: note)
  }

  /// `06:15`: up to when the running day is compared.
  private var lastHour: String {
    context.comparison.today.map { calendar.localTime($0.current.upperBound).clock } ?? ""
  }

  /// Whether what begins then does not cover the span before.
  private func isTooLate(_ begins: Instant) -> Bool {
    context.comparison.main.map { begins > $0.previous.lowerBound + .seconds(3_600) } ?? false
  }

  /// Why things that are known from an instant on cannot be compared with those before, as the end
  /// of a sentence; nil when they can.
  ///
  /// Nil for `begins`: there are none at all.
  func obstacle(since begins: Instant?, of things: String) -> String? {
    guard context.comparison.main != nil else { return "the day has only begun" }
    guard let begins else { return "there are no \(things) yet" }
    guard isTooLate(begins) else { return nil }
    return "the \(things) begin \(calendar.day(of: begins).short)"
  }

  /// What the changes of a section are told of, as a sentence.
  var sentence: String {
    if let fault = context.comparisonFault { return "There is no comparison: \(words(fault))." }
    let comparison = context.comparison
    guard comparison.main != nil else { return "The day has only begun: nothing is compared yet." }
    guard comparison.whole != nil else {
      let until = context.newestLine == nil ? "" : ", up to \(lastHour): newer lines are to come"
      return "Changes compare with the same hours a week ago\(until)."
    }
    guard !context.comparison.isMonth else { return "Changes compare with the month before." }
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

/// A period of which the ledger knows no day: docs/reports/days.md#coverage.
extension ReportContext {
  /// Whether every day of the period is unknown; counts of its events are then missing, not 0.
  var knowsNothing: Bool {
    let calendar = ReportCalendar(timeZone: timeZone)
    let days = calendar.days(from: start, to: end)
    return !days.isEmpty && Set(unknownDays.map(calendar.day(of:))).isSuperset(of: days)
  }

  /// What stands in the place of events when there is none: that the period is unknown, or the
  /// sentence, which is true when the ledger knows a day of it.
  func emptyText(_ sentence: String) -> String {
    knowsNothing ? "The ledger knows nothing of this period." : sentence
  }
}
