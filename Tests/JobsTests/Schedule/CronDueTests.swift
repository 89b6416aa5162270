import Foundation
import Model
import Testing

@testable import Jobs

struct CronDueTests {
  private func next(_ text: String, after time: String, zone: String = "UTC") throws -> String? {
    let schedule = try CronSchedule(parsing: text)
    return schedule.nextDue(after: try instant(time), timeZone: try timeZone(zone))?.description
  }

  private func last(_ text: String, at time: String, zone: String = "UTC") throws -> String? {
    let schedule = try CronSchedule(parsing: text)
    return schedule.lastDue(at: try instant(time), timeZone: try timeZone(zone))?.description
  }

  private func instant(_ text: String) throws -> Instant { try #require(Instant(iso8601: text)) }
  private func timeZone(_ name: String) throws -> TimeZone {
    try #require(TimeZone(identifier: name))
  }

  /// All due times after one instant and up to another.
  private func dues(
    _ text: String, _ start: String, _ end: String, zone: String
  ) throws -> [String] {
    let schedule = try CronSchedule(parsing: text)
    let (zone, end) = (try timeZone(zone), try instant(end))
    var dues: [String] = []
    var now = try instant(start)
    while let due = schedule.nextDue(after: now, timeZone: zone), due <= end {
      dues.append(due.description)
      now = due
    }
    return dues
  }

  @Test(arguments: [
    ("*/10 * * * *", "every 10 minutes"), ("* * * * *", "every minute"),
    ("3-59/30 * * * *", "every 30 minutes"),
    ("20 * * * *", "every hour"), ("0 */6 * * *", "every 6 hours"), ("15 3 * * *", "every day"),
    ("@weekly", "every 7 days"), ("0 6 * * mon-fri", "by the schedule 0 6 * * mon-fri"),
    ("*/7 * * * *", "by the schedule */7 * * * *"), ("0 0 1 * *", "by the schedule 0 0 1 * *"),
  ])
  func `how often a job is due is said in words where that is true`(
    text: String, words: String
  ) throws {
    let now = try instant("2026-01-31T08:00:00Z")
    #expect(try CronSchedule(parsing: text).cadence(at: now) == words)
  }

  @Test(arguments: [
    ("2026-01-31T07:59:59.999999Z", "2026-01-31T08:00:00Z"),
    ("2026-01-31T08:00:00Z", "2026-02-01T08:00:00Z"),
    ("2026-01-31T08:00:00.000001Z", "2026-02-01T08:00:00Z"),
    ("2026-12-31T23:59:59Z", "2027-01-01T08:00:00Z"),
    ("1969-12-31T07:59:59Z", "1969-12-31T08:00:00Z"),
  ])
  func `the next due time is after the instant, never at it`(now: String, due: String) throws {
    #expect(try next("0 8 * * *", after: now) == due)
  }

  @Test(arguments: [
    ("2026-01-31T07:59:59.999999Z", "2026-01-30T08:00:00Z"),
    ("2026-01-31T08:00:00Z", "2026-01-31T08:00:00Z"),
    ("2026-01-31T08:00:00.000001Z", "2026-01-31T08:00:00Z"),
    ("2026-01-01T00:00:00Z", "2025-12-31T08:00:00Z"),
  ])
  func `the last due time may be the instant itself`(now: String, due: String) throws {
    #expect(try last("0 8 * * *", at: now) == due)
  }

  @Test(arguments: [
    ("*/15 * * * *", "2026-01-31T23:50:00Z", "2026-02-01T00:00:00Z"),
    ("0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"),
    ("0 0 29 2 *", "2096-03-01T00:00:00Z", "2104-02-29T00:00:00Z"),
    ("0 0 31 * *", "2026-01-31T00:00:00Z", "2026-03-31T00:00:00Z"),
    ("@yearly", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"),
    ("0 0 * * sun", "2026-01-31T12:00:00Z", "2026-02-01T00:00:00Z"),
    ("30 6 * * 1-5", "2026-01-30T06:30:00Z", "2026-02-02T06:30:00Z"),
  ])
  func `months, leap years and weekdays are counted`(
    text: String, now: String, due: String
  ) throws {
    #expect(try next(text, after: now) == due)
  }

  @Test func `with both day fields set either is enough`() throws {
    #expect(
      try dues("0 0 13 * fri", "2026-02-01T00:00:00Z", "2026-02-28T00:00:00Z", zone: "UTC") == [
        "2026-02-06T00:00:00Z", "2026-02-13T00:00:00Z", "2026-02-20T00:00:00Z",
        "2026-02-27T00:00:00Z",
      ])
    #expect(
      try dues("0 0 10 * fri", "2026-02-06T00:00:00Z", "2026-02-13T00:00:00Z", zone: "UTC") == [
        "2026-02-10T00:00:00Z", "2026-02-13T00:00:00Z",
      ])
  }

