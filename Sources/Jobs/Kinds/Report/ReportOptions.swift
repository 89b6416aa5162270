/// How a job of kind `report` works; see `docs/jobs/report.md`.
package struct ReportOptions: JobDefinition {
  package static let kind = JobKind("report")
  package static let isReadOnly = true

  package enum Name: String, CaseIterable, Hashable, Sendable {
    case usage, limits, ratings, users, runs
  }

  package enum Format: String, CaseIterable, Hashable, Sendable {
    case html, text, json, csv
  }

  /// Whose events, ratings and feedback are counted.
  package enum Scope: String, CaseIterable, Hashable, Sendable {
    case all, profile
  }

  /// In the order of the file; not empty.
  package var reports: [Name]
  package var period: ReportPeriod
  /// An IANA name; nil for the workspace's.
  package var timeZone: String?
  package var scope: Scope
  /// Whether pseudonyms stand for people.
  package var isAnonymous: Bool
  package var formats: [Format]
  /// A folder; relative to the workspace.
  package var output: String
  /// Whose own state the pages show; nil for the command's profile.
  package var profile: String?
  /// A style sheet of the reader's own, relative to the workspace; nil for none.
  package var styleSheet: String?
  /// Whether all reports are one file of each format.
  package var isSingleFile: Bool
  /// Dated copies to keep, newest first; 0 makes none.
  package var keptDays: Int

  package static let defaultOutput = "output"
  package static let defaultKeptDays = 30
  package static let keptDayCounts = 0...3_660
  package static let keys = KeyTable([
    ConfigurationKey("reports", .list(.choice(of: Name.self)), default: "all"),
    ConfigurationKey("period_days", .integer(ReportPeriod.dayCounts), default: "7"),
    ConfigurationKey("period", .text), ConfigurationKey("time_zone", .text),
    ConfigurationKey("scope", .choice(of: Scope.self), default: Scope.all.rawValue),
    ConfigurationKey("anonymous", .boolean, default: "false"),
    ConfigurationKey("formats", .list(.choice(of: Format.self)), default: "all"),
    ConfigurationKey("output", .text, default: defaultOutput),
    ConfigurationKey("profile", .text), ConfigurationKey("style_sheet", .text),
    ConfigurationKey("single_file", .boolean, default: "false"),
    ConfigurationKey("history", .mapping),
    ConfigurationKey("history.keep", .integer(keptDayCounts), default: "\(defaultKeptDays)"),
  ])

  package init(
    reports: [Name] = Name.allCases, period: ReportPeriod = .byDefault, timeZone: String? = nil,
    scope: Scope = .all, isAnonymous: Bool = false, formats: [Format] = Format.allCases,
    output: String = defaultOutput, profile: String? = nil, styleSheet: String? = nil,
    isSingleFile: Bool = false, keptDays: Int = defaultKeptDays
  ) {
    self.reports = reports
    self.period = period
    self.timeZone = timeZone
    self.scope = scope
    self.isAnonymous = isAnonymous
    self.formats = formats
    self.output = output
    self.profile = profile
    self.styleSheet = styleSheet
    self.isSingleFile = isSingleFile
    self.keptDays = keptDays
  }

  package init(_ reader: MappingReader, job: String) {
    reports = reader.choices("reports", of: Name.self) ?? Name.allCases
    period = reader.reportPeriod()
    timeZone = reader.text(
      "time_zone", wanted: "an IANA time zone such as Europe/Berlin, or UTC",
      where: TimeZoneName.isValid)
    scope = reader.choice("scope", of: Scope.self) ?? .all
    isAnonymous = reader.boolean("anonymous") ?? false
    formats = reader.choices("formats", of: Format.self) ?? Format.allCases
    output = reader.text("output") ?? Self.defaultOutput
    profile = reader.text("profile")
    styleSheet = reader.text("style_sheet")
    isSingleFile = reader.boolean("single_file") ?? false
    let history = reader.mapping("history")
    history.refuseOthers(than: Self.keys.keys(under: "history"))
    keptDays = history.integer("keep", in: Self.keptDayCounts) ?? Self.defaultKeptDays
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    ReportWork(self, context)
  }
}

extension MappingReader {
  /// One of `period_days` and `period`.
  fileprivate func reportPeriod() -> ReportPeriod {
    let days = integer("period_days", in: ReportPeriod.dayCounts)
    let text = text("period", wanted: ReportPeriod.wanted) { ReportPeriod($0) != nil }
    if let entry = entry("period"), self.entry("period_days") != nil {
      problem(entry, "says the same as 'period_days'; keep one of them")
    }
    return text.flatMap { ReportPeriod($0) } ?? days.map { .days($0) } ?? .byDefault
  }
}

extension ReportOptions {
  package static var template: WorkspaceTemplate.File? {
    WorkspaceTemplate.File(path: "jobs/report.yml", text: jobFile)
  }

  private static let jobFile = """
    # Writes the pages that you read in the morning; output/index.html is the first.
    kind: report
    description: The morning report
    schedule: "35 6 * * *"
    # Only an order: 'firetally run report' runs this job alone, on what the database holds.
    # In 'firetally run --all' it comes last, and is written also when one of these failed.
    needs: [settings, online-users, events, upload-feedback, feedback, settle]
    timeout: 10m

    reports: [usage, limits, ratings, users, runs]
    formats: [html, text, json, csv]
    # Days to look back; those that are over are compared with the same weekdays earlier.
    period_days: 7
    output: output
    # A copy of each day's last report, and how many days to keep it; 0 makes none.
    history:
      keep: 30

    # For people outside: pseudonyms for users and profiles, all in one file to send.
    # anonymous: true
    # single_file: true

    """
}
