import Foundation
import Model

/// What the reads of a month will come to, by the same weekdays before: docs/findings.md#reads.
struct ReadForecast: Hashable {
  /// Weeks that a day is forecast from, and the fewest.
  static let weeks = 6
  static let fewestWeeks = 2
  /// Standard deviations to either side: 19 months of 20 lie within.
  static let reach = 2.0

  /// Reads of the month so far.
  let soFar: Int
  /// Reads of the whole month, as far as they are to be expected.
  let total: ClosedRange<Double>
  /// The middle of what is to be expected.
  let middle: Double
  let daysInMonth: Int

  /// Nil when the history is empty, or when too few weeks of reads are known.
  ///
  /// Quiet days are not forecast from.
  init?(
    _ history: DayHistory, settings: FindingSettings = FindingSettings(), calendar: ReportCalendar
  ) {
    let days = history.days
    guard let last = days.last, let first = days.firstReadDay else {
      return nil
    }
    let today = calendar.day(of: last.start)
    func isOfThisMonth(_ day: CivilDay) -> Bool {
      day.month == today.month && day.year == today.year
    }
    let remaining = calendar.days(from: last.end, to: last.end + .seconds(86_400 * 32))
      .count(where: isOfThisMonth)
    let complete = days.count { $0.coverage != .running }
    let quiet = Set(
      days.indices.filter { settings.isQuiet(calendar.day(of: days[$0].start).iso8601) })
    var sum = 0.0
    var variance = 0.0
    for day in complete..<(days.count + remaining) {
      let reads = stride(from: day - 7, through: first, by: -7).filter { earlier in
        earlier < complete && !quiet.contains(earlier)
      }
      .prefix(Self.weeks).map { Double(days[$0].reads) }
      guard reads.count >= Self.fewestWeeks else { return nil }
      let median = reads.median
      let spread = AnomalyRule.normalScale * reads.map { abs($0 - median) }.median
      // What was read today already stays read.
      sum += day < days.count ? max(0, median - Double(days[day].reads)) : median
      variance += spread * spread
    }
    soFar = days.filter { isOfThisMonth(calendar.day(of: $0.start)) }.map(\.reads).reduce(0, +)
    middle = Double(soFar) + sum
    let reach = Self.reach * variance.squareRoot()
    total = max(Double(soFar), middle - reach)...(middle + reach)
    daysInMonth = today.day + remaining
  }

  /// What the reads of the month cost at a price, in its currency.
  func cost(at price: ReadPrice) -> (lower: Double, middle: Double, upper: Double) {
    func cost(_ reads: Double) -> Double { price.per100kReads * reads / 100_000 }
    return (cost(total.lowerBound), cost(middle), cost(total.upperBound))
  }

  /// The finding about a month that comes near its budget; none without a budget or below it.
  ///
  /// `maxPerDay` is `cost.max_reads_per_day`; there is no sentence about money without a price, and
  /// none at all for fewer reads a month than `floor`.
  func findings(maxPerDay: Int?, price: ReadPrice?, floor: Double = 0) -> [Finding] {
    guard let maxPerDay else { return [] }
    let budget = maxPerDay * daysInMonth
    guard total.upperBound > Double(budget), middle >= floor else { return [] }
    let isOver = middle > Double(budget)
    var evidence = [
      Evidence("Reads of the month so far", soFar, .reads),
      Evidence("Reads of the whole month", middle, .reads, expected: total),
      Evidence("Budget of the month, \(NumberWords.grouped(maxPerDay)) a day", budget, .reads),
    ]
    if let price {
      let cost = cost(at: price)
      evidence.append(
        Evidence(
          "Cost of the whole month in \(price.currency)", cost.middle, .money,
          expected: cost.lower...cost.upper, currency: price.currency))
    }
    let finding = Finding(
      isOver ? .warn : .notice,
      "This month's reads \(isOver ? "will" : "may") exceed the budget: about "
        + "\(Evidence.words(middle, .reads)) of \(NumberWords.grouped(budget)).",
      report: .runs, section: "days", subject: "read-budget", rule: .reads, evidence: evidence,
      advice: "See which job reads most (`firetally runs`), and what `firetally plan` says.",
      weight: 10 * middle / max(Double(budget), 1))
    return [finding]
  }
}
