import Testing

@testable import Model

@Suite struct ReadBudgetTests {
  /// The run's limit, the day's, what the day has read, and what is left under which limit.
  static let rows: [(Int?, Int?, Int, Int?, ReadBudget.Limit?)] = [
    (nil, nil, 1_000_000, nil, nil),
    (100, nil, 1_000_000, 100, .run(100)),
    (nil, 100, 0, 100, .day(100)),
    (nil, 100, 99, 1, .day(100)),
    (nil, 100, 100, 0, .day(100)),
    (nil, 100, 101, 0, .day(100)),
    (50, 100, 49, 50, .run(50)),
    (50, 100, 50, 50, .run(50)),
    (50, 100, 51, 49, .day(100)),
    (1, 1, 0, 1, .run(1)),
  ]

  @Test(arguments: rows)
  func `the nearer limit decides, and nothing is ever left below zero`(
    perRun: Int?, perDay: Int?, readToday: Int, allowance: Int?, nearest: ReadBudget.Limit?
  ) {
    let budget = ReadBudget(
      maxPerRun: perRun, maxPerDay: perDay, readToday: readToday, now: Instant(unixSeconds: 0))
    #expect(budget.allowance == allowance)
    #expect(budget.nearest == nearest)
  }

  /// An instant, and when the day that it counts to began and ends.
  static let days = [
    ("2026-01-31T07:59:59Z", "2026-01-30T08:00:00Z", "2026-01-31T08:00:00Z"),
    ("2026-01-31T08:00:00Z", "2026-01-31T08:00:00Z", "2026-02-01T08:00:00Z"),
    ("2026-07-01T06:59:59Z", "2026-06-30T07:00:00Z", "2026-07-01T07:00:00Z"),
    ("2026-07-01T07:00:00Z", "2026-07-01T07:00:00Z", "2026-07-02T07:00:00Z"),
    // Clocks go forward: 23 hours; and back: 25.
    ("2026-03-08T12:00:00Z", "2026-03-08T08:00:00Z", "2026-03-09T07:00:00Z"),
    ("2026-11-01T12:00:00Z", "2026-11-01T07:00:00Z", "2026-11-02T08:00:00Z"),
  ]

  @Test(arguments: days)
  func `a day begins at midnight Pacific time, also when clocks change`(
    instant: String, start: String, end: String
  ) throws {
    let day = ReadBudget.day(of: try #require(Instant(iso8601: instant)))
    #expect(day.start.description == start)
    #expect(day.end.description == end)
  }
}
