/// How many document reads a run may make, by its own limit and the day's;
/// `docs/costs.md#read-budget`.
package struct ReadBudget: Hashable, Sendable {
  /// The limit that stops a run.
  package enum Limit: Hashable, Sendable {
    case run(Int)
    case day(Int)
  }

  /// The time zone of Google's daily quota; `docs/costs.md#read-budget`.
  package static let timeZone = "America/Los_Angeles"

  /// Nil means no limit, as for `maxPerDay`.
  package let maxPerRun: Int?
  package let maxPerDay: Int?
  /// Reads of other runs on this day; used only when the day has a limit.
  package let readToday: Int
  /// An instant of the day.
  private let now: Instant

  package init(maxPerRun: Int?, maxPerDay: Int?, readToday: Int, now: Instant) {
    self.maxPerRun = maxPerRun
    self.maxPerDay = maxPerDay
    self.readToday = readToday
    self.now = now
  }

  /// The end of the day, when the daily limit starts again.
  package var resetsAt: Instant { Self.day(of: now).end }

  /// The day that an instant counts to.
  package static func day(of instant: Instant) -> LocalDay { LocalDay(of: instant, in: timeZone) }

  /// Reads left today, 0 or more; nil without a daily limit.
  package var leftToday: Int? { maxPerDay.map { max(0, $0 - readToday) } }

  /// Reads that a run may make now; nil without any limit.
  package var allowance: Int? { [maxPerRun, leftToday].compactMap(\.self).min() }

  /// The limit that a run reaches first, its own if both are equal; nil without any.
  package var nearest: Limit? {
    if let maxPerRun, maxPerRun <= leftToday ?? .max { return .run(maxPerRun) }
    return maxPerDay.map { .day($0) }
  }
}

/// The price of billed document reads; see `docs/costs.md#prices`.
package struct ReadPrice: Hashable, Sendable {
  /// In units of the currency.
  package var per100kReads: Double
  /// Three letters, ISO 4217.
  package var currency: String

  /// The price in Google's examples; `docs/costs.md#prices`.
  package static let example = ReadPrice(per100kReads: 0.06, currency: "USD")

  package func cost(of reads: Int) -> Money {
    // Rounded to the billionth, which hides the errors of binary fractions.
    let billionths = (Double(reads) * per100kReads * 10_000).rounded()
    return Money(amount: billionths / 1_000_000_000, currency: currency)
  }
}

package struct Money: Hashable, Codable, Sendable {
  /// In units of the currency, with a fraction.
  package var amount: Double
  /// Three letters, ISO 4217.
  package var currency: String

  package init(amount: Double, currency: String) {
    self.amount = amount
    self.currency = currency
  }
}
