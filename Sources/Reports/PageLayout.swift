/// Which files reports are written as and where they lie, which decides what they may link to.
package struct PageLayout: Hashable, Sendable {
  /// The folder that a page lies in.
  package enum Place: Hashable, Sendable {
    /// The output folder, which holds the newest reports.
    case output
    /// `history` in the output folder, which holds the list of past reports.
    case history
    /// The folder of one day in `history`.
    case pastDay
  }

  package var place: Place
  /// What lies in the output folder, or in the folder of the day; never `history`.
  package var reports: [Report.Name]
  package var formats: [ReportFormat]
  /// Whether all reports are one file of each format.
  package var isSingleFile: Bool
  /// Whether there is a list of past reports.
  package var hasHistory: Bool
  /// The sheet of the reader's own that follows ours; nil for none.
  package var ownStyle: StyleSheet?

  /// The name of the one file, without its ending: docs/reports.md#options.
  package static let singleName = "report"
  package static let historyFolder = "history"

  package init(
    place: Place = .output, reports: [Report.Name] = Report.Name.pages,
    formats: [ReportFormat] = ReportFormat.allCases, isSingleFile: Bool = false,
    hasHistory: Bool = false, ownStyle: StyleSheet? = nil
  ) {
    self.place = place
    self.reports = reports
    self.formats = formats
    self.isSingleFile = isSingleFile
    self.hasHistory = hasHistory
    self.ownStyle = ownStyle
  }

  /// All reports in all formats, a file each, and no past ones.
  package static let whole = PageLayout()

  /// The same reports at another place.
  package func at(_ place: Place) -> PageLayout {
    var layout = self
    layout.place = place
    return layout
  }

  /// The file of a report in its own folder; nil when it is not written.
  package func fileName(of report: Report.Name, _ format: ReportFormat) -> String? {
    guard formats.contains(format) else { return nil }
    if report == .history { return hasHistory ? "index.\(format.rawValue)" : nil }
    guard reports.contains(report) else { return nil }
    return "\(isSingleFile ? Self.singleName : report.rawValue).\(format.rawValue)"
  }

  /// The file that holds the rows which the page leaves out; nil when there is none.
  func restFile(of report: Report.Name) -> (name: String, format: ReportFormat)? {
    for format in [ReportFormat.csv, .json] {
      if let name = fileName(of: report, format) { return (name, format) }
    }
    return nil
  }

  /// Where a link leads, seen from a page at this place; nil when that is not written.
  func address(of link: PageAddress) -> String? {
    switch link {
    case .report(.history, let format, let anchor):
      guard let name = fileName(of: .history, format) else { return nil }
      let folder = place == .output ? "\(Self.historyFolder)/" : place == .pastDay ? "../" : ""
      return folder + name + (anchor.map { "#\($0)" } ?? "")
    case .report(let report, let format, let anchor):
      guard let name = fileName(of: report, format) else { return nil }
      let folder = place == .history ? "../" : ""
      guard isSingleFile, format == .html else {
        return folder + name + (anchor.map { "#\($0)" } ?? "")
      }
      let fragment = "#\(report.rawValue)" + (anchor.map { "-\($0)" } ?? "")
      return place == .history ? folder + name + fragment : fragment
    case .newest:
      return fileName(of: .index, .html).map { "../../\($0)" }
    case .pastDay(let day, let file):
      return "\(day.iso8601)/\(file.rawValue).html"
    }
  }
}

/// Where a link may lead: into the reports, and nowhere else.
enum PageAddress: Hashable, Sendable {
  case report(Report.Name, ReportFormat, anchor: String?)
  /// From the page of a past day to the newest report.
  case newest
  /// From the list of past reports to the first page of one.
  case pastDay(CivilDay, FirstPage)
}

/// The page that a day's reports begin with.
package enum FirstPage: String, Codable, Sendable {
  case index
  /// All reports in one file.
  case report
}
