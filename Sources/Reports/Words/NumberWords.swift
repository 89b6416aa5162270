package import Model

/// Numbers as people read them: grouped by thousands, with a minus sign instead of a hyphen.
package enum NumberWords {
  /// `4,812`; `−12`.
  package static func grouped(_ number: Int) -> String {
    let digits = String(number.magnitude)
    var text = number < 0 ? "−" : ""
    for (position, digit) in digits.enumerated() {
      if position > 0, (digits.count - position) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// The number with exactly `places` decimals, its whole part grouped.
  package static func decimal(_ number: Double, places: Int) -> String {
    var scale = 1
    for _ in 0..<places { scale *= 10 }
    guard number.isFinite, let scaled = Int(exactly: (number.magnitude * Double(scale)).rounded())
    else { return "\(number)" }
    let sign = number < 0 && scaled > 0 ? "−" : ""
    guard places > 0 else { return sign + grouped(scaled) }
    let fraction = String(scaled % scale)
    let zeros = String(repeating: "0", count: places - fraction.count)
    return "\(sign)\(grouped(scaled / scale)).\(zeros)\(fraction)"
  }

  /// `38%`, `4.2%`; `–` for nil.
  package static func percent(_ percent: Double?) -> String {
    guard let percent else { return "–" }
    return decimal(percent, places: percent == percent.rounded() ? 0 : 1) + "%"
  }

  /// `$1.20`, `0.15 USD`, `0.0151 USD`, `0.000150 USD`: small amounts have more decimals when they
  /// are no whole cents.
  package static func money(_ money: Money) -> String {
    let cents = 100 * money.amount
    let places =
      switch money.amount.magnitude {
      // Beyond what a binary number may lack.
      case _ where abs(cents - cents.rounded()) < 1e-9: 2
      case ..<0.01: 6
      case ..<1: 4
      default: 2
      }
    let amount = decimal(money.amount, places: places)
    guard !money.currency.isEmpty else { return amount }
    // A sign without a letter or digit at its end stands before the amount.
    let isSign = money.currency.last?.isLetter == false
    guard isSign else { return "\(amount) \(money.currency)" }
    return amount.hasPrefix("−")
      ? "−\(money.currency)\(amount.dropFirst())" : money.currency + amount
  }

  /// `1 day`, `4,812 days`; `many` defaults to `one` with an s.
  package static func counted(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// A size in units of a thousand, with two digits below ten: `512 B`, `1.2 MB`, `12 GB`.
  package static func bytes(_ bytes: Int64) -> String {
    var number = Double(bytes)
    var unit = "B"
    for larger in ["kB", "MB", "GB", "TB"] where abs(number) >= 999.5 {
      number /= 1_000
      unit = larger
    }
    guard unit != "B", abs(number) < 9.95 else { return "\(Int(number.rounded())) \(unit)" }
    return "\((number * 10).rounded() / 10) \(unit)"
  }

  /// A duration in its largest unit: `40 s`, `12 min`, `3 hours`, `5 days`.
  package static func roughly(seconds: Double) -> String {
    switch seconds {
    case ..<60: "\(Int(seconds)) s"
    case ..<5_400: "\(Int(seconds / 60)) min"
    case ..<172_800: counted(Int(seconds / 3_600), "hour")
    default: counted(Int(min(seconds / 86_400, 1e9)), "day")
    }
  }

  /// The duration of a run: `0.42 s`, `12.3 s`, `2 min 5 s`, `3 h 12 min`.
  package static func duration(seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e12).rounded())
    switch seconds {
    case ..<10: return "\(decimal(seconds, places: 2)) s"
    case ..<60: return "\(decimal(seconds, places: 1)) s"
    case ..<3_600: return "\(whole / 60) min \(whole % 60) s"
    default: return "\(grouped(whole / 3_600)) h \(whole % 3_600 / 60) min"
    }
  }

  /// `2:00`, `0:09`; seconds are rounded up, so that 0:00 means over.
  package static func countdown(seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e9).rounded(.up))
    return "\(whole / 60):\(CivilDay.twoDigits(whole % 60))"
  }
}

