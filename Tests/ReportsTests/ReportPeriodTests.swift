import Foundation
import Model
import Testing

@testable import Reports

struct ReportPeriodTests {
  /// Saturday, 21 November 2026, 08:00 in UTC.
  private static let now = Instant(iso8601: "2026-11-21T08:00:00Z") ?? Instant(unixSeconds: 0)

  private func span(
    _ text: String, at now: Instant = now, in zone: String = "UTC"
  ) throws -> [String]? {
    let period = try #require(ReportPeriod(text))
    return period.span(at: now, in: try #require(TimeZone(identifier: zone)))
      .map { [$0.lowerBound.description, $0.upperBound.description] }
  }

  @Test(arguments: [
    "", "..", "today", "2026-11-01", "2026-11-01..", "..2026-11-01", "2026-11-01..2026-11-02..",
    "2026-11-02..2026-11-01", "2026-02-30..2026-03-01", "2026-1-1..2026-1-2", "2026-11-01...2",
    "2025-11-01..2026-11-02", "Last-week", "+026-01-01..2026-01-02", "٢٠٢٦-01-01..2026-01-02",
  ])
  func `anything but a period is none`(text: String) {
    #expect(ReportPeriod(text) == nil)
  }

  @Test func `two days are a period, the same day twice as well, 366 days at most`() {
    #expect(ReportPeriod("2026-11-01..2026-11-01") != nil)
    #expect(ReportPeriod("2025-11-01..2026-11-01") != nil)
    #expect(ReportPeriod("2025-10-31..2026-11-01") == nil)
    #expect(ReportPeriod("2024-02-29..2024-02-29") != nil)
  }

  @Test func `days that are over run from midnight to midnight`() throws {
    #expect(try span("yesterday") == ["2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z"])
    #expect(try span("last-week") == ["2026-11-09T00:00:00Z", "2026-11-16T00:00:00Z"])
    #expect(try span("last-month") == ["2026-10-01T00:00:00Z", "2026-11-01T00:00:00Z"])
    #expect(try span("2026-11-01..2026-11-14") == ["2026-11-01T00:00:00Z", "2026-11-15T00:00:00Z"])
  }

  @Test func `a week begins on Monday, whichever day today is`() throws {
    let monday = Self.now - .seconds(5 * 86_400)
    let sunday = Self.now + .seconds(86_400)
    for day in [monday, sunday] {
      #expect(try span("last-week", at: day) == ["2026-11-09T00:00:00Z", "2026-11-16T00:00:00Z"])
    }
    #expect(
      try span("last-week", at: monday - .seconds(86_400))
        == ["2026-11-02T00:00:00Z", "2026-11-09T00:00:00Z"])
  }

  @Test func `a period that today belongs to ends now`() throws {
    let end = "2026-11-21T08:00:00.000001Z"
    #expect(try span("2026-11-21..2026-11-30") == ["2026-11-21T00:00:00Z", end])
    let days = ReportPeriod.days(7).span(at: Self.now, in: .gmt)
    #expect(days.map { "\($0.lowerBound) \($0.upperBound)" } == "2026-11-15T00:00:00Z \(end)")
    let one = ReportPeriod.days(1).span(at: Self.now, in: .gmt)
    #expect(one?.lowerBound.description == "2026-11-21T00:00:00Z")
  }

  @Test func `of days to come there is no report`() throws {
    #expect(try span("2026-11-22..2026-11-30") == nil)
    #expect(try span("2026-11-21..2026-11-21", in: "Pacific/Kiritimati") != nil)
    #expect(try span("2026-11-21..2026-11-21", in: "Pacific/Pago_Pago") == nil)
  }

  @Test func `days are those of the time zone, also when the clocks change`() throws {
    #expect(
      try span("2026-10-25..2026-10-25", in: "Europe/Berlin")
        == ["2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"])
    #expect(
      try span("last-month", in: "Europe/Berlin")
        == ["2026-09-30T22:00:00Z", "2026-10-31T23:00:00Z"])
    // At 08:00 UTC it is the evening of the day before on Pago Pago.
    #expect(
      try span("yesterday", in: "Pacific/Pago_Pago")
        == ["2026-11-19T11:00:00Z", "2026-11-20T11:00:00Z"])
  }

  @Test func `in January last month is December of the year before`() throws {
    let january = try #require(Instant(iso8601: "2026-01-31T08:00:00Z"))
    #expect(
      try span("last-month", at: january) == ["2025-12-01T00:00:00Z", "2026-01-01T00:00:00Z"])
  }

  @Test(arguments: [
    ("2026-11-01", true), ("2024-02-29", true), ("2026-02-29", false), ("2026-11-31", false),
    ("2026-1-01", false), ("2026-11-01 ", false), ("20261101", false), ("", false),
  ])
  func `a day is one of the calendar, with ten characters`(text: String, isDay: Bool) {
    #expect((CivilDay(iso8601: text) != nil) == isDay)
  }

  @Test(arguments: [
    ("2026-11-01", "2026-11-01", 0), ("2026-11-01", "2026-11-02", 1),
    ("2024-02-28", "2024-03-01", 2), ("2026-11-02", "2026-11-01", -1),
  ])
  func `days are counted from one to another`(first: String, last: String, days: Int) throws {
    let (first, last) = (
      try #require(CivilDay(iso8601: first)), try #require(CivilDay(iso8601: last))
    )
    #expect(first.distance(to: last) == days)
    #expect((first < last) == (days > 0))
  }
}
