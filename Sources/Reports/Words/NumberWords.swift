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

  /// `$1.20`, `0.15 CHF`, `$0.000150`, `$0`: two decimals, six below a cent, none for nothing.
  package static func money(_ money: Money) -> String {
    let places =
      switch (money.amount.magnitude * 1_000_000).rounded() {
      case _ where money.amount == 0: 0
      case ..<10_000: 6
      default: 2
      }
    return inCurrency(money.currency, decimal(money.amount, places: places))
  }

  /// An amount with its currency, a code such as `USD` or a sign.
  package static func inCurrency(_ currency: String, _ amount: String) -> String {
    guard let sign = Money.sign(of: currency) else {
      return currency.isEmpty ? amount : "\(amount) \(currency)"
    }
    return amount.hasPrefix("−") ? "−\(sign)\(amount.dropFirst())" : sign + amount
  }

  /// `+0.50`, `−1.20`; `0.00` has no sign.
  static func signed(_ number: Double, places: Int) -> String {
    (number > 0 ? "+" : "") + decimal(number, places: places)
  }

  /// `−0.60 from 3.85`, `±0.00 from 3.85`: the difference of what is shown of two means.
  static func change(from previous: Mean, to current: Mean) -> String {
    let (before, now) = (previous.value ?? 0, current.value ?? 0)
    return (now == before ? "±" : "") + signed(now - before, places: 2)
      + " from \(decimal(before, places: 2))"
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

  /// A duration in its largest unit, rounded down: `40 s`, `12 min`, `3 hours`, `5 days`.
  ///
  /// One below zero is `0 s`.
  package static func roughly(seconds: Double) -> String {
    switch seconds {
    case ..<60: "\(Int(max(0, seconds))) s"
    case ..<5_400: "\(Int(seconds / 60)) min"
    case ..<172_800: counted(Int(seconds / 3_600), "hour")
    default: counted(Int(min(seconds / 86_400, 1e9)), "day")
    }
  }

  /// The duration of a run: `0.42 s`, `12.3 s`, `2 min`, `2 min 5 s`, `3 h 12 min`.
  package static func duration(seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e12).rounded())
    switch seconds {
    case ..<10: return "\(decimal(seconds, places: 2)) s"
    case ..<60: return "\(decimal(seconds, places: 1)) s"
    case ..<3_600: return parts((whole / 60, "min"), (whole % 60, "s"))
    default: return parts((whole / 3_600, "h"), (whole % 3_600 / 60, "min"))
    }
  }

  /// A second part of 0 is left out.
  private static func parts(
    _ first: (count: Int, unit: String), _ second: (count: Int, unit: String)
  ) -> String {
    "\(grouped(first.count)) \(first.unit)"
      + (second.count == 0 ? "" : " \(second.count) \(second.unit)")
  }

  /// `2:00`, `0:09`; seconds are rounded up, so that 0:00 means over.
  package static func countdown(seconds: Double) -> String {
    let whole = Int(min(max(seconds, 0), 1e9).rounded(.up))
    return "\(whole / 60):\(CivilDay.twoDigits(whole % 60))"
  }
}

extension ReadPrice {
  package var noun: String { edition.billedNoun }

  /// `1,200 billed reads`, `300 read units`.
  package func counted(_ reads: Int) -> String { NumberWords.counted(reads, noun) }

  private var key: String { edition == .enterprise ? "per_100k_read_units" : "per_100k_reads" }

  /// The rate, with the month of a price from Google's list: `$0.06 per 100,000 reads`,
  /// `$0.06 per 100,000 reads, Google's price of September 2026`.
  package var rate: String {
    "\(NumberWords.inCurrency(currency, "\(per100kReads)")) per 100,000 \(edition.readNoun)s"
      + (listedIn.map { ", Google's price of \($0)" } ?? "")
  }