extension ReadPrice {
  /// `0.06 USD per 100,000 reads`.
  var words: String { "\(per100kReads) \(currency) per 100,000 reads" }

  /// What figures of costs take, and where to set it when the workspace does not name its own.
  func words(isOwn: Bool) -> String {
    "at the price of each run's day; now "
      + (isOwn
        ? words : "the example of \(words): set yours as cost.per_100k_reads in firetally.yml")
  }
}

/// Instants and periods in words, in the report's time zone.
package struct TimeWords: Sendable {
  package let calendar: ReportCalendar
  package let now: Instant

  package init(context: ReportContext) {
    calendar = ReportCalendar(timeZone: context.timeZone)
    now = context.now
  }

  package init(timeZone: String, now: Instant) {
    calendar = ReportCalendar(timeZone: timeZone)
    self.now = now
  }

  /// `05:33` of today, `Sun 1 Mar, 05:33` of another day.
  func clock(_ instant: Instant) -> String {
    let local = calendar.localTime(instant)
    guard local.day != calendar.day(of: now) else { return local.clock }
    return "\(local.day.weekdayName) \(local.day.short), \(local.clock)"
  }

  /// `2 Mar 2026, 07:30`.
  package func dateAndTime(_ instant: Instant) -> String {
    let local = calendar.localTime(instant)
    return "\(local.day.plain), \(local.clock)"
  }

  /// `3 hours ago`; `in 5 min` for an instant in the future.
  package func distance(to instant: Instant) -> String {
    let seconds = (now - instant).fractionalSeconds
    if seconds < 0 { return "in \(NumberWords.roughly(seconds: -seconds))" }
    return seconds < 60 ? "just now" : "\(NumberWords.roughly(seconds: seconds)) ago"
  }

  /// `Newest event: 3 hours ago`, or `Newest event: never`.
  func freshness(of data: Report.DataTime) -> String {
    "\(data.label): \(data.at.map(distance) ?? "never")"
  }

  /// `16 Feb – 1 Mar 2026 (14 days)` for whole days; both times for any other period.
  package func period(from start: Instant, to end: Instant) -> String {
    let first = calendar.localTime(start)
    let after = calendar.localTime(end)
    let days = calendar.days(from: start, to: end)
    guard first.hour + first.minute + after.hour + after.minute == 0, let last = days.last else {
      return "\(dateAndTime(start)) – \(dateAndTime(end))"
    }
    let count = NumberWords.counted(days.count, "day")
    if first.day == last { return "\(first.day.plain) (1 day)" }
    let from = first.day.year == last.year ? first.day.short : first.day.plain
    return "\(from) – \(last.plain) (\(count))"
  }

}

/// The words for the head of a report, the same in HTML and in text.
struct ReportHeadWords {
  let report: Report
  let time: TimeWords

  var period: String { time.period(from: report.context.start, to: report.context.end) }

  /// The period that changes compare with; nil for a report without changes.
  var previousPeriod: String? {
    let hasChanges = report.shownCells.contains { cell in
      if case .change = cell { true } else { false }
    }
    guard hasChanges, let previous = report.context.comparison.main?.previous else { return nil }
    return time.period(from: previous.lowerBound, to: previous.upperBound)
  }

  /// Whose events are counted, and whether pseudonyms replace names; nil for everybody by name.
  var people: String? {
    let scope = report.name.followsScope ? report.context.scope : nil
    let words = [
      scope.map { "profile \(VisibleText.clipped($0, to: 60)) alone" },
      report.context.isAnonymous ? "under pseudonyms" : nil,
    ].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  var timeZone: String { time.calendar.knowsZone ? report.context.timeZone : "UTC" }
}

extension Report.Name {
  /// Whether the report can count one profile alone: docs/reports.md#options.
  fileprivate var followsScope: Bool {
    switch self {
    case .index, .usage, .ratings: true
    case .money, .limits, .popups, .users, .runs, .own, .search, .history: false
    }
  }
}

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
