import Foundation
import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// Every format of every report, byte by byte.
@Suite struct GoldenTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Golden/Reports")

  private static let isRecording =
    ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1"

  /// What several pages have in common, as their golden files name it in brackets.
  ///
  /// Their digests are recorded in the sources; `PageScriptTests` and `StyleSheetTests` compare
  /// them.
  private static let shared: [(name: String, text: String)] = [
    ("style.css", StyleSheet.shared.text), ("popups.css", StyleSheet.popups.text),
    ("tables.js", PageScript.tables.text), ("days.js", PageScript.days.text),
    ("feedback.js", PageScript.feedback.text), ("compare.js", PageScript.compare.text),
  ]

  /// The sample, whose queries golden files name in brackets: they are files themselves.
  private static var reports: [Report] {
    func named(_ source: QuerySource?) -> QuerySource? {
      guard var source else { return nil }
      source.sql = source.sql.map { _ in "[\(source.name).sql]" }
      return source
    }
    func named(_ figure: Figure) -> Figure {
      var figure = figure
      figure.source = named(figure.source)
      return figure
    }
    func named(_ block: Block) -> Block {
      switch block {
      case .table(var table):
        table.source = named(table.source)
        return .table(table)
      case .chart(var chart):
        chart.table.source = named(chart.table.source)
        return .chart(chart)
      case .figures(let figures): return .figures(figures.map(named))
      default: return block
      }
    }
    return SampleReports.reports().map { report in
      var report = report
      report.headline = report.headline.map(named)
      for index in report.sections.indices {
        report.sections[index].blocks = report.sections[index].blocks.map(named)
      }
      return report
    }
  }

  @Test(arguments: ReportFormat.allCases)
  func `the files of the sample are the recorded ones`(format: ReportFormat) throws {
    let files = try ReportSet.files(of: Self.reports)
    for file in files where file.name.hasSuffix(".\(format.fileExtension)") {
      guard format == .html else {
        try compare(file.bytes, with: file.name)
        continue
      }
      let page = Self.shared.reduce(String(decoding: file.bytes, as: UTF8.self)) { page, part in
        page.replacing(">\(part.text)</", with: ">[\(part.name)]</")
      }
      try compare(Array(page.utf8), with: file.name)
    }
  }

  private func compare(_ bytes: [UInt8], with name: String) throws {
    let url = Self.folder.appendingPathComponent(name)
    if Self.isRecording {
      try Data(bytes).write(to: url)
      Issue.record("recorded \(name); run again without RECORD_GOLDEN")
    } else {
      #expect(Data(bytes) == (try Data(contentsOf: url)), "\(name) differs from its golden file")
    }
  }

  @Test func `making the reports twice gives the same bytes`() throws {
    let first = try ReportSet.files(of: SampleReports.reports())
    let second = try ReportSet.files(of: SampleReports.reports())
    #expect(first == second)
  }
}