  /// The price behind figures of costs, and where to set it when the workspace has none of its own.
  var words: String {
    "at the price of each run's day; now \(rate)"
      + (isOwn ? "" : ": set yours as cost.\(key) in firetally.yml")
  }
}

/// A cell as a person reads it: the same words in HTML and in text.
package struct CellWords: Sendable {
  package let time: TimeWords

  /// Marks a percentage or a mean of a small count: docs/reports.md#small-counts.
  package static let smallMark = "†"
  package static let smallNote =
    "† of fewer than \(Ratio.smallWhole): too few for a percentage or a mean to say much."

  package init(time: TimeWords) {
    self.time = time
  }

  package func words(_ cell: Cell) -> String {
    switch cell {
    case .text(let text), .code(let text), .app(let text, _), .level(_, let text),
      .excerpt(let text):
      text
    case .place(let title, _, _): title
    case .count(let count): NumberWords.grouped(count)
    case .ratio(let ratio): words(ratio)
    case .rate(let ratio): words(ratio) + (ratio.interval.map { ", \($0.words)" } ?? "")
    case .points(let earlier, let later): PointChange(from: earlier, to: later)?.words ?? "–"
    case .pointError(let points): PointChange.words(ofError: points)
    case .mean(let mean): words(mean)
    case .change(let change): words(change)
    case .seconds(let seconds): NumberWords.duration(seconds: seconds)
    case .money(let amount, let currency):
      NumberWords.money(Money(amount: amount, currency: currency))
    case .day(let day), .pastDay(let day, _): day.long
    case .instant(let instant): time.dateAndTime(instant)
    case .stars(let stars): CellWords.stars(stars)
    case .countdown(let remaining, let duration):
      "\(NumberWords.countdown(seconds: remaining)) of \(NumberWords.countdown(seconds: duration))"
    case .trend(let counts):
      counts.map { $0.map(NumberWords.grouped) ?? "–" }.joined(separator: " ")
    case .list(let words): words.joined(separator: ", ")
    case .missing: "–"
    }
  }

  /// `38% of 1,204`, `3 of 8 (38%†)`: a percentage always names its whole.
  package func words(_ ratio: Ratio) -> String {
    guard ratio.whole > 0 else { return "– of 0" }
    let percent = NumberWords.percent(ratio.percent)
    let whole = NumberWords.grouped(ratio.whole)
    guard ratio.isSmall else { return "\(percent) of \(whole)" }
    return "\(NumberWords.grouped(ratio.part)) of \(whole) (\(percent)\(CellWords.smallMark))"
  }

  /// `3.84`, marked when the count is small.
  private func words(_ mean: Mean) -> String {
    guard let value = mean.value else { return "–" }
    return NumberWords.decimal(value, places: 2) + (mean.isSmall ? CellWords.smallMark : "")
  }

  /// `+12% from 1,074`; a plain difference when the base is small.
  package func words(_ change: PeriodChange) -> String {
    let base = NumberWords.grouped(change.previous)
    guard change.difference != 0 else { return "same as before (\(base))" }
    let sign = change.difference > 0 ? "+" : "−"
    guard let percent = change.percent, percent != 0 else {
      return "\(sign)\(NumberWords.grouped(abs(change.difference))) from \(base)"
    }
    return "\(sign)\(NumberWords.percent(abs(percent))) from \(base)"
  }

  /// The usual range of a figure, or its change and what that compares; nil for a figure that is
  /// not compared.
  package func changeWords(of figure: Figure) -> String? {
    let words = [figure.expected?.words, figure.change.map(words), figure.changeNote].compactMap(
      \.self)
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  package static func stars(_ stars: Int) -> String {
    let full = min(max(stars, 0), 5)
    return String(repeating: "★", count: full) + String(repeating: "☆", count: 5 - full)
  }

  /// Whether the cell's words have the mark of small counts.
  package static func isMarked(_ cell: Cell) -> Bool {
    switch cell {
    case .ratio(let ratio), .rate(let ratio): ratio.whole > 0 && ratio.isSmall
    case .mean(let mean): mean.count > 0 && mean.isSmall
    default: false
    }
  }
}

extension Feature {
  /// The name of the feature with a capital letter.
  var title: String { rawValue.capitalizedFirst }
}

extension String {
  /// The text with its first letter as a capital.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension DayFacts {
  /// What a table says of the day.
  var dataWord: String {
    silentHours == 0
      ? coverage.word
      : "\(coverage.word), \(NumberWords.counted(silentHours, "hour")) silent"
  }
}

extension DayFacts.Coverage {
  /// What a table says of the day.
  var word: String {
    switch self {
    case .none: "none"
    case .partial: "in part"
    case .whole: "whole"
    case .awaited: "still to come"
    case .running: "not over"
    }
  }
}

extension UserType {
  /// The segment in words; nil when the event does not name it.
  static func title(of type: UserType?) -> String {
    switch type {
    case .freeUser: "Free user"
    case .newUser: "New user"
    case .liteSubscriber: "Subscriber"
    case nil: "Not told"
    }
  }
}

/// Changes of a report's figures, and what they compare: docs/reports/days.md#comparisons.
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
      return Figure.Change(note: "no comparison: \(words(fault))", isOfEvents: true)
    }
    let change = change(from: previous, to: current)
    return Figure.Change(change: change.change, note: change.note, isOfEvents: true)
  }

  /// The change of any other figure; `begins` is when it began to be counted, nil when long ago.
  func change(from previous: Int, to current: Int, since begins: Instant? = nil) -> Figure.Change {
    let comparison = context.comparison
    guard comparison.main != nil else { return Figure.Change() }
    if let begins, isTooLate(begins) {
      return Figure.Change(note: "no comparison: \(words(.ledgerBegins(begins)))")
    }
    let note: String? =
      if comparison.whole == nil {
        context.newestLine == nil
          ? "by this hour a week ago" : "by \(lastHour) a week ago"
      } else if comparison.today != nil {
        (current == previous ? "" : "to \(NumberWords.grouped(current)), ") + "without today"
      } else { nil }
    return Figure.Change(change: PeriodChange(from: previous, to: current), note: note)
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

  /// What the changes of a section compare, as a sentence.
  var sentence: String {
    if let fault = context.comparisonFault { return "There is no comparison: \(words(fault))." }
    let comparison = context.comparison
    guard comparison.main != nil else { return "The day has only begun: nothing is compared yet." }
    guard comparison.whole != nil else {
      let until = context.newestLine == nil ? "" : ", up to \(lastHour): newer lines will follow"
      return "Changes compare with the same hours a week ago\(until)."
    }
    guard !context.comparison.isMonth else { return "Changes compare with the month before." }
    return "Changes compare whole days with the same weekdays earlier"
      + (comparison.today == nil ? "." : ", without today.")
  }

  /// Up to when the running day is counted, and why it is not compared; empty without such a day.
  var sentenceOfToday: String {
    guard context.comparison.today != nil else { return "" }
    // An export that is behind brings the newest hours later.
    let until = context.newestLine == nil ? "Until" : "Known until"
    return "\(until) \(lastHour)."
      + (context.todayFault.map { " There is no comparison: \(words($0))." } ?? "")
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

/// Periods without a known day: docs/reports/days.md#coverage.
extension ReportContext {
  /// Whether every day of the period is unknown; counts of its events are then missing, not 0.
  var knowsNothing: Bool {
    guard !unknownDays.isEmpty else { return false }
    let calendar = ReportCalendar(timeZone: timeZone)
    let days = calendar.days(from: start, to: end)
    return !days.isEmpty && Set(unknownDays.map(calendar.day(of:))).isSuperset(of: days)
  }

  /// The text of an empty list of events: that the period is unknown, or `sentence` when the ledger
  /// knows at least a day of it.
  func emptyText(_ sentence: String) -> String {
    knowsNothing ? "The ledger has no data for this period." : sentence
  }
}
