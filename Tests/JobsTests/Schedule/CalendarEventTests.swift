import Fixtures
import Foundation
import Model
import Testing

@testable import Jobs

/// Cron's schedules as systemd's: `docs/systemd.md`.
struct CalendarEventTests {
  private static let rows: [(fields: String, events: [String])] = [
    ("* * * * *", ["*-*-* *:*:00"]),
    ("*/10 * * * *", ["*-*-* *:00/10:00"]),
    ("3-59/30 * * * *", ["*-*-* *:03,33:00"]),
    ("4-59/5 * * * *", ["*-*-* *:04/5:00"]),
    // A step whose last value is not the last that fits.
    ("0-40/10 * * * *", ["*-*-* *:00,10,20,30,40:00"]),
    ("0-49/10 * * * *", ["*-*-* *:00,10,20,30,40:00"]),
    ("0-50/10 * * * *", ["*-*-* *:00/10:00"]),
    ("58,59 * * * *", ["*-*-* *:58,59:00"]),
    ("57-59 * * * *", ["*-*-* *:57/1:00"]),
    ("15 3 * * *", ["*-*-* 03:15:00"]),
    ("35 6 * * 1-5", ["Mon,Tue,Wed,Thu,Fri *-*-* 06:35:00"]),
    ("0 0 * * 7", ["Sun *-*-* 00:00:00"]),
    ("0 0 1 * *", ["*-*-01 00:00:00"]),
    ("0 0 31 12 *", ["*-12-31 00:00:00"]),
    // Either day field is enough, unless one begins with a star.
    ("0 9 1,15 * mon", ["*-*-01,15 09:00:00", "Mon *-*-* 09:00:00"]),
    ("0 9 */2 * mon", ["Mon *-*-01/2 09:00:00"]),
    ("0 9 13 * */7", ["Sun *-*-13 09:00:00"]),
    ("0 */6 * 1,2 *", ["*-01,02-* 00/6:00:00"]),
  ]

  @Test(arguments: rows)
  func `a schedule is the calendar events that mean the same`(fields: String, events: [String])
    throws
  {
    let schedule = try CronSchedule(parsing: fields)
    #expect(schedule.calendarEvents(in: nil) == events)
    #expect(
      schedule.calendarEvents(in: "Europe/Berlin") == events.map { $0 + " Europe/Berlin" })
  }

  @Test(
    .enabled(if: Systemd.isInstalled, "systemd-analyze is not here: apt-get install systemd"),
    arguments: rows)
  func `systemd itself finds the same times`(fields: String, events: [String]) throws {
    let schedule = try CronSchedule(parsing: fields)
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let start = try #require(Instant(iso8601: "2026-06-01T00:00:00Z"))
    var own: [Instant] = []
    var now = start
    for _ in 0..<6 {
      now = try #require(schedule.nextDue(after: now, timeZone: zone))
      own.append(now)
    }
    let found = try schedule.calendarEvents(in: "Europe/Berlin").flatMap {
      try Systemd.times(of: $0, after: start, count: 6)
    }
    #expect(Array(Set(found).sorted().prefix(6)) == own)
  }
}

/// The program that judges units and calendar events.
enum Systemd {
  static let program = "/usr/bin/systemd-analyze"
  static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

  /// The next times of a calendar event.
  static func times(of event: String, after start: Instant, count: Int) throws -> [Instant] {
    let base = start.description.replacing("T", with: " ").replacing("Z", with: " UTC")
    let text = try output([
      "calendar", "--base-time=\(base)", "--iterations=\(count)", event,
    ]).text
    // "(in UTC): Mon 2026-06-01 07:00:00 UTC", or only "Next elapse: ..." where the machine is in UTC.
    return text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard words.last == "UTC", words.count >= 4 else { return nil }
      return Instant(iso8601: "\(words[words.count - 3])T\(words[words.count - 2])Z")
    }
  }

  static func output(_ arguments: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ["TZ": "UTC", "LC_ALL": "C", "PATH": "/usr/bin:/bin"]
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }
}
