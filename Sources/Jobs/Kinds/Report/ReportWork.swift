import Foundation
import Glibc
package import Model
import Platform
package import ReportWriters
package import Reports
package import Store
package import Workspace

/// How a job of kind `report` works; see `docs/jobs/report.md`.
package struct ReportOptions: JobKind {
  package static let kind = JobKindName("report")
  package static let isReadOnly = true

  package enum Name: String, CaseIterable, Hashable, Sendable {
    case usage, limits, ratings, users, runs
  }

  /// The people whose events, ratings and feedback are counted.
  package enum Scope: String, CaseIterable, Hashable, Sendable {
    case all, profile
  }

  /// In the order of the file; not empty.
  package var reports = Name.allCases
  package var period = ReportPeriod.byDefault
  /// An IANA name; nil for the workspace's.
  package var timeZone: String?
  package var scope = Scope.all
  /// Nil for the platform of the app.
  package var platform: AppConfig.PlatformChoice?
  /// Whether pseudonyms replace people.
  package var isAnonymous = false
  package var formats = ReportFormat.allCases
  /// A folder; relative to the workspace.
  package var output = "output"
  /// The profile whose own state the pages show; nil for the command's profile.
  package var profile: String?
  /// A style sheet of the reader's own, relative to the workspace; nil for none.
  package var styleSheet: String?
  package var isSingleFile = false
  /// Dated copies to keep, newest first; 0 makes none.
  package var keptDays = 30

  package static let keptDayCounts = 0...3_660

  package static let options = OptionKeys(
    ReportOptions(),
    [
      .key("reports", \.reports, .choices(of: Name.self)),
      .custom(
        ConfigurationKey("period_days", .integer(ReportPeriod.dayCounts), default: "7"),
        ConfigurationKey("period", .text)
      ) { $1.period = $0.reportPeriod() ?? $1.period },
      .key("time_zone", \.timeZone, .timeZone),
      .key("scope", \.scope, .choice),
      .key("platform", \.platform, .choice),
      .key("anonymous", \.isAnonymous, .boolean),
      .key("formats", \.formats, .choices(of: ReportFormat.self)),
      .key("output", \.output, .text),
      .key("profile", \.profile, .text), .key("style_sheet", \.styleSheet, .text),
      .key("single_file", \.isSingleFile, .boolean),
      .section("history", \.self, history),
    ])

  private static let history = OptionKeys(
    ReportOptions(), [.key("keep", \.keptDays, .integer(keptDayCounts))])

  package var outputFolders: [String] { [output] }
  package var files: [String] { [styleSheet].compactMap(\.self) }

  /// Returns the options of the last report job by name; the defaults without one.
  ///
  /// `platform` overrides the job's platform.
  package static func last(
    in jobs: [Job], counting platform: AppConfig.PlatformChoice? = nil
  ) -> ReportOptions {
    var options = jobs.compactMap { $0.definition as? ReportOptions }.last ?? .defaults
    if let platform { options.platform = platform }
    return options
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    ReportWork(self, context)
  }
}

extension MappingReader {
  /// Reads `period_days` or `period`; nil without either.
  func reportPeriod() -> ReportPeriod? {
    let days = integer("period_days", in: ReportPeriod.dayCounts)
    let text = text("period", wanted: ReportPeriod.wanted) { ReportPeriod($0) != nil }
    if let entry = entry("period"), self.entry("period_days") != nil {
      problem(entry, "says the same as 'period_days'; keep one of them")
    }
    return text.flatMap { ReportPeriod($0) } ?? days.map { .days($0) }
  }
}

