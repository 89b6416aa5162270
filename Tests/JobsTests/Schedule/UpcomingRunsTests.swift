import Foundation
import Model
import Testing

@testable import Jobs

/// What `firetally schedule next` shows: docs/running.md#what-will-run-when.
struct UpcomingRunsTests {
  /// Starts as `JOB LOCAL-TIME OFFSET`, with the clocks' change behind.
  private func starts(
    _ schedules: [(job: String, fields: String)], after time: String, days: Int = 1, zone: String
  ) throws -> [String] {
    let jobs = try schedules.map { job in
      Job(
        name: job.job, definition: MaintainOptions(),
        schedule: job.fields.isEmpty ? nil : try CronSchedule(parsing: job.fields))
    }
    let runs = UpcomingRuns.list(
      of: jobs, after: try #require(Instant(iso8601: time)), days: days,
      in: try #require(TimeZone(identifier: zone)))
    return runs.map { run in
      "\(run.job) \(run.local)" + (run.clockChange.map { " \($0.rawValue)" } ?? "")
    }
  }

  @Test func `starts of all jobs come in the order of time, then of the jobs`() throws {
    let found = try starts(
      [("b", "0 9 * * *"), ("a", "0 */12 * * *"), ("none", ""), ("c", "0 9 * * *")],
      after: "2026-01-31T08:00:00Z", zone: "UTC")
    #expect(
      found == [
        "b 2026-01-31 09:00:00 +00:00", "c 2026-01-31 09:00:00 +00:00",
        "a 2026-01-31 12:00:00 +00:00", "a 2026-02-01 00:00:00 +00:00",
      ])
  }

  @Test func `a start at the beginning is over, one at the end is not`() throws {
    let found = try starts(
      [("a", "0 8 * * *")], after: "2026-01-31T08:00:00Z", days: 2, zone: "UTC")
    #expect(found == ["a 2026-02-01 08:00:00 +00:00", "a 2026-02-02 08:00:00 +00:00"])
    #expect(
      try starts([("a", "1 8 * * *")], after: "2026-01-31T08:00:59Z", zone: "UTC")
        == ["a 2026-01-31 08:01:00 +00:00"])
  }

  @Test func `days are those of the wall, also when one has 23 or 25 hours`() throws {
    for (zone, start) in [
      ("Europe/Berlin", "2026-03-28T11:00:00Z"), ("Europe/Berlin", "2026-10-24T10:00:00Z"),
      ("America/New_York", "2026-03-07T17:00:00Z"), ("America/New_York", "2026-10-31T16:00:00Z"),
    ] {
      let found = try starts([("a", "0 12 * * *")], after: start, zone: zone)
      #expect(found.count == 1 && found[0].contains(" 12:00:00 "), "\(zone) \(start): \(found)")
    }
  }

  @Test(arguments: [
    (
      "Europe/Berlin", "2026-03-28T22:30:00Z",
      [
        "early 2026-03-29 01:59:00 +01:00", "fixed 2026-03-29 03:00:00 +02:00 skipped",
        "late 2026-03-29 03:00:00 +02:00",
        "star 2026-03-29 03:00:00 +02:00", "star 2026-03-29 03:30:00 +02:00",
      ]
    ),
    (
      "America/New_York", "2026-03-08T04:30:00Z",
      [
        "early 2026-03-08 01:59:00 -05:00", "fixed 2026-03-08 03:00:00 -04:00 skipped",
        "late 2026-03-08 03:00:00 -04:00",
        "star 2026-03-08 03:00:00 -04:00", "star 2026-03-08 03:30:00 -04:00",
      ]
    ),
  ])
  func `on the day of 23 hours a skipped time runs at the end of the gap`(
    zone: String, start: String, expected: [String]
  ) throws {
    let found = try starts(
      [
        ("early", "59 1 * * *"), ("fixed", "30 2 * * *"), ("late", "0 3 * * *"),
        // Follows the clock, which shows neither 2:00 nor 2:30.
        ("star", "*/30 2-3 * * *"),
      ], after: start, zone: zone)
    #expect(found == expected)
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-10-24T22:30:00Z", "2026-10-25", "+02:00", "+01:00", "02"),
    ("America/New_York", "2026-11-01T04:30:00Z", "2026-11-01", "-04:00", "-05:00", "01"),
  ])
  func `on the day of 25 hours a doubled time runs once, and a starred one twice`(
    zone: String, start: String, day: String, before: String, after: String, hour: String
  ) throws {
    let fixed = try starts([("fixed", "30 \(Int(hour) ?? 0) * * *")], after: start, zone: zone)
    #expect(fixed == ["fixed \(day) \(hour):30:00 \(before) first"])
    let star = try starts([("star", "*/30 \(Int(hour) ?? 0) * * *")], after: start, zone: zone)
    #expect(
      star == [
        "star \(day) \(hour):00:00 \(before) first", "star \(day) \(hour):30:00 \(before) first",
        "star \(day) \(hour):00:00 \(after) second", "star \(day) \(hour):30:00 \(after) second",
      ])
  }

  @Test(arguments: ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC"])
  func `the list is what asking for the next start again and again gives`(zone: String) throws {
    let timeZone = try #require(TimeZone(identifier: zone))
    for fields in ["30 2 * * *", "*/20 1-3 * * *", "15 3 * * sun", "5,55 2 * * *"] {
      let schedule = try CronSchedule(parsing: fields)
      let start = try #require(Instant(iso8601: "2026-01-01T00:00:00Z"))
      let end = try #require(Instant(iso8601: "2026-12-31T00:00:00Z"))
      var expected: [Instant] = []
      while let due = schedule.nextDue(after: expected.last ?? start, timeZone: timeZone),
        due <= end
      {
        expected.append(due)
      }
      #expect(schedule.dues(after: start, through: end, timeZone: timeZone) == expected)
    }
  }

  @Test func `a time has its offset, also of half an hour, west of UTC and before 1970`() throws {
    func text(_ time: String, _ zone: String) throws -> String {
      let instant = try #require(Instant(iso8601: time))
      return ZonedTime(instant, in: try #require(TimeZone(identifier: zone))).iso8601
    }
    #expect(try text("2026-01-31T08:00:00Z", "UTC") == "2026-01-31T08:00:00+00:00")
    #expect(try text("2026-01-31T20:00:00Z", "Asia/Kolkata") == "2026-02-01T01:30:00+05:30")
    #expect(try text("2026-01-31T02:00:00Z", "America/St_Johns") == "2026-01-30T22:30:00-03:30")
    #expect(try text("1969-12-31T23:00:00Z", "Asia/Tokyo") == "1970-01-01T08:00:00+09:00")
  }
}
