package import Model
package import Rules

/// All reports of one moment, and the files they become; writing them to disk is the caller's.
package enum ReportSet {
  /// The index and the five reports, in that order.
  package static func make(
    frame: ReportFrame, usage: UsageFacts, limits: LimitsFacts, ratings: RatingsFacts,
    users: UsersFacts, runs: RunsFacts, outlook: LimitOutlook? = nil,
    earlier: EarlierReport? = nil
  ) -> [Report] {
    let reports = [
      UsageReport.make(usage, frame: frame),
      LimitsReport.make(limits, outlook: outlook, frame: frame),
      RatingsReport.make(ratings, frame: frame), UsersReport.make(users, frame: frame),
      RunsReport.make(runs, frame: frame),
    ]
    return [IndexReport.make(of: reports, runs: runs, frame: frame, earlier: earlier)] + reports
  }

  /// The files of the list of past reports, which lie in a folder of their own.
  package static func list(_ report: Report, in layout: PageLayout) -> [PlannedFile] {
    layout.formats.compactMap { format in
      layout.fileName(of: .history, format).map {
        PlannedFile(name: $0, format: format, content: .one(report))
      }
    }
  }

  /// The files of a layout, in order; none without reports.
  package static func plan(of reports: [Report], in layout: PageLayout) -> [PlannedFile] {
    guard layout.isSingleFile else {
      return reports.flatMap { report in
        layout.formats.map { format in
          let name = layout.fileName(of: report.name, format) ?? report.name.rawValue
          return PlannedFile(name: name, format: format, content: .one(report))
        }
      }
    }
    guard !reports.isEmpty else { return [] }
    return layout.formats.map { format in
      PlannedFile(
        name: "\(PageLayout.singleName).\(format.rawValue)", format: format,
        content: .together(reports))
    }
  }
}
