import Model
import ReportsTesting
import Testing

@testable import Reports

/// Days as they are lived: docs/reports.md#days.
@Suite struct ReportCalendarTests {
  private func local(_ at: String, _ zone: String) -> String {
    let time = ReportCalendar(timeZone: zone).localTime(SampleReports.at(at))
    return "\(time.day.iso8601) \(CivilDay.twoDigits(time.hour)):\(CivilDay.twoDigits(time.minute))"
  }

  @Test(arguments: [
    ("2026-03-28T22:59:00Z", "2026-03-28 23:59"), ("2026-03-28T23:00:00Z", "2026-03-29 00:00"),
    ("2026-03-29T00:59:00Z", "2026-03-29 01:59"), ("2026-03-29T01:00:00Z", "2026-03-29 03:00"),
    ("2026-03-29T21:59:00Z", "2026-03-29 23:59"), ("2026-03-29T22:00:00Z", "2026-03-30 00:00"),
    ("2026-10-25T00:30:00Z", "2026-10-25 02:30"), ("2026-10-25T01:30:00Z", "2026-10-25 02:30"),
    ("2026-10-25T22:59:00Z", "2026-10-25 23:59"), ("2026-10-25T23:00:00Z", "2026-10-26 00:00"),
  ])
  func `the wall clock around the changes of Berlin's summer time`(at: String, expected: String) {
    #expect(local(at, "Europe/Berlin") == expected)
  }

  @Test(arguments: [
    ("2026-03-01T18:29:00Z", "Asia/Kolkata", "2026-03-01 23:59"),
    ("2026-03-01T18:30:00Z", "Asia/Kolkata", "2026-03-02 00:00"),
    ("2026-03-01T18:15:00Z", "Asia/Kathmandu", "2026-03-02 00:00"),
    ("2026-03-01T23:59:00Z", "UTC", "2026-03-01 23:59"),
    ("2026-03-02T00:00:00Z", "UTC", "2026-03-02 00:00"),
    ("1969-12-31T23:59:00Z", "UTC", "1969-12-31 23:59"),
  ])
  func `half-hour and quarter-hour zones, and UTC`(at: String, zone: String, expected: String) {
    #expect(local(at, zone) == expected)
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", ["2026-10-25 2"]),
    ("Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", []),
    ("Europe/Berlin", "2026-10-25T01:00:00Z", "2026-10-25T23:00:00Z", []),
    ("Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T01:00:00Z", []),
    (
      "Europe/Berlin", "2025-01-01T00:00:00Z", "2026-12-31T00:00:00Z",
      ["2025-10-26 2", "2026-10-25 2"]
    ),
    ("America/New_York", "2026-10-31T00:00:00Z", "2026-11-03T00:00:00Z", ["2026-11-01 1"]),
    ("UTC", "2026-01-01T00:00:00Z", "2026-12-31T00:00:00Z", []),
  ])
  func `hours that come twice are those after the clocks were put back`(
    zone: String, start: String, end: String, expected: [String]
  ) {
    let hours = ReportCalendar(timeZone: zone)
      .repeatedHours(from: SampleReports.at(start), to: SampleReports.at(end))
    #expect(hours.map { "\($0.day.iso8601) \($0.hour)" } == expected)
  }

  private func days(_ start: String, _ end: String, _ zone: String) -> [String] {
    ReportCalendar(timeZone: zone).days(from: SampleReports.at(start), to: SampleReports.at(end))
      .map(\.iso8601)
  }

  @Test func `days of 23, 24 and 25 hours each appear once`() {
    #expect(
      days("2026-03-27T23:00:00Z", "2026-03-30T22:00:00Z", "Europe/Berlin") == [
        "2026-03-28", "2026-03-29", "2026-03-30",
      ])
    #expect(
      days("2026-10-23T22:00:00Z", "2026-10-26T23:00:00Z", "Europe/Berlin") == [
        "2026-10-24", "2026-10-25", "2026-10-26",
      ])
  }

  @Test
  func `the end is exclusive: midnight ends the day before, a microsecond more begins a day`() {
    let calendar = ReportCalendar(timeZone: "UTC")
    let start = SampleReports.at("2026-03-01T00:00:00Z")
    let midnight = SampleReports.at("2026-03-02T00:00:00Z")
    #expect(calendar.days(from: start, to: midnight).count == 1)
    #expect(calendar.days(from: start, to: midnight + .microseconds(1)).count == 2)
    #expect(calendar.days(from: start, to: start).isEmpty)
    #expect(calendar.days(from: midnight, to: start).isEmpty)
  }

  @Test func `a day that begins at one in the morning is still a day`() {
    #expect(
      days("2018-11-03T12:00:00Z", "2018-11-05T12:00:00Z", "America/Sao_Paulo") == [
        "2018-11-03", "2018-11-04", "2018-11-05",
      ])
  }

  @Test func `an unknown zone is UTC, and says so`() {
    let calendar = ReportCalendar(timeZone: "Mars/Olympus")
    #expect(!calendar.knowsZone)
    #expect(calendar.localTime(SampleReports.at("2026-03-02T00:00:00Z")).hour == 0)
    #expect(ReportCalendar(timeZone: "Asia/Kolkata").knowsZone)
  }
}

@Suite struct TimeWordsTests {
  private let time = TimeWords(context: SampleReports.context)

  @Test func `a period of whole days is written as days, any other with its times`() {
    let context = SampleReports.context
    #expect(time.period(from: context.start, to: context.end) == "16 Feb – 1 Mar 2026 (14 days)")
    #expect(
      time.period(
        from: SampleReports.at("2025-12-30T23:00:00Z"), to: SampleReports.at("2026-01-01T23:00:00Z")
      )
        == "31 Dec 2025 – 1 Jan 2026 (2 days)")
    #expect(
      time.period(from: context.end - .seconds(86_400), to: context.end) == "1 Mar 2026 (1 day)")
    #expect(
      time.period(from: context.start, to: context.end + .seconds(60))
        == "16 Feb 2026, 00:00 – 2 Mar 2026, 00:01")
  }

  @Test func `a distance counts back, or ahead when the clock was set back`() {
    let now = SampleReports.context.now
    #expect(time.distance(to: now) == "just now")
    #expect(time.distance(to: now - .seconds(59)) == "just now")
    #expect(time.distance(to: now - .seconds(60)) == "1 min ago")
    #expect(time.distance(to: now + .seconds(300)) == "in 5 min")
  }
}
