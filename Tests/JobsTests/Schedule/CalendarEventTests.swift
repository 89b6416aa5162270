import Fixtures
import Foundation
import JobsTesting
import Model
import Testing

@testable import Jobs

/// Cron's schedules as systemd's: `docs/systemd.md`.
struct CalendarEventTests {
  private static let rows: [(fields: String, events: [String])] = [
    ("* * * * *", ["*-*-* *:*:00 UTC"]),
    ("*/10 * * * *", ["*-*-* *:00/10:00 UTC"]),
    ("3-59/30 * * * *", ["*-*-* *:03,33:00 UTC"]),
    ("4-59/5 0-23 1-31 * *", ["*-*-* *:04/5:00 UTC"]),
    // A step whose last value is not the last that fits.
    ("0-40/10 * * * *", ["*-*-* *:00,10,20,30,40:00 UTC"]),
    ("0-49/10 * * * *", ["*-*-* *:00,10,20,30,40:00 UTC"]),
    ("0-50/10 * * * *", ["*-*-* *:00/10:00 UTC"]),
    ("58,59 * * * *", ["*-*-* *:58,59:00 UTC"]),
    ("57-59 * * * *", ["*-*-* *:57,58,59:00 UTC"]),
    // Steps that do not fill an hour, a day, a month or a year.
    ("*/25 * * * *", ["*-*-* *:00,25,50:00 UTC"]),
    ("0 */5 * * *", ["*-*-* 00,05,10,15,20:00:00 Europe/Berlin"]),
    ("0 0 */7 * *", ["*-*-01,08,15,22,29 00:00:00 Europe/Berlin"]),
    ("0 0 1 */5 *", ["*-01,06,11-01 00:00:00 Europe/Berlin"]),
    ("0 0 1 */4 *", ["*-01/4-01 00:00:00 Europe/Berlin"]),
    ("15 3 * * *", ["*-*-* 03:15:00 Europe/Berlin"]),
    ("35 6 * * 1-5", ["Mon,Tue,Wed,Thu,Fri *-*-* 06:35:00 Europe/Berlin"]),
    ("0 0 * * 7", ["Sun *-*-* 00:00:00 Europe/Berlin"]),
    ("0 0 1 * *", ["*-*-01 00:00:00 Europe/Berlin"]),
    ("0 0 31 12 *", ["*-12-31 00:00:00 Europe/Berlin"]),
    // Either day field is enough, unless one begins with a star.
    ("0 9 1,15 * mon", ["*-*-01,15 09:00:00 Europe/Berlin", "Mon *-*-* 09:00:00 Europe/Berlin"]),
    ("0 9 */15 * mon", ["Mon *-*-01,16,31 09:00:00 Europe/Berlin"]),
    ("0 9 13 * */7", ["Sun *-*-13 09:00:00 Europe/Berlin"]),
    ("0 */6 * 1,2 *", ["*-01,02-* 00/6:00:00 Europe/Berlin"]),
    // Not in every hour of every day.
    ("0 * * * 1-5", ["Mon,Tue,Wed,Thu,Fri *-*-* *:00:00 Europe/Berlin"]),
    (
      "0 0-22 * * *",
      [
        "*-*-* 00,01,02,03,04,05,06,07,08,09,10,11,12,13,14,15,16,17,18,19,20,21,22:00:00 "
          + "Europe/Berlin"
      ]
    ),
  ]

  @Test(arguments: rows)
  func `a schedule is the calendar events that mean the same`(fields: String, events: [String])
    throws
  {
    #expect(try CronSchedule(parsing: fields).calendarEvents(in: "Europe/Berlin") == events)
  }

  @Test(arguments: [
    ("UTC", "*:10,40:00 UTC"), ("Asia/Kolkata", "*:10,40:00 UTC"),
    ("Asia/Kathmandu", "*:25,55:00 UTC"), ("Australia/Adelaide", "*:10,40:00 UTC"),
    ("Pacific/Chatham", "*:25,55:00 UTC"), ("America/St_Johns", "*:10,40:00 UTC"),
    // Summer time moves its clock by half an hour, which changes nothing of these minutes.
    ("Australia/Lord_Howe", "*:10,40:00 UTC"),
  ])
  func `a timer in UTC has the minutes of a time zone that is not a whole hour away`(
    zone: String, event: String
  ) throws {
    let schedule = try CronSchedule(parsing: "10,40 * * * *")
    #expect(schedule.calendarEvents(in: zone) == ["*-*-* \(event)"])
  }

  @Test func `minutes that are others in summer stay in the time zone`() throws {
    let schedule = try CronSchedule(parsing: "10 * * * *")
    #expect(
      schedule.calendarEvents(in: "Australia/Lord_Howe")
        == ["*-*-* *:10:00 Australia/Lord_Howe"])
    #expect(schedule.calendarEvents(in: "Australia/Adelaide") == ["*-*-* *:40:00 UTC"])
  }

  /// From a summer's day, and from the evenings before the clocks of Berlin change.
  @Test(
    .enabled(if: Systemd.isInstalled, "systemd-analyze is not here: apt-get install systemd"),
    arguments: rows.map(\.fields),
    ["2026-06-01T00:00:00Z", "2026-10-24T21:50:00Z", "2027-03-27T21:50:00Z"])
  func `systemd itself finds the same times`(fields: String, start: String) throws {
    let schedule = try CronSchedule(parsing: fields)
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let start = try #require(Instant(iso8601: start))
    // Where it starts in every hour of some days only, systemd skips one of two equal hours.
    let isExcused = fields == "0 * * * 1-5" || fields == "0 0-22 * * *"
    guard !isExcused || start.description.hasPrefix("2026-06") else { return }
    var own: [Instant] = []
    var now = start
    for _ in 0..<12 {
      now = try #require(schedule.nextDue(after: now, timeZone: zone))
      own.append(now)
    }
    let found = try schedule.calendarEvents(in: "Europe/Berlin").flatMap {
      try Systemd.times(of: $0, after: start, count: 12)
    }
    #expect(Array(Set(found).sorted().prefix(12)) == own)
  }
}
