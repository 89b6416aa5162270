import Foundation
import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// The list of past reports: docs/reports.md#history.
@Suite struct HistoryReportTests {
  private let layout = PageLayout(folder: .history, hasHistory: true)

  private func list(_ texts: [String]) throws -> Report {
    let sample = try #require(PastReport(of: SampleReports.reports(), in: .whole))
    return HistoryReport.make(
      texts.enumerated().compactMap {
        HistoryReport.Day($1, report: $0 == 1 ? nil : sample)
      }, context: SampleReports.context)
  }

  @Test func `each day is a row with its key figures and a link to its first page`() throws {
    let report = try list(["2026-03-02", "2026-03-01"])
    let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report, in: layout)))
    let table = try #require(root.all("table").first)
    let rows = table.all("tr").dropFirst().map { $0.children.map(\.text) }
    #expect(
      rows.first == [
        "Mon 2 Mar 2026", "■1 error, 1 warning", "14", "58", "1,275", "287", "3.75†", "4,862",
      ])
    #expect(rows.last?.prefix(2) == ["Sun 1 Mar 2026", "cannot be read back"])
    let hrefs = root.all("a").compactMap { $0.attributes["href"] }
    #expect(hrefs.contains("2026-03-02/index.html") && hrefs.contains("../runs.html"))
    #expect(hrefs.contains("index.csv"))
    #expect(hrefs.allSatisfy { !$0.hasPrefix("/") && !$0.contains(":") })
  }

  @Test func `a finding is listed once, with the first and the last report that told it`() throws {
    var report = try #require(PastReport(of: SampleReports.reports(), in: .whole))
    func day(_ day: String, _ findings: (Level, String, subject: String)...) -> HistoryReport.Day? {
      report.findings = findings.map {
        PastFinding(level: $0, sentence: $1, report: .usage, subject: $2)
      }
      return HistoryReport.Day(day, report: report)
    }
    let days = [
      // A copy that cannot be read has no findings, and ends none.
      HistoryReport.Day("2026-03-05", report: nil), day("2026-03-04", (.warn, "A, 3.", "a")),
      day("2026-03-03", (.warn, "A, 2.", "a")),
      day("2026-03-02", (.error, "B.", "b"), (.notice, "C.", "c")),
      day("2026-03-01", (.warn, "A, 1.", "a")),
    ].compactMap(\.self)
    guard case .table(let table)? = HistoryFindings.section(days).blocks.first else {
      Issue.record("no table")
      return
    }
    let calendar = ReportCalendar(timeZone: "UTC")
    func civil(_ day: Int) -> Cell {
      .day(calendar.day(of: SampleReports.at("2026-03-0\(day)T00:00:00Z")))
    }
    #expect(
      table.rows.map(\.cells) == [
        [.text("A, 3."), .level(.warn, "Warning"), civil(1), civil(4), .count(3), .text("yes")],
        [.text("B."), .level(.error, "Error"), civil(2), civil(2), .count(1), .text("over")],
      ])
  }

  @Test func `all four formats have the days and their numbers`() throws {
    let report = try list(["2026-03-02", "2026-03-01"])
    let plan = ReportSet.files(of: report, in: layout)
    #expect(plan.map(\.name) == ["index.html", "index.txt", "index.json", "index.csv"])
    for file in plan where file.format != .html {
      let text = String(decoding: try file.bytes(in: layout), as: UTF8.self)
      let day = file.format == .text ? "Mon 2 Mar 2026" : "2026-03-02"
      #expect(text.contains(day) && text.contains(file.format == .text ? "4,862" : "4862"))
      #expect(text.contains("cannot be read back"))
    }
  }

  @Test
  func `figures stand day beside day, and their courses run from the oldest to the newest`() throws
  {
    let report = try list(["2026-03-04", "2026-03-03", "2026-03-02", "2026-03-01"])
    let tables = report.sections.flatMap(\.blocks).compactMap { block in
      if case .table(let table) = block { table } else { nil }
    }
    let days = try #require(tables.last)
    #expect(days.columns.map(\.title) == ["Figure", "Wed 4 Mar", "Mon 2 Mar", "Sun 1 Mar"])
    #expect(days.columns[1].id == "day_2026_03_04")
    let taps = try #require(days.rows.first { $0.cells[0] == .text("Usage: Taps") })
    #expect(taps.cells.dropFirst().allSatisfy { $0 == .count(1_275) })
    let courses = tables.first { $0.id == "courses" }?.rows.first {
      $0.cells[0] == .text("Usage: Taps")
    }
    #expect(courses?.cells[2] == .trend([1_275, 1_275, 1_275]))
  }

  @Test func `a count of events is left out where a report lacked some of its period`() throws {
    let days = ["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"]
    let reports = try days.map { day in
      var past = try #require(PastReport(of: SampleReports.reports()))
      past.coverage = day == days[1] ? "3 Feb is incomplete" : PastReport.wholeCoverage
      past.figures = past.figures.map { figure in
        var figure = figure
        figure.isOfEvents = figure.id == "taps"
        return figure
      }
      return try #require(HistoryReport.Day(day, report: past))
    }
    func cells(_ section: Section) throws -> [[Cell]] {
      guard case .table(let table)? = section.blocks.first else { return [] }
      return table.rows.map(\.cells).filter {
        $0[0] == .text("Usage: Taps") || $0[0] == .text("Usage: Blocked")
      }
    }
    let courses = try cells(HistoryFigures.courses(reports.reversed()))
    #expect(
      courses.map { $0[2] } == [.trend([1_275, nil, 1_275, 1_275]), .trend([287, 287, 287, 287])])
    let compared = try cells(HistoryFigures.comparison(reports.reversed()))
    #expect(compared[0][3] == .missing && compared[0][2] == .count(1_275))
    #expect(compared[1][3] == .count(287))
  }

  @Test func `the page of a past day leads to the one before it`() throws {
    let day = try #require(HistoryReport.Day("2026-03-01", report: nil))
    var layout = PageLayout(folder: .pastDay, hasHistory: true)
    layout.previousDay = HistoryReport.link(to: day)
    let report = SampleReports.reports()[1]
    let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report, in: layout)))
    let hrefs = root.all("a").compactMap { $0.attributes["href"] }
    #expect(hrefs.contains("../2026-03-01/index.html"))
  }

  @Test func `the link to the day after is written later, once, and can be taken back`() throws {
    let day = try #require(HistoryReport.Day("2026-03-03", report: nil))
    let link = try #require(HistoryReport.link(to: day))
    let bytes = try HTMLWriter.bytes(
      of: SampleReports.reports()[1], in: PageLayout(folder: .pastDay, hasHistory: true))
    func hrefs(_ page: [UInt8]) throws -> [String] {
      try #require(HTMLNode(parsing: page)).all("a").compactMap { $0.attributes["href"] }
    }
    let linked = try #require(PastDayLinks.page(bytes, with: link, on: .later))
    #expect(try hrefs(linked).contains("../2026-03-03/index.html"))
    #expect(PastDayLinks.page(linked, with: link, on: .later) == nil, "it is there already")
    #expect(PastDayLinks.page(linked, with: nil, on: .later) == bytes)
    #expect(PastDayLinks.page(bytes, with: nil, on: .earlier) == nil)
    #expect(PastDayLinks.page(Array("<p>Else</p>".utf8), with: link, on: .later) == nil)
  }

  @Test func `an empty history says so`() throws {
    let report = try list([])
    let text = String(decoding: TextWriter.bytes(of: report, in: layout), as: UTF8.self)
    #expect(text.contains("No report was kept yet."))
    #expect(try list(["no day"]).sections.count == 4)
  }

  @Test func `a list of ten years stays under 1 MB`() throws {
    let report = try list(Array(repeating: "2026-03-02", count: 3_660))
    #expect(try HTMLWriter.bytes(of: report, in: layout).count < 1_000_000)
  }
}