/// The work of the kind `report`: writes the pages; see `docs/jobs/report.md`.
package struct ReportWork: JobWork {
  private let options: ReportOptions
  private let context: JobContext
  /// Whether to make the day's dated copy, which a report with other options must not replace.
  private let makesCopy: Bool

  package init(_ options: ReportOptions, _ context: JobContext, makesCopy: Bool = true) {
    self.options = options
    self.context = context
    self.makesCopy = makesCopy
  }

  /// The folder that the pages are written to.
  package var folder: String { context.workspace.path(options.output) }

  /// The file to open first.
  package var firstFile: String {
    let format = (options.formats.first ?? .html).fileExtension
    return "\(folder)/\(options.isSingleFile ? PageLayout.singleName : "index").\(format)"
  }

  package func plan() throws -> String {
    "Would write \(options.reports.map(\.rawValue).joined(separator: ", ")) to \(folder)."
  }

  /// Returns the reports as text, the index first; writes nothing.
  package func text() throws -> [UInt8] {
    let draft = try ReportBuilder(options, context)
    let reports = try draft.reports(earlier: try earlier(than: draft.day), choice: choice)
    let layout = PageLayout(formats: [.text], isSingleFile: true)
    return TextWriter.bytes(
      of: reports.filter { $0.name != .search && isWanted($0.name) }, in: layout)
  }

  /// Returns the newest state in a few lines; writes nothing.
  ///
  /// Figures are compared with `before`, or else with the last copy of an earlier day.
  package func summary(after before: PastReport? = nil) throws -> ReportSummary {
    let draft = try ReportBuilder(options, context)
    let reports = try draft.reports(earlier: nil, choice: .index)
    if let before { return ReportSummary(of: reports, after: before) }
    guard case .report(let before) = try earlier(than: draft.day) else {
      return ReportSummary(of: reports)
    }
    return ReportSummary(of: reports, after: before)
  }

  package func perform(within budget: RunBudget) async throws -> JobResult { try write() }

  /// Writes the pages, then the copy of the day, then the list of copies; removes old copies last.
  package func write() throws -> JobResult {
    let draft = try ReportBuilder(options, context)
    // The report shows limits as the next check would find them.
    try context.store.refundAbandonedUses {
      try UseOwner.isAlive($0, in: context.workspace)
    }
    let style = try ownStyle()
    try FileContents.makeFolder(folder, mode: mode)
    try AtomicFile.removeAbandoned(in: folder)
    if keepsCopy { try history.prepare() }
    let all = try draft.reports(
      earlier: try earlier(than: draft.day), choice: keepsCopy ? .all : choice)
    try endAcknowledgements(all, on: draft.day)
    var layout = try layout(of: all)
    layout.ownStyle = style
    let plan = ReportSet.plan(of: all.filter { isWanted($0.name) }, in: layout)
    context.observer.begin("report", "files", total: plan.count)
    let copy = keepsCopy ? try DatedCopy(of: draft.day, in: history) : nil
    try write(plan, layout, copy, previous: copy == nil ? nil : try previousDay(of: draft.day))
    let gone = isWanted(.own) && !all.contains { $0.name == .own } ? [Report.Name.own] : []
    try removePages(of: gone)
    if layout.hasTables {
      try TableFiles(folder: folder, mode: mode).write(
        all.filter { isWanted($0.name) }, without: gone)
    }
    if let copy, let summary = PastReport(of: all, in: layout) {
      try copy.finish(try summary.bytes())
      try writeList(draft, layout)
      try history.prune(keeping: options.keptDays, today: draft.day)
      try linkCopies(around: draft.day)
    }
    return JobResult(
      .ok, "\(plan.count) files in \(folder).", warnings: all.flatMap(\.queryFaults))
  }

  /// Writes the files and their copies, several at once: making one takes a core, and then it waits
  /// for the disk.
  private func write(
    _ plan: [PlannedFile], _ layout: PageLayout, _ copy: DatedCopy?, previous: PageLayout.PastLink?
  ) throws {
    // Pages and texts link to other files, which have other paths from the folder of a day.
    var past = PageLayout(
      folder: .pastDay, reports: layout.reports.filter(isWanted), formats: layout.formats,
      isSingleFile: layout.isSingleFile, hasHistory: true, ownStyle: layout.ownStyle)
    past.previousDay = previous
    try plan.forEachConcurrently { [past] file in
      let bytes = try file.bytes(in: layout)
      try AtomicFile.write(bytes, to: "\(folder)/\(file.name)", mode: mode)
      let hasPlaces = [.html, .text].contains(file.format)
      try copy?.write(hasPlaces ? file.bytes(in: past) : bytes, as: file.name)
      context.observer.advance(by: 1)
    }
  }

  /// Removes acknowledgements of findings that are over; only a full report of the job shows that.
  private func endAcknowledgements(_ reports: [Report], on day: String) throws {
    guard makesCopy, options.scope == .all, let index = reports.first(where: { $0.name == .index }),
      try !context.store.read({ try $0.acknowledgements() }).isEmpty
    else { return }
    let incidents = try context.store.read { try $0.openIncidents(at: context.now) }
      .filter { !$0.isOver }.compactMap { $0.id.map(Acknowledgement.idOfIncident) }
    let open = Set(
      index.attention.map(\.id) + index.acknowledged.map(\.finding.id) + incidents)
    try context.store.write { try $0.endAcknowledgements(open: open, on: day) }
  }

  /// Removes the files of reports that no longer exist, for example after the last query was
  /// deleted.
  private func removePages(of reports: [Report.Name]) throws {
    for name in reports {
      for format in ReportFormat.allCases {
        try FileContents.remove("\(folder)/\(name.rawValue).\(format.fileExtension)")
      }
    }
  }

  private var history: HistoryFolder {
    HistoryFolder(path: "\(folder)/\(PageLayout.historyFolder)", mode: mode)
  }

  /// Who may read the pages.
  private var mode: FileMode { context.config.outputMode }

  private var keepsCopy: Bool { makesCopy && options.keptDays > 0 }

  /// Links the previous copy to the day's copy, and removes the oldest copy's dead link.
  private func linkCopies(around day: String) throws {
    let days = try history.days()
    if let before = days.first(where: { $0 < day }), let link = link(to: day) {
      try history.link(before, to: link, on: .later)
    }
    if let oldest = days.last { try history.link(oldest, to: nil, on: .earlier) }
  }

  private func link(to day: String) -> PageLayout.PastLink? {
    HistoryReport.Day(day, report: history.report(of: day)).flatMap(HistoryReport.link)
  }

  /// Nil when no reports are kept.
  private func earlier(than day: String) throws -> EarlierReport? {
    options.keptDays > 0 ? try history.report(before: day) : nil
  }

  /// Returns a link to the last copy before a day; nil when there is none.
  private func previousDay(of day: String) throws -> PageLayout.PastLink? {
    try history.days().first { $0 < day }.flatMap(link)
  }

  /// The queries of the written reports, or all when the search page is among them.
  private var choice: QueryChoice {
    isWanted(.search) ? .all : .pages(Report.Name.allCases.filter(isWanted))
  }

  /// Whether the options include a page.
  ///
  /// Money comes with usage, popups with limits; the reader's own figures and the list of all
  /// sections come with all reports.
  private func isWanted(_ name: Report.Name) -> Bool {
    switch name {
    case .index: true
    case .money: options.reports.contains(.usage)
    case .popups: options.reports.contains(.limits)
    case .own, .search: options.reports.count == ReportOptions.Name.allCases.count
    case .overview: false
    case .usage, .limits, .ratings, .users, .runs, .history:
      options.reports.contains { $0.rawValue == name.rawValue }
    }
  }

  /// Returns the layout of the folder after writing, including files from earlier runs.
  private func layout(of reports: [Report]) throws -> PageLayout {
    let names = reports.map(\.name)
    func isThere(_ path: String) -> Bool {
      FileManager.default.fileExists(atPath: "\(folder)/\(path)")
    }
    let there = names.filter { name in
      isWanted(name) || (!options.isSingleFile && isThere("\(name.rawValue).html"))
    }
    return PageLayout(
      reports: there, formats: options.formats,
      isSingleFile: options.isSingleFile,
      hasHistory: keepsCopy || isThere("\(PageLayout.historyFolder)/index.html"))
  }

  /// Writes the list of the copies that stay.
  private func writeList(_ draft: ReportBuilder, _ layout: PageLayout) throws {
    let days = try history.days()
    let kept = Set(days.prefix(options.keptDays) + [draft.day])
    let list = HistoryReport.make(
      days.filter(kept.contains).compactMap {
        HistoryReport.Day($0, report: history.report(of: $0))
      }, context: draft.reportContext)
    let layout = layout.at(.history)
    for file in ReportSet.files(of: list, in: layout) {
      try AtomicFile.write(
        try file.bytes(in: layout), to: "\(history.path)/\(file.name)", mode: mode)
    }
  }

  private func ownStyle() throws -> StyleSheet? {
    try options.styleSheet.map { name in
      try StyleSheetFile(name: name, path: context.workspace.path(name)).read()
    }
  }
}

