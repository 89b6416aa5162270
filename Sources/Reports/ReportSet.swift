package import Model

/// All reports of one moment, and the files they become.
package enum ReportSet {
  /// The index and the five reports, in that order.
  package static func make(
    frame: ReportFrame, usage: UsageFacts, limits: LimitsFacts, ratings: RatingsFacts,
    users: UsersFacts, runs: RunsFacts
  ) -> [Report] {
    let reports = [
      UsageReport.make(usage, frame: frame), LimitsReport.make(limits, frame: frame),
      RatingsReport.make(ratings, frame: frame), UsersReport.make(users, frame: frame),
      RunsReport.make(runs, frame: frame),
    ]
    return [IndexReport.make(of: reports, runs: runs, frame: frame)] + reports
  }

  /// One file for each report and format, report by report; writing them to disk is the caller's.
  package static func files(
    of reports: [Report], formats: [ReportFormat] = ReportFormat.allCases
  ) throws(ReportsError) -> [ReportFile] {
    var files: [ReportFile] = []
    for report in reports {
      for format in formats {
        files.append(
          ReportFile(
            name: "\(report.name.rawValue).\(format.rawValue)",
            bytes: try bytes(of: report, as: format)))
      }
    }
    return files
  }

  private static func bytes(
    of report: Report, as format: ReportFormat
  ) throws(ReportsError) -> [UInt8] {
    switch format {
    case .html: try HTMLWriter.bytes(of: report)
    case .text: TextWriter.bytes(of: report)
    case .json: try JSONWriter.bytes(of: report)
    case .csv: CSVWriter.bytes(of: report)
    }
  }
}
