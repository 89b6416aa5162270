import Foundation
import Model
import Testing

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

  @Test("each day is a row with its key figures and a link to its first page")
  func page() throws {
    let report = try list(["2026-03-02", "2026-03-01"])
    let root = try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report, in: layout)))
    let rows = root.all("tr").dropFirst().map { $0.children.map(\.text) }
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

  @Test("all four formats have the days and their numbers")
  func formats() throws {
    let report = try list(["2026-03-02", "2026-03-01"])
    let plan = ReportSet.list(report, in: layout)
    #expect(plan.map(\.name) == ["index.html", "index.txt", "index.json", "index.csv"])
    for file in plan where file.format != .html {
      let text = String(decoding: try file.bytes(in: layout), as: UTF8.self)
      let day = file.format == .text ? "Mon 2 Mar 2026" : "2026-03-02"
      #expect(text.contains(day) && text.contains(file.format == .text ? "4,862" : "4862"))
      #expect(text.contains("cannot be read back"))
    }
  }

  @Test("an empty history says so")
  func empty() throws {
    let report = try list([])
    let text = String(decoding: TextWriter.bytes(of: report, in: layout), as: UTF8.self)
    #expect(text.contains("No report was kept yet."))
    #expect(try list(["no day"]).sections.count == 1)
  }

  @Test("a list of ten years stays under 1 MB")
  func size() throws {
    let report = try list(Array(repeating: "2026-03-02", count: 3_660))
    #expect(try HTMLWriter.bytes(of: report, in: layout).count < 1_000_000)
  }
}
