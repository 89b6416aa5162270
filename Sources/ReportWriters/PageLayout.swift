package import Reports

/// Which files the reports become, and where they lie: this decides what a page may link to.
package struct PageLayout: Hashable, Sendable {
  /// The folder of a page.
  package enum Folder: Hashable, Sendable {
    /// The output folder, which holds the newest reports.
    case output
    /// `history` in the output folder, which holds the list of past reports.
    case history
    /// The folder of one day in `history`.
    case pastDay
  }

  /// The first page of a past day's reports.
  package struct PastLink: Hashable, Sendable {
    var day: CivilDay
    var page: FirstPage
  }

  package var folder: Folder
  /// The reports in the output folder or in the folder of the day; never `history`.
  package var reports: [Report.Name]
  package var formats: [ReportFormat]
  /// Whether each format has one file with all reports.
  package var isSingleFile: Bool
  /// Whether the list of past reports is written.
  package var hasHistory: Bool
  /// The reader's style sheet, which follows ours; nil without one.
  package var ownStyle: StyleSheet?
  /// The copy of an earlier day, for the pages of a past day; nil without one.
  package var previousDay: PastLink?

  /// The name of the single file, without its extension: docs/reports.md#options.
  package static let singleName = "report"
  package static let historyFolder = "history"

  package init(
    folder: Folder = .output, reports: [Report.Name] = Report.Name.shipped,
    formats: [ReportFormat] = ReportFormat.allCases, isSingleFile: Bool = false,
    hasHistory: Bool = false, ownStyle: StyleSheet? = nil
  ) {
    self.folder = folder
    self.reports = reports
    self.formats = formats
    self.isSingleFile = isSingleFile
    self.hasHistory = hasHistory
    self.ownStyle = ownStyle
  }

  /// Every report in every format, each in its own file, without past reports.
  package static let whole = PageLayout()

  /// The same layout for a page in another folder.
  package func at(_ folder: Folder) -> PageLayout {
    var layout = self
    layout.folder = folder
    return layout
  }

  /// The file of a report within its folder; nil when it is not written.
  package func fileName(of report: Report.Name, _ format: ReportFormat) -> String? {
    guard formats.contains(format) else { return nil }
    if report == .history { return hasHistory ? "index.\(format.fileExtension)" : nil }
    guard reports.contains(report) else { return nil }
    return "\(isSingleFile ? Self.singleName : report.rawValue).\(format.fileExtension)"
  }

  /// The first page; nil without pages.
  var firstPage: FirstPage? {
    fileName(of: .index, .html).map { _ in isSingleFile ? .report : .index }
  }

  /// The file and the place in it of a section, for readers outside of the pages; nil when the page
  /// is not written.
  func fileAddress(of report: Report.Name, anchor: String) -> String? {
    fileName(of: report, .html).map { name in
      isSingleFile ? "\(name)#\(report.rawValue)-\(anchor)" : "\(name)#\(anchor)"
    }
  }

  /// Whether each table is written as a CSV file of its own.
  package var hasTables: Bool { formats.contains(.csv) && !isSingleFile && folder == .output }

  /// The file with the rows of a table that the page leaves out; nil when no such file is written.
  func restFile(
    of table: String, in report: Report.Name
  ) -> (name: String, address: PageAddress)? {
    if hasTables, reports.contains(report) {
      return (
        "\(TableCSV.folder)/\(TableCSV.name(of: table, in: report))", .table(table, report)
      )
    }
    for format in [ReportFormat.csv, .json] {
      if let name = fileName(of: report, format) {
        return (name, .report(report, format, anchor: nil))
      }
    }
    return nil
  }

  /// The address of a link, relative to a page of this layout; nil when its target is not written.
  func address(of link: PageAddress) -> String? {
    switch link {
    case .report(.history, let format, let anchor):
      guard let name = fileName(of: .history, format) else { return nil }
      let path = folder == .output ? "\(Self.historyFolder)/" : folder == .pastDay ? "../" : ""
      return path + name + (anchor.map { "#\($0)" } ?? "")
    case .report(let report, let format, let anchor):
      guard let name = fileName(of: report, format) else { return nil }
      let path = folder == .history ? "../" : ""
      guard isSingleFile, format == .html else {
        return path + name + (anchor.map { "#\($0)" } ?? "")
      }
      let fragment = "#\(report.rawValue)" + (anchor.map { "-\($0)" } ?? "")
      return folder == .history ? path + name + fragment : fragment
    case .table(let table, let report):
      guard hasTables, reports.contains(report) else { return nil }
      return "\(TableCSV.folder)/\(TableCSV.name(of: table, in: report))"
    case .newest:
      return fileName(of: .index, .html).map { "../../\($0)" }
    case .workspace(let page): return page
    case .pastDay(let day, let file):
      return (folder == .pastDay ? "../" : "") + "\(day.iso8601)/\(file.rawValue).html"
    }
  }
}

extension HistoryReport {
  /// The page of a copy that is read first; nil without pages.
  package static func link(to day: Day) -> PageLayout.PastLink? {
    firstPage(of: day).map { PageLayout.PastLink(day: day.day, page: $0) }
  }
}

/// The target of a link, which can only be one of the reports.
enum PageAddress: Hashable, Sendable {
  case report(Report.Name, ReportFormat, anchor: String?)
  /// The CSV file of a table.
  case table(String, Report.Name)
  /// The newest report, from the page of a past day.
  case newest
  /// The first page of a workspace's reports, from the overview: a relative link.
  case workspace(String)
  /// The first page of a past report, from the list of past reports.
  case pastDay(CivilDay, FirstPage)
}
