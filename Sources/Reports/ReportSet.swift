package import Model
package import Store

/// All reports of one moment, and their files, which the caller writes to disk.
package enum ReportSet {
  /// The index, then the reports in the order of reading, and the list of their sections.
  package static func make(
    context: ReportContext, usage: UsageData, limits: LimitsData, ratings: RatingsData,
    users: UsersData, runs: RunsData, whatIf: WhatIfResult? = nil,
    earlier: EarlierReport? = nil, queries: QuerySections? = nil
  ) -> [Report] {
    let marks = TimelineMarks.all(usage, limits, ratings, context: context)
    var reports = [
      UsageReport.make(usage, context: context),
      MoneyReport.make(usage, context: context),
      LimitsReport.make(limits, whatIf: whatIf, context: context),
      PopupsReport.make(limits, ratings, context: context),
      RatingsReport.make(ratings, context: context),
      UsersReport.make(users, context: context),
      RunsReport.make(runs, context: context),
    ]
    let findings = ReportFindings(
      context: context, usage: usage, limits: limits, ratings: ratings, runs: runs)
    let found = findings.found()
    for index in reports.indices {
      let own = found.filter { $0.report == reports[index].name }
      reports[index].findings = Finding.worstFirst(
        RootCauses.open(reports[index].findings, explainedBy: found, runs) + own)
    }
    let placed = queries?.placed(in: reports)
    reports = (placed?.reports ?? reports).map(RatingFunnel.toldAbove).map(MoneyReport.toldAbove)
      .map { $0.marked(with: marks) }
    for index in reports.indices {
      (reports[index].findings, reports[index].acknowledged) = context.parted(
        reports[index].findings)
    }
    var index = IndexReport.make(
      of: reports, runs: runs, panels: IndexPanels(usage, limits, ratings, context: context),
      context: context, earlier: earlier, tiles: placed?.tiles ?? [],
      moneySentences: placed?.moneySentences ?? [])
    MonthIndex(reports, usage, limits, marks: marks, context: context)?
      .write(to: &index, own: placed?.tiles ?? [])
    index = index.marked(with: marks)
    let all = findings.expectedDays(addedTo: [index] + reports).map(\.defined)
    return all + [SearchReport.make(of: all)].compactMap(\.self)
  }

  /// The files of one report that has files of its own, as the list of past reports always has.
  package static func files(of report: Report, in layout: PageLayout) -> [PlannedFile] {
    layout.formats.compactMap { format in
      layout.fileName(of: report.name, format).map {
        PlannedFile(name: $0, format: format, content: .one(report))
      }
    }
  }

  /// The files of the reports in a layout, in the order of the reports, and then the findings of
  /// all.
  package static func plan(of reports: [Report], in layout: PageLayout) -> [PlannedFile] {
    let findings =
      layout.formats.contains(.json)
      ? reports.filter { $0.name == .index }.map {
        PlannedFile(name: FindingsFile.name, format: .json, content: .findings($0))
      } : []
    guard layout.isSingleFile else {
      return reports.flatMap { files(of: $0, in: layout) } + findings
    }
    guard !reports.isEmpty else { return [] }
    let pages = layout.formats.map { format in
      PlannedFile(
        name: "\(PageLayout.singleName).\(format.fileExtension)", format: format,
        content: .together(reports))
    }
    return pages + findings
  }
}

/// A format of reports, as options name it.
package enum ReportFormat: String, CaseIterable, Sendable {
  case html, text, json, csv

  /// Of its files.
  package var fileExtension: String { self == .text ? "txt" : rawValue }
}

/// A file to write; its bytes are made on demand.
package struct PlannedFile: Sendable {
  enum Content: Sendable {
    case one(Report)
    case together([Report])
    /// The findings of all reports, from the index.
    case findings(Report)
  }

  /// For example `usage.html`, without a folder.
  package let name: String
  package let format: ReportFormat
  let content: Content

  /// The file for a layout, which only decides the links of a page.
  package func bytes(in layout: PageLayout) throws(ReportsError) -> [UInt8] {
    switch (format, content) {
    case (.html, .one(let report)): try HTMLWriter.bytes(of: report, in: layout)
    case (.html, .together(let reports)): try HTMLWriter.bytes(of: reports, in: layout)
    case (.text, .one(let report)): TextWriter.bytes(of: report, in: layout)
    case (.text, .together(let reports)): TextWriter.bytes(of: reports, in: layout)
    case (.json, .one(let report)): try JSONWriter.bytes(of: report)
    case (.json, .together(let reports)): try JSONWriter.bytes(of: reports)
    case (.csv, .one(let report)): CSVWriter.bytes(of: report)
    case (.csv, .together(let reports)): CSVWriter.bytes(of: reports)
    case (_, .findings(let index)): try FindingsFile.bytes(of: index, in: layout)
    }
  }
}

