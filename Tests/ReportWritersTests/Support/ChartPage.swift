import ReportsTesting
import Testing

@testable import ReportWriters
@testable import Reports

/// A page with one chart, as a browser reads it.
enum ChartPage {
  static func root(of chart: Chart) throws -> HTMLNode {
    let report = Report(
      name: .usage, title: "T", context: SampleReports.context,
      dataTime: Report.DataTime(label: "Data", at: nil), summary: "S",
      sections: [Section(id: "s", title: "S", lead: "L.", blocks: [.chart(chart)])])
    return try #require(HTMLNode(parsing: try HTMLWriter.bytes(of: report)))
  }

  /// Its drawing.
  static func drawing(of chart: Chart) throws -> HTMLNode {
    try #require(try root(of: chart).all("svg").first { $0.attributes["role"] == "img" })
  }
}
