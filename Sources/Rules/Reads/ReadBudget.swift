package import Model

/// How many document reads a run may still make, by its own limit and by its day's.
///
/// See `docs/jobs.md#read-budget`.
package struct ReadBudget: Hashable, Sendable {
  /// What can stop a run.
  package enum Limit: Hashable, Sendable {
    case run(Int)
    case day(Int)
  }

  /// Where Google's quota has its midnight; `docs/jobs.md#read-budget`.
  package static let timeZone = "America/Los_Angeles"

  /// Nil: as many as it takes.
  package let maxPerRun: Int?
  package let maxPerDay: Int?
  /// What other runs have read of the day; it matters only when the day has a limit.
  package let readToday: Int
  /// An instant of the day.
  private let now: Instant

  package init(maxPerRun: Int?, maxPerDay: Int?, readToday: Int, now: Instant) {
    self.maxPerRun = maxPerRun
    self.maxPerDay = maxPerDay
    self.readToday = readToday
    self.now = now
  }

  /// When the day ends and the next allowance begins.
  package var resetsAt: Instant { Self.day(of: now).end }

  /// The day that an instant counts to.
  package static func day(of instant: Instant) -> LocalDay { LocalDay(of: instant, in: timeZone) }

  /// Reads that the day has left; nil without a limit, never negative.
  package var leftToday: Int? { maxPerDay.map { max(0, $0 - readToday) } }

  /// Reads that a run which begins now may make; nil without any limit.
  package var allowance: Int? { [maxPerRun, leftToday].compactMap(\.self).min() }

  /// The limit that a run comes to first, its own when both are as near; nil without any.
  package var nearest: Limit? {
    if let maxPerRun, maxPerRun <= leftToday ?? .max { return .run(maxPerRun) }
    return maxPerDay.map { .day($0) }
  }
}