  @Test func `with a star in one day field both must hold`() throws {
    #expect(
      try dues("0 0 */2 * fri", "2026-02-01T00:00:00Z", "2026-02-28T00:00:00Z", zone: "UTC") == [
        "2026-02-13T00:00:00Z", "2026-02-27T00:00:00Z",
      ])
  }

  @Test func `times are those of the zone's clock`() throws {
    #expect(
      try next("30 6 * * *", after: "2026-01-31T00:00:00Z", zone: "America/New_York")
        == "2026-01-31T11:30:00Z")
    #expect(
      try next("0 0 * * *", after: "2026-01-31T00:00:00Z", zone: "Asia/Kathmandu")
        == "2026-01-31T18:15:00Z")
  }

  @Test func `a fixed time that the clock skips is due when the gap ends`() throws {
    #expect(
      try dues(
        "30 2 * * *", "2026-03-07T12:00:00Z", "2026-03-09T12:00:00Z", zone: "America/New_York")
        == ["2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"])
  }

  @Test func `several fixed times in one gap are due once`() throws {
    #expect(
      try dues(
        "5,30,55 2 * * *", "2026-03-08T00:00:00Z", "2026-03-08T23:00:00Z",
        zone: "America/New_York") == ["2026-03-08T07:00:00Z"])
  }

  @Test func `a fixed time that comes twice is due the first time only`() throws {
    #expect(
      try dues(
        "30 1 * * *", "2026-10-31T12:00:00Z", "2026-11-02T12:00:00Z", zone: "America/New_York")
        == ["2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"])
  }

  @Test func `a schedule with a star follows the clock through the change`() throws {
    #expect(
      try dues(
        "0 * * * *", "2026-11-01T04:30:00Z", "2026-11-01T07:30:00Z", zone: "America/New_York")
        == ["2026-11-01T05:00:00Z", "2026-11-01T06:00:00Z", "2026-11-01T07:00:00Z"])
    #expect(
      try dues(
        "*/30 2 * * *", "2026-03-08T00:00:00Z", "2026-03-09T07:00:00Z",
        zone: "America/New_York") == ["2026-03-09T06:00:00Z", "2026-03-09T06:30:00Z"])
  }

  @Test func `a gap of half an hour ends where it ends`() throws {
    #expect(
      try dues(
        "15 2 * * *", "2026-10-03T00:00:00Z", "2026-10-04T12:00:00Z", zone: "Australia/Lord_Howe")
        == ["2026-10-03T15:30:00Z"])
  }

  @Test func `midnight that does not exist is due when the day begins`() throws {
    #expect(
      try next("0 0 * * *", after: "2018-11-03T12:00:00Z", zone: "America/Sao_Paulo")
        == "2018-11-04T03:00:00Z")
  }

  @Test(
    arguments: [
      "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "America/Sao_Paulo", "UTC",
    ],
    ["0 * * * *", "30 2 * * *", "*/20 1-3 * * *", "0 0 1 * *", "15 3 * * sun"])
  func `the last due time before the next is the one that was last`(
    zoneName: String, text: String
  ) throws {
    let schedule = try CronSchedule(parsing: text)
    let zone = try timeZone(zoneName)
    var now = try instant("2018-01-01T00:00:00Z")
    for _ in 0..<60 {
      now = now + .seconds(777_777)
      let next = try #require(schedule.nextDue(after: now, timeZone: zone))
      let last = try #require(schedule.lastDue(at: now, timeZone: zone))
      #expect(last <= now)
      #expect(now < next)
      #expect(schedule.nextDue(after: last, timeZone: zone) == next)
      #expect(schedule.lastDue(at: next - .microseconds(1), timeZone: zone) == last)
    }
  }
}
