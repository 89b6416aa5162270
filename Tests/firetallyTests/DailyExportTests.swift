import Fixtures
import Foundation
import Model
import Reports
import Store
import StoreTesting
import Testing

@testable import firetally

/// `firetally export --since`; see `docs/export.md#by-day`.
@Suite struct DailyExportTests {
  /// A workspace in Berlin, where 31 January begins at 23:00 UTC, with events at these times.
  private func workspace(_ times: String...) async throws -> TemporaryWorkspace {
    let workspace = try await TemporaryWorkspace(users: 0)
    let text = try String(
      contentsOf: workspace.folder.appending(path: "firetally.yml"), encoding: .utf8)
    try workspace.write(
      text.replacing("time_zone: UTC", with: "time_zone: Europe/Berlin"), to: "firetally.yml")
    #expect(try await workspace.run("run", "settle").status == 0)
    for time in times { try add(time, to: workspace) }
    return workspace
  }

  private func add(_ time: String, to workspace: TemporaryWorkspace) throws {
    let at = try #require(Instant(iso8601: time)).microseconds
    try SQLiteFile.execute(
      workspace.folder.path + "/data/firetally.sqlite",
      """
      INSERT INTO events (name, at, user_id, parameters, source, fingerprint)
      VALUES ('ios_refresh_performed', \(at), 'u', '{}', 'test', \(at))
      """)
  }

  private func export(
    _ workspace: TemporaryWorkspace, _ words: String...,
    at now: Instant = TemporaryWorkspace.morning
  ) async throws -> BuiltProgram.Result {
    try await workspace.run(
      ["export", "events", "--to", workspace.folder.path + "/lake"] + words, at: now)
  }

  /// The number of rows in each CSV file of the folder.
  private func rows(_ workspace: TemporaryWorkspace) throws -> [String: Int] {
    let folder = workspace.folder.appending(path: "lake")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try names.reduce(into: [:]) { rows, name in
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      rows[name] = text.components(separatedBy: "\r\n").count - 2
    }
  }

  private func times(_ workspace: TemporaryWorkspace) throws -> [String: Date] {
    let folder = workspace.folder.appending(path: "lake")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(into: [:]) {
      $0[$1] =
        try FileManager.default.attributesOfItem(
          atPath: folder.appending(path: $1).path)[.modificationDate] as? Date
    }
  }

  @Test func `each day that is over has a file, by the days of the workspace`() async throws {
    let workspace = try await workspace(
      "2026-01-28T22:59:59.999999Z", "2026-01-28T23:00:00Z", "2026-01-29T12:00:00Z",
      "2026-01-30T22:59:59.999999Z", "2026-01-30T23:00:00Z")
    let result = try await export(workspace, "--since", "2026-01-29")
    #expect(result.status == 0, "\(result.errors)")
    #expect(try rows(workspace) == ["2026-01-29.csv": 2, "2026-01-30.csv": 1])
    let earlier = try await export(workspace, "--since", "2026-01-27", "--json")
    #expect(earlier.output.contains(#""files":4"#) && earlier.output.contains(#""rows":4"#))
    #expect(try rows(workspace)["2026-01-27.csv"] == 0)
    #expect(try rows(workspace)["2026-01-28.csv"] == 1)
  }

  @Test func `a second run leaves what is the same, and writes what came late`() async throws {
    let workspace = try await workspace("2026-01-29T12:00:00Z", "2026-01-30T12:00:00Z")
    func run() async throws -> String {
      try await export(workspace, "--since", "2026-01-29", "--format", "parquet", "--json").output
    }
    #expect(try await run().contains(#""written":2"#))
    let before = try times(workspace)
    #expect(try await run().contains(#""written":0"#))
    #expect(try times(workspace) == before)
    try add("2026-01-29T13:00:00Z", to: workspace)
    #expect(try await run().contains(#""written":1"#))
    let after = try times(workspace)
    #expect(after["2026-01-30.parquet"] == before["2026-01-30.parquet"])
    #expect(after["2026-01-29.parquet"] != before["2026-01-29.parquet"] && after.count == 2)
  }

  @Test func `a day that clocks change is a day`() async throws {
    let workspace = try await workspace(
      "2026-03-28T22:59:59Z", "2026-03-28T23:00:00Z", "2026-03-29T21:59:59Z",
      "2026-03-29T22:00:00Z")
    let now = try #require(Instant(iso8601: "2026-03-31T06:00:00Z"))
    _ = try await export(workspace, "--since", "2026-03-28", at: now)
    #expect(
      try rows(workspace)
        == ["2026-03-28.csv": 1, "2026-03-29.csv": 2, "2026-03-30.csv": 1])
  }

  @Test(
    arguments: [
      ("2016-01-23", nil), ("2016-01-24", 3_660), ("2026-01-29", 2), ("2026-01-30", 1),
      ("2026-01-31", nil), ("2026-02-01", nil),
    ] as [(String, Int?)])
  func `there are 1 to 3660 days before today`(since: String, count: Int?) throws {
    // 00:00 of 31 January in Berlin.
    let now = try #require(Instant(iso8601: "2026-01-30T23:00:00Z"))
    let days = try? ExportCommand.days(
      since: try #require(CivilDay(argument: since)), now: now, timeZone: "Europe/Berlin")
    #expect(days?.count == count)
    #expect(days?.last.map(\.span.upperBound) ?? now == now)
  }

  @Test func `a day that the date line leaves out has no file`() throws {
    let days = try ExportCommand.days(
      since: try #require(CivilDay(argument: "2011-12-29")),
      now: try #require(Instant(iso8601: "2012-01-01T00:00:00Z")), timeZone: "Pacific/Apia")
    #expect(days.map(\.name) == ["2011-12-29", "2011-12-31"])
  }

  @Test(arguments: [
    (["--since", "2026-01-31"], "--since takes a day before today, 2026-01-31."),
    (["--since", "1999-01-01"], "at most 3,660 days"), (["--since", "2026-02-30"], "--since"),
    (["--since", "2026-01-30", "--by", "id"], "There are: at."),
    (["--since", "2026-01-30", "--format", "sqlite"], "not sqlite"),
    (["--by", "at"], "--by is for"),
    (["--since", "2026-01-30", "--table", "x"], "leave out"),
  ])
  func `what has no days is refused`(words: [String], reason: String) async throws {
    let workspace = try await workspace()
    let result = try await workspace.run(
      ["export", "events", "--to", workspace.folder.path + "/lake"] + words)
    #expect(result.status == 64 && result.errors.contains(reason), "\(result.errors)")
  }

  @Test func `a query, standard output and a table without times are refused`() async throws {
    let workspace = try await workspace()
    for words in [
      ["SELECT at FROM events", "--to", "x"], ["events"], ["events", "--to", "-"],
      ["marks", "--to", "x"], ["nothing", "--to", "x"],
    ] {
      let result = try await workspace.run(["export"] + words + ["--since", "2026-01-30"])
      #expect(result.status == 64, "\(words): \(result.errors)")
    }
  }

  @Test func `another column of times decides, and compressed files say so`() async throws {
    let workspace = try await workspace()
    let folder = workspace.folder.path + "/lake"
    let later = TemporaryWorkspace.morning + .seconds(86_400)
    let result = try await workspace.run(
      [
        "export", "v_runs", "--since", "2026-01-31", "--by", "ENDED_AT", "--gzip", "--to", folder,
        "--format", "ndjson",
      ], at: later)
    #expect(result.status == 0, "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["2026-01-31.ndjson.gz"])
  }
}