/// The name of the mark with the acknowledgements, as a JSON list.
private let acknowledgementsName: MarkName = "acknowledged-findings"

/// The findings that a person has acknowledged: docs/findings.md#acknowledge.
extension Readable {
  /// Returns all acknowledgements, sorted by id, including expired ones.
  package func acknowledgements() throws -> [Acknowledgement] {
    try mark([Acknowledgement].self, named: acknowledgementsName) ?? []
  }
}

extension Writer {
  /// Acknowledges a finding; replaces an earlier acknowledgement of it.
  package func acknowledge(_ acknowledgement: Acknowledgement) throws {
    try replaceAcknowledgements {
      $0.filter { $0.id != acknowledgement.id } + [acknowledgement]
    }
  }

  /// Removes the acknowledgement of a finding; returns whether there was one.
  package func takeBackAcknowledgement(of id: String) throws -> Bool {
    guard try acknowledgements().contains(where: { $0.id == id }) else { return false }
    try replaceAcknowledgements { $0.filter { $0.id != id } }
    return true
  }

  /// Removes the acknowledgements of findings and incidents that are over, and expired ones.
  ///
  /// `open` has the ids of all current findings and incidents, acknowledged or not; the day is such
  /// as `2026-11-30`.
  package func endAcknowledgements(open: Set<String>, on day: String) throws {
    try replaceAcknowledgements { all in
      all.filter { one in one.until.map { day < $0 } ?? open.contains(one.id) }
    }
  }

  private func replaceAcknowledgements(
    _ change: ([Acknowledgement]) -> [Acknowledgement]
  ) throws {
    let before = try acknowledgements()
    let after = change(before).sorted { $0.id < $1.id }
    guard after != before else { return }
    guard !after.isEmpty else { return try setMark(nil, named: acknowledgementsName) }
    try setMark(encoding: after, named: acknowledgementsName)
  }
}
