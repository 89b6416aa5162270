@testable import Reports

/// One finished file: its name in the output folder, and its bytes.
struct ReportFile: Hashable {
  var name: String
  var bytes: [UInt8]
}

extension ReportSet {
  /// One file for each report and format, report by report.
  static func files(
    of reports: [Report], formats: [ReportFormat] = ReportFormat.allCases
  ) throws -> [ReportFile] {
    let layout = PageLayout(reports: reports.map(\.name), formats: formats)
    return try plan(of: reports, in: layout).map { file in
      ReportFile(name: file.name, bytes: try file.bytes(in: layout))
    }
  }
}