/// An error while a report is written; making reports cannot fail.
package enum ReportsError: Error, Hashable, CustomStringConvertible {
  /// libxml2 failed to write, because memory ran out.
  case writerFailed(page: String)
  case notEncodable(page: String, reason: String)

  package var description: String {
    switch self {
    case .writerFailed(let page):
      "The page '\(page)' could not be written because memory ran out; "
        + "free some, or choose a shorter period."
    case .notEncodable(let page, let reason):
      "The report '\(page)' could not be written as JSON: \(reason)."
    }
  }
}

/// What may explain a change of counts by day: changed settings, new versions, and hours in which
/// the app stood still.
enum TimelineMarks {
  /// The newest of each kind that a chart shows; more would hide the columns.
  private static let most = 8

  /// The marks that a chart shows: of each kind the newest of those that lie in it.
  static func shown(_ marks: [Chart.Mark], in chart: Chart) -> [Chart.Mark] {
    let inside = marks.filter { chart.holds($0.day) }
    return [Chart.Mark.Kind.setting, .release, .outage]
      .flatMap { kind in inside.filter { $0.kind == kind }.suffix(most) }
      .sorted { $0.day < $1.day }
  }

  /// Oldest first.
  static func all(
    _ usage: UsageData, _ limits: LimitsData, _ ratings: RatingsData, context: ReportContext
  ) -> [Chart.Mark] {
    let calendar = ReportCalendar(timeZone: context.timeZone)
    let settings = limits.changes.filter { $0.oldValue != nil && $0.newValue != nil }
      .sorted { $0.changedAt < $1.changedAt }
      .map { Chart.Mark(day: calendar.day(of: $0.changedAt), kind: .setting, words: $0.words) }
    let outages = usage.history.days.filter { $0.silentHours > 0 }.map {
      let hours = NumberWords.counted($0.silentHours, "hour")
      return Chart.Mark(day: calendar.day(of: $0.start), kind: .outage, words: "\(hours) silent")
    }
    return (settings + releases(ratings, calendar) + outages).sorted { $0.day < $1.day }
  }

  /// Ratings that must come before the first one of a version, so that it is new: of the versions
  /// with which the ledger begins nobody knows since when they are there.
  static let fewestBefore = 10

  /// The first rating of each release in all of the ledger, whatever the period.
  private static func releases(
    _ ratings: RatingsData, _ calendar: ReportCalendar
  ) -> [Chart.Mark] {
    ratings.releases.filter { $0.ratingsBefore >= fewestBefore }.map { start in
      Chart.Mark(
        day: calendar.day(of: start.at), kind: .release,
        words: "version \(VisibleText.clipped(start.version, to: 20)) first rated")
    }
  }
}

extension SettingChange {
  /// `refresh limit 2 → 4`.
  var words: String {
    Self.words(
      of: SettingKey(wireName: wireName)?.descriptor.title ?? wireName, oldValue, newValue)
  }

  static func words(of title: String, _ old: String?, _ new: String?) -> String {
    let values = [old, new].map { VisibleText.clipped($0 ?? "none", to: 20) }
    return "\(VisibleText.clipped(title, to: 40)) \(values[0]) → \(values[1])"
  }
}

extension Report {
  /// The same report with the marks on its charts over time.
  func marked(with marks: [Chart.Mark]) -> Report {
    changingCharts { chart in
      if chart.isTimeline { chart.marks = TimelineMarks.shown(marks, in: chart) }
    }
  }

  /// The same report with its charts changed.
  func changingCharts(_ change: (inout Chart) -> Void) -> Report {
    var report = self
    for section in sections.indices {
      report.sections[section].blocks = sections[section].blocks.map { block in
        guard case .chart(var chart) = block else { return block }
        change(&chart)
        return .chart(chart)
      }
    }
    return report
  }
}

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

/// The first page of a day's reports.
package enum FirstPage: String, Codable, Sendable {
  case index
  /// All reports in one file.
  case report
}
