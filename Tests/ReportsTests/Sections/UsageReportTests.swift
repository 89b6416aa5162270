import Foundation
import ReportsTesting
import Testing

@testable import Model
@testable import ReportWriters
@testable import Reports
@testable import Store

@Suite struct UsageReportTests {
  @Test func `a period without events after one with events is a warning`() {
    var data = SampleReports.usage
    data.buckets = data.buckets.filter {
      $0.startsAtSeconds < SampleReports.context.start.unixSeconds
    }
    let silent = UsageReport.make(data, context: SampleReports.context)
    #expect(silent.findings.map(\.level) == [.warn])
    #expect(UsageReport.make(EmptyReports.usage, context: SampleReports.context).findings.isEmpty)
    #expect(UsageReport.make(SampleReports.usage, context: SampleReports.context).findings.isEmpty)
  }

  @Test(arguments: [
    (
      "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z",
      ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"], true
    ),
    (
      "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z",
      ["2026-10-25T02:00:00Z", "2026-10-25T02:30:00Z"], false
    ),
    (
      "2026-10-17T22:00:00Z", "2026-10-18T22:00:00Z",
      ["2026-10-18T00:30:00Z", "2026-10-18T00:45:00Z"], false
    ),
    (
      "2026-10-25T01:00:00Z", "2026-10-25T23:00:00Z",
      ["2026-10-25T01:00:00Z", "2026-10-25T01:45:00Z"], false
    ),
    (
      "2026-10-24T22:00:00Z", "2026-10-25T01:00:00Z",
      ["2026-10-25T00:00:00Z", "2026-10-25T00:45:00Z"], false
    ),
  ])
  func `the busiest hour is said to have come twice where the clocks were put back in the period`(
    start: String, end: String, times: [String], isTwice: Bool
  ) throws {
    let context = ReportContext(
      appName: "ChatHub", now: SampleReports.at(end), timeZone: "Europe/Berlin",
      start: SampleReports.at(start), end: SampleReports.at(end))
    let data = UsageData(
      buckets: times.map {
        UsageData.Bucket(
          startsAtSeconds: SampleReports.at($0).unixSeconds, feature: .refresh,
          kind: .buttonTapped, userType: .freeUser, platform: "ios", count: 20)
      }, activeUsers: 1, previousActiveUsers: 0, newestEventAt: nil)
    let chart = UsageReport.make(data, context: context).sections.first { $0.id == "hours" }?
      .blocks.compactMap { if case .chart(let chart) = $0 { chart } else { nil } }.first
    let words = try #require(chart).alternative
    #expect(words.hasPrefix("The busiest hour is Sun 0"), "\(words)")
    #expect(words.contains(" with 40 taps"), "\(words)")
    #expect(
      words.contains(", an hour that came twice on 25 Oct 2026.") == isTwice, "\(words)")
  }

  @Test func `taps whose events name no user are those of unknown users`() {
    var data = SampleReports.usage
    let known = UsageReport.make(data, context: SampleReports.context).summary
    #expect(known.hasPrefix("58 people made 1,275 taps; the busiest day was "))
    data.activeUsers = 0
    let unknown = UsageReport.make(data, context: SampleReports.context).summary
    #expect(unknown.hasPrefix("1,275 taps by unknown users; the busiest day was "))
  }

  private func table(_ id: String, _ data: UsageData) throws -> Table {
    let report = UsageReport.make(data, context: SampleReports.context)
    let tables = report.sections.flatMap(\.blocks).compactMap { block in
      if case .table(let table) = block { table } else { nil }
    }
    return try #require(tables.first { $0.id == id })
  }

  @Test func `what was blocked is a part of what could be`() throws {
    let report = UsageReport.make(SampleReports.usage, context: SampleReports.context)
    let blocked = try #require(report.headline.first { $0.id == "blocked" })
    // 1,204 taps of free users and 7 of people of whom nothing is told; 64 were a new user's.
    #expect(blocked.share == Ratio(287, of: 1_211))
  }

  @Test
  func `days that the ledger does not know wholly are marked in the drawing and in the table`()
    throws
  {
    var data = SampleReports.usage
    data.history = DayHistory()
    for (text, coverage) in [("2026-02-17", DayFacts.Coverage.none), ("2026-02-18", .partial)] {
      let day = LocalDay(
        of: SampleReports.at("\(text)T12:00:00Z"), in: SampleReports.context.timeZone)
      data.history.days.append(DayFacts(start: day.start, end: day.end, coverage: coverage))
    }
    var context = SampleReports.context
    context.unknownDays = data.history.unknown.map(\.start)
    let days = try #require(SampleResults.rows(context)["usage/by-day"])
    let rows = days.enumerated().map { place, row -> [SQLValue] in
      switch place {
      case 1: row.prefix(1) + Array(repeating: nil, count: 7) + [1]
      case 2: row.dropLast() + [1]
      default: row
      }
    }
    let report = try #require(
      SampleReports.reports(
        context: context, usage: data,
        queries: SampleResults.sections(context, with: ["usage/by-day": rows])
      ).first { $0.name == .usage })
    guard case .chart(let chart)? = report.sections.first?.blocks.first else {
      Issue.record("the days are no chart")
      return
    }
    // Of 17 Feb nothing is known; of 18 Feb a part, in which nothing happened; 19 Feb has a true 0.
    #expect(chart.uncovered == [1, 2])
    let taps = try #require(report.headline.first { $0.id == "taps" }?.trend)
    #expect(taps.prefix(4) == [1_204, nil, 0, 0])
    let csv = String(decoding: CSVWriter.bytes(of: report), as: UTF8.self)
    #expect(csv.contains("days,usage-by-day,2,taps,\r\n"))
    #expect(csv.contains("days,usage-by-day,3,taps,0\r\n"))
    #expect(
      try table("coverage", data).rows.map { $0.cells[1] } == [.text("none"), .text("in part")])
  }

  /// 16 Feb is a Monday; the period has each hour of the week twice.
  @Test(arguments: [
    ([DayFacts.Coverage.none, .whole], [Cell](repeating: .count(0), count: 24), true),
    ([.none, .none], Array(repeating: .missing, count: 24), true),
    ([.awaited, .awaited], Array(repeating: .missing, count: 24), true),
    ([.partial, .partial], Array(repeating: .count(0), count: 24), true),
    ([.whole, .whole], Array(repeating: .count(0), count: 24), false),
  ])
  func `an hour of the week has a number when the period has it and the ledger knows it once`(
    coverage: [DayFacts.Coverage], tuesdays: [Cell], isTold: Bool
  ) throws {
    var data = SampleReports.usage
    data.history = DayHistory()
    for (text, coverage) in zip(["2026-02-17", "2026-02-24"], coverage) {
      let day = LocalDay(
        of: SampleReports.at("\(text)T12:00:00Z"), in: SampleReports.context.timeZone)
      data.history.days.append(DayFacts(start: day.start, end: day.end, coverage: coverage))
    }
    let section = try #require(
      UsageReport.make(data, context: SampleReports.context).sections.first { $0.id == "hours" })
    guard case .chart(let chart)? = section.blocks.first else {
      Issue.record("the hours are no chart")
      return
    }
    #expect(chart.table.rows.map { $0.cells[2] } == tuesdays)
    #expect(chart.table.rows.allSatisfy { $0.cells[3] == .count(0) })
    #expect(section.lead.contains("The ledger lacks hours of 17 Feb") == isTold)
    #expect((chart.absence == "not in the period") != isTold)
  }

  @Test func `a period before today lacks no hours while today's export is to come`() throws {
    var context = SampleReports.context
    context.awaitedToday = context.end
    let section = try #require(
      UsageReport.make(SampleReports.usage, context: context).sections.first { $0.id == "hours" })
    guard case .chart(let chart)? = section.blocks.first else {
      Issue.record("the hours are no chart")
      return
    }
    #expect(chart.absence == "not in the period")
    #expect(!section.lead.contains("export"))
  }

  @Test(arguments: [(DayFacts.Coverage.partial, [10, 11, 12]), (.whole, [])])
  func `hours of a gap in the export have no number, those in which the app stood still have`(
    coverage: DayFacts.Coverage, hours: [Int]
  ) throws {
    var context = SampleReports.context
    context.start = SampleReports.at("2026-02-22T23:00:00Z")
    var data = SampleReports.usageOfAll
    let day = try #require(
      data.history.days.indices.first {
        data.history.days[$0].end > SampleReports.at("2026-02-24T09:00:00Z")
      })
    data.history.days[day].coverage = coverage
    data.exportGaps = [
      ExportGap(
        start: SampleReports.at("2026-02-24T09:00:00Z"),
        end: SampleReports.at("2026-02-24T12:00:00Z"), expected: 200)
    ]
    let section = try #require(
      UsageReport.make(data, context: context).sections.first { $0.id == "hours" })
    guard case .chart(let chart)? = section.blocks.first else {
      Issue.record("the hours are no chart")
      return
    }
    let missing = chart.table.rows.indices.filter { chart.table.rows[$0].cells[2] == .missing }
    #expect(missing == hours)
  }

  @Test(arguments: [
    (DayFacts.Coverage.none, 0, true), (.none, 1, true), (.awaited, 0, true),
    (.awaited, 1, false), (.partial, 0, false), (.whole, 0, false),
  ])
  func `nothing is known of a day that is not covered, or that is awaited and has no line`(
    coverage: DayFacts.Coverage, taps: Int, isUnknown: Bool
  ) {
    var day = DayFacts(
      start: SampleReports.context.start, end: SampleReports.context.start + .seconds(86_400),
      coverage: coverage)
    day.taps = taps
    #expect(DayHistory(days: [day]).unknown.isEmpty != isUnknown)
  }

  @Test(arguments: [(1, 0, true), (1, 1, false), (0, 0, false)])
  func `nothing is known of today before the export's first line, unless none is imported`(
    linesBefore: Int, lines: Int, isUnknown: Bool
  ) {
    let start = SampleReports.context.start
    var days = (0..<2).map { day in
      DayFacts(
        start: start + .seconds(86_400 * day), end: start + .seconds(86_400 * (day + 1)),
        coverage: day == 0 ? .whole : .running)
    }
    days[0].exportLines = linesBefore
    days[1].exportLines = lines
    #expect(DayHistory(days: days).unknown.isEmpty != isUnknown)
  }

  @Test(arguments: [(DayFacts.Coverage.awaited, false), (.none, true), (.whole, true)])
  func `a period whose export is still to come is no period without events`(
    coverage: DayFacts.Coverage, isFound: Bool
  ) {
    var data = SampleReports.usage
    data.buckets.removeAll { $0.startsAtSeconds >= SampleReports.context.start.unixSeconds }
    let days = data.history.days.indices.filter { data.history.days[$0].coverage == .whole }
    for day in days { data.history.days[day].coverage = coverage }
    let found = UsageReport.make(data, context: SampleReports.context).findings
    #expect(found.isEmpty != isFound)
    data.history.days[days[days.count - 1]].coverage = .whole
    #expect(!UsageReport.make(data, context: SampleReports.context).findings.isEmpty)
  }
}
