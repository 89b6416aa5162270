import Testing

@testable import Model

/// Which table, day and part a file's name tells: docs/events.md#days-that-come-again.
@Suite struct ExportFileNameTests {
  @Test(arguments: [
    ("events_20261127.ndjson", ExportFileName.Table.daily, 20_261_127, ""),
    ("a/events_20261127.json.gz", .daily, 20_261_127, ""),
    ("events_20261127", .daily, 20_261_127, ""),
    ("events_intraday_20261127.ndjson", .intraday, 20_261_127, ""),
    ("events_fresh_20261127.jsonl", .fresh, 20_261_127, ""),
    ("events_20260401-000000000003.ndjson.gz", .daily, 20_260_401, "-000000000003"),
    ("events_20260401000000000012.json", .daily, 20_260_401, "000000000012"),
    ("events_intraday_20260401_000000000000.json", .intraday, 20_260_401, "_000000000000"),
    ("events_20261127-v2.ndjson", .daily, 20_261_127, "-v2"),
    ("p.analytics_1.events_20261127.ndjson", .daily, 20_261_127, ""),
    ("old_events_1/my_events_20261127.ndjson", .daily, 20_261_127, ""),
  ])
  func `a name tells the table, the day and the part`(
    path: String, table: ExportFileName.Table, day: Int, part: String
  ) {
    let name = ExportFileName(path: path)
    #expect(name.table == table && name.day == day && name.part == part)
  }

  @Test(arguments: [
    "export.ndjson", "events.ndjson", "events_2026112.ndjson", "events_20261327.ndjson",
    "events_20261100.ndjson", "events_20261132.ndjson", "events_202611271.ndjson",
    "myevents_20261127.ndjson", "pseudonymous_users_20261127.ndjson", "-", "",
    "events_20261127/a.ndjson", "events_weekly_20261127.ndjson",
  ])
  func `any other name tells nothing`(path: String) {
    let name = ExportFileName(path: path)
    #expect(name.table == .unknown && name.day == nil && name.part == "" && !name.isWholeTable)
  }

  @Test(arguments: [
    ("events_20260401-000000000003.ndjson", 3), ("events_20260401000000000000.json", 0),
    ("events_20260401-00000000003.ndjson", nil), ("events_20260401-3.ndjson", nil),
    ("events_20260401.ndjson", nil), ("events_20260401--000000000003.ndjson", nil),
  ])
  func `twelve digits are the number of a file`(path: String, number: Int?) {
    #expect(ExportFileName(path: path).number == number)
  }

  @Test func `files of one folder with one beginning are of one series`() {
    let a = ExportFileName(path: "/x/a-events_20260401.ndjson").series
    #expect(a == "/x/a-")
    #expect(ExportFileName(path: "/x/a-events_intraday_20260402.ndjson").series == a)
    #expect(ExportFileName(path: "/x/b-events_20260401.ndjson").series != a)
    #expect(ExportFileName(path: "/y/a-events_20260401.ndjson").series != a)
  }

  @Test(arguments: [
    ("20261127", 20_261_127), ("2026-11-27", 20_261_127), ("2026-1-27", nil), ("", nil),
    ("2026/11/27", nil), ("20261127 ", nil), ("20260001", nil), ("20261232", nil),
  ])
  func `a day has eight digits, also with hyphens`(text: String, day: Int?) {
    #expect(ExportDay.number(text) == day)
  }
}

/// The unit that a number seems to be in.
@Suite struct TimeUnitTests {
  @Test(
    arguments: [
      (999_999_999, nil), (1_000_000_000, TimeUnit.seconds), (3_999_999_999, .seconds),
      (4_000_000_000, nil), (999_999_999_999, nil), (1_000_000_000_000, .milliseconds),
      (3_999_999_999_999, .milliseconds), (4_000_000_000_000, nil),
      (1_000_000_000_000_000, .microseconds), (3_999_999_999_999_999, .microseconds),
      (1_764_230_400_000_000_000, .nanoseconds), (0, nil), (-1_764_230_400_000, nil),
    ] as [(Int64, TimeUnit?)])
  func `a number of our time has one unit, exactly at its bounds`(number: Int64, unit: TimeUnit?) {
    #expect(TimeUnit(of: number) == unit)
  }
}
