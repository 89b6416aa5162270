import Foundation
import Model
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// The course of a figure: docs/reports.md#courses.
@Suite struct FigureTrendTests {
  private let reports = SampleReports.reports()

  private var figures: [(report: Report, figure: Figure)] {
    // The tiles of the index are of one day; their courses are of 28.
    reports.filter { $0.name != .index }.flatMap { report in
      report.headline.filter { $0.trend != nil }.map { (report, $0) }
    }
  }

  @Test
  func `the days of a course add up to the figure, and there is one for each day of the period`()
    throws
  {
    #expect(figures.count >= 6)
    for (report, figure) in figures {
      let trend = try #require(figure.trend)
      let calendar = ReportCalendar(timeZone: report.context.timeZone)
      #expect(
        trend.count == calendar.days(from: report.context.start, to: report.context.end).count)
      #expect(figure.value == .count(trend.compactMap(\.self).reduce(0, +)), "\(figure.id)")
    }
  }

  @Test(arguments: [
    ([0, 0, 0], false), ([1, 1], false), ([0, 0, 1], true), ([nil, 0, 0], false),
    ([nil, 1, 0], true), ([nil, 1], false), ([nil, nil, 1], false), ([1, nil, 0], true),
  ])
  func `a course of two days or of nothing but zeros is not drawn`(trend: [Int?], isDrawn: Bool) {
    let figure = Figure(id: "taps", label: "Taps", value: .count(0), trend: trend)
    #expect((figure.drawnTrend != nil) == isDrawn)
  }

  @Test func `all four formats carry the course`() throws {
    for (report, figure) in figures {
      let trend = try #require(figure.trend)
      let html = String(decoding: try HTMLWriter.bytes(of: report), as: UTF8.self)
      let text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
      let json = String(decoding: try JSONWriter.bytes(of: report), as: UTF8.self)
      let csv = String(decoding: CSVWriter.bytes(of: report), as: UTF8.self)
      let words = trend.map { $0.map(NumberWords.grouped) ?? "–" }.joined(separator: " ")
      #expect(html.contains("aria-label=\"\(figure.label) by day: \(words)\""))
      #expect(text.contains(TextBar.sparkline(trend.map { $0.map(Double.init) })))
      let numbers = trend.map { $0.map { String($0) } ?? "null" }
      #expect(json.filter { !$0.isWhitespace }.contains("[\(numbers.joined(separator: ","))]"))
      let list = "[\(numbers.joined(separator: ","))]"
      #expect(csv.contains("\(figure.id).trend,\"\(list)\"") || trend.count == 1)
    }
  }

  @Test
  func `an unknown day is a dot in text, a hatched column in HTML, and null, but no 0`() throws {
    var report = reports[1]
    report.headline = [
      Figure(id: "taps", label: "Taps", value: .count(9), trend: [4, nil, 0, 5])
    ]
    report.sections = []
    let text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
    #expect(text.contains("▇·▁█"))
    let page = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
    let course = page.all("svg").first { $0.attributes["class"]?.contains("trend") == true }
    #expect(course?.attributes["aria-label"] == "Taps by day: 4 – 0 5")
    #expect(course?.all("rect").map { $0.attributes["class"] } == ["main", "uncovered", "main"])
    let json = String(decoding: try JSONWriter.bytes(of: report), as: UTF8.self)
    #expect(json.filter { !$0.isWhitespace }.contains("\"trend\":[4,null,0,5]"))
    let csv = String(decoding: CSVWriter.bytes(of: report), as: UTF8.self)
    #expect(csv.contains("taps.trend,\"[4,null,0,5]\""))
  }

  @Test(arguments: [(31, true), (32, false)])
  func `a course of more than 31 days is no sparkline`(days: Int, isDrawn: Bool) {
    var report = reports[1]
    report.headline = [
      Figure(
        id: "taps", label: "Taps", value: .count(days), trend: Array(repeating: 1, count: days))
    ]
    report.sections = []
    let text = String(decoding: TextWriter.bytes(of: report), as: UTF8.self)
    #expect(text.contains("█") == isDrawn)
    #expect(text.split(separator: "\n").allSatisfy { DisplayWidth.of(String($0)) <= 80 })
  }
}
