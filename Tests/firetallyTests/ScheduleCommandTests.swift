import Foundation
import Model
import Testing

/// `firetally schedule next`; see `docs/running.md#what-will-run-when`.
@Suite struct ScheduleCommandTests {
  private static func objects(_ output: String) throws -> [[String: Any]] {
    try output.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  @Test
  func `what will run is printed in the order of time, with day, time and offset`() async throws {
    let workspace = try await TemporaryWorkspace(users: 0)
    let result = try await workspace.run("schedule", "next", "report", "maintain", "--days", "1")
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(
      result.output == """
        DAY         TIME   OFFSET  JOB       SCHEDULE
        2026-02-01  03:15  +00:00  maintain  15 3 * * *
        2026-02-01  06:35  +00:00  report    35 6 * * *

        Times of UTC, the next 1 day.

        """)
  }

  @Test func `without --days there is one line a job, the soonest first`() async throws {
    let workspace = try await TemporaryWorkspace(users: 0)
    try workspace.write("kind: settle\n", to: "jobs/settle.yml")
    let result = try await workspace.run("schedule", "next")
    #expect(
      result.output == """
        DAY         TIME   OFFSET  LEFT         JOB              SCHEDULE
        2026-01-31  08:02  +00:00  in 2 min     upload-feedback  2-59/5 * * * *
        2026-01-31  08:03  +00:00  in 3 min     settings         3-59/30 * * * *
        2026-01-31  08:10  +00:00  in 10 min    online-users     */10 * * * *
        2026-01-31  08:20  +00:00  in 20 min    events           20 * * * *
        2026-01-31  08:26  +00:00  in 26 min    feedback         26 * * * *
        2026-02-01  03:15  +00:00  in 19 hours  maintain         15 3 * * *
        2026-02-01  06:35  +00:00  in 22 hours  report           35 6 * * *
        settle has no schedule: it runs only when you ask for it.

        Times of UTC, each job's next start; --days lists every one.

        """)
    let json = try Self.objects(try await workspace.run("schedule", "next", "--json").output)
    #expect(json.count == 8 && Set(json.compactMap { $0["job"] as? String }).count == 8)
  }

  @Test
  func `on a day that the clocks change the list says what becomes of a start`() async throws {
    let workspace = try await TemporaryWorkspace(users: 0)
    try workspace.add("")
    let config = workspace.folder.appendingPathComponent("firetally.yml")
    let text = try String(contentsOf: config, encoding: .utf8)
    try workspace.write(
      text.replacing("time_zone: UTC", with: "time_zone: Europe/Berlin"), to: "firetally.yml")
    try workspace.write("kind: maintain\nschedule: 30 2 * * *\n", to: "jobs/maintain.yml")
    let evening = try #require(Instant(iso8601: "2026-03-28T20:00:00Z"))
    let result = try await workspace.run(
      "schedule", "next", "maintain", "--days", "2", at: evening)
    #expect(
      result.output.contains(
        "2026-03-29  03:00  +02:00  maintain  30 2 * * *  its time is skipped"))
    let json = try Self.objects(
      try await workspace.run(
        "schedule", "next", "maintain", "--days", "2", "--json", at: evening
      ).output)
    #expect(json.count == 2)
    #expect(json[0]["at"] as? String == "2026-03-29T01:00:00Z")
    #expect(json[0]["localTime"] as? String == "2026-03-29T03:00:00+02:00")
    #expect(json[0]["clockChange"] as? String == "skipped")
    #expect(json[1]["clockChange"] is NSNull)
    #expect(json.allSatisfy { $0["message_type"] as? String == "scheduled_run" })
  }

  @Test
  func `a job without a schedule says so, a wrong file ends with 65 after the others`() async throws
  {
    let workspace = try await TemporaryWorkspace(users: 0)
    try workspace.write("kind: maintain\n", to: "jobs/maintain.yml")
    try workspace.write("kind: nosuch\n", to: "jobs/report.yml")
    let named = try await workspace.run("schedule", "next", "maintain")
    #expect(named.status == 0)
    #expect(named.output.hasPrefix("Nothing is scheduled.\nmaintain has no schedule"))
    let json = try Self.objects(
      try await workspace.run("schedule", "next", "maintain", "--json").output)
    #expect(json.count == 1 && json[0]["at"] is NSNull)
    let all = try await workspace.run("schedule", "next")
    #expect(all.status == 65)
    #expect(all.output.contains("settings") && all.errors.contains("jobs/report.yml"))
    #expect(all.output.contains("maintain has no schedule"))
    let every = try await workspace.run("schedule", "next", "--days", "1")
    #expect(!every.output.contains("maintain has no schedule"))
    #expect(try await workspace.run("schedule", "next", "nosuch").status == 64)
    for days in ["0", "367", "x"] {
      #expect(try await workspace.run("schedule", "next", "--days", days).status == 64)
    }
  }
}
