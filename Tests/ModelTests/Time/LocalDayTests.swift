import Foundation
import Model
import Testing

@Suite("A local day")
struct LocalDayTests {
  struct Case: Sendable {
    let zone: String
    let at: String
    let day: String
    let start: String
    let end: String
  }

  private static let cases = [
    Case(
      zone: "UTC", at: "2026-01-31T08:00:00Z", day: "2026-01-31", start: "2026-01-31T00:00:00Z",
      end: "2026-02-01T00:00:00Z"),
    // 23 and 25 hours.
    Case(
      zone: "Europe/Berlin", at: "2026-03-29T12:00:00Z", day: "2026-03-29",
      start: "2026-03-28T23:00:00Z", end: "2026-03-29T22:00:00Z"),
    Case(
      zone: "Europe/Berlin", at: "2026-10-25T12:00:00Z", day: "2026-10-25",
      start: "2026-10-24T22:00:00Z", end: "2026-10-25T23:00:00Z"),
    // Midnight is skipped: the day begins at one o'clock, and ends 23 hours later.
    Case(
      zone: "America/Sao_Paulo", at: "2018-11-03T15:00:00Z", day: "2018-11-03",
      start: "2018-11-03T03:00:00Z", end: "2018-11-04T03:00:00Z"),
    Case(
      zone: "America/Sao_Paulo", at: "2018-11-04T03:00:00Z", day: "2018-11-04",
      start: "2018-11-04T03:00:00Z", end: "2018-11-05T02:00:00Z"),
    Case(
      zone: "Africa/Cairo", at: "2024-04-26T12:00:00Z", day: "2024-04-26",
      start: "2024-04-25T22:00:00Z", end: "2024-04-26T21:00:00Z"),
    // At midnight the clock goes back into the old day, which has 25 hours.
    Case(
      zone: "America/Sao_Paulo", at: "2018-02-18T02:30:00Z", day: "2018-02-17",
      start: "2018-02-17T02:00:00Z", end: "2018-02-18T03:00:00Z"),
    // The 30th of December 2011 did not take place.
    Case(
      zone: "Pacific/Apia", at: "2011-12-30T09:59:59Z", day: "2011-12-29",
      start: "2011-12-29T10:00:00Z", end: "2011-12-30T10:00:00Z"),
    Case(
      zone: "Pacific/Apia", at: "2011-12-30T10:00:00Z", day: "2011-12-31",
      start: "2011-12-30T10:00:00Z", end: "2011-12-31T10:00:00Z"),
    Case(
      zone: "Asia/Kathmandu", at: "2026-01-30T18:15:00Z", day: "2026-01-31",
      start: "2026-01-30T18:15:00Z", end: "2026-01-31T18:15:00Z"),
    // Before 1582.
    Case(
      zone: "UTC", at: "0001-01-01T00:00:00Z", day: "0001-01-01", start: "0001-01-01T00:00:00Z",
      end: "0001-01-02T00:00:00Z"),
    Case(
      zone: "No/Such", at: "2026-01-31T08:00:00Z", day: "2026-01-31",
      start: "2026-01-31T00:00:00Z", end: "2026-02-01T00:00:00Z"),
  ]

  @Test(arguments: cases)
  func `has the bounds of the calendar, whatever clocks do`(of example: Case) throws {
    let day = LocalDay(of: try #require(Instant(iso8601: example.at)), in: example.zone)
    #expect(day.text == example.day)
    #expect(day.start.description == example.start)
    #expect(day.end.description == example.end)
  }

  @Test(arguments: cases)
  func `changes at its end and not a microsecond sooner`(of example: Case) throws {
    let day = LocalDay(of: try #require(Instant(iso8601: example.at)), in: example.zone)
    for inside in [day.start, day.start + .microseconds(1), day.end - .microseconds(1)] {
      #expect(LocalDay(of: inside, in: example.zone) == day)
    }
    let next = LocalDay(of: day.end, in: example.zone)
    #expect(next.start == day.end)
    #expect(next.text > day.text)
    #expect(LocalDay(of: day.start - .microseconds(1), in: example.zone).end == day.start)
  }

  @Test func `is found for the first and the last instants that there are`() {
    for microseconds in [Int64.min, -1, 0, .max] {
      let day = LocalDay(of: Instant(microseconds: microseconds), in: "Asia/Tokyo")
      #expect(day.start <= day.end)
    }
  }

  @Test(arguments: [
    (Duration.zero, 0), (.microseconds(1), 1), (.seconds(86_400), 1),
    (.seconds(86_400) + .microseconds(1), 2), (.seconds(2 * 86_400), 2), (.seconds(9 * 86_400), 3),
  ])
  func `a span touches the days that it has an instant of, and no more than the limit`(
    length: Duration, count: Int
  ) throws {
    let start = try #require(Instant(iso8601: "2026-01-31T00:00:00Z"))
    let days = LocalDay.days(touching: start..<start + length, in: "UTC", limit: 3)
    #expect(days.map(\.text) == Array(["2026-01-31", "2026-02-01", "2026-02-02"].prefix(count)))
  }
}
