package import Reports

/// How a job of kind `report` works; see `docs/jobs/report.md`.
package struct ReportOptions: JobDefinition {
  package static let kind = JobKind("report")
  package static let isReadOnly = true

  package enum Name: String, CaseIterable, Hashable, Sendable {
    case usage, limits, ratings, users, runs
  }

  /// Whose events, ratings and feedback are counted.
  package enum Scope: String, CaseIterable, Hashable, Sendable {
    case all, profile
  }

  /// In the order of the file; not empty.
  package var reports = Name.allCases
  package var period = ReportPeriod.byDefault
  /// An IANA name; nil for the workspace's.
  package var timeZone: String?
  package var scope = Scope.all
  /// Whether pseudonyms stand for people.
  package var isAnonymous = false
  package var formats = ReportFormat.allCases
  /// A folder; relative to the workspace.
  package var output = "output"
  /// Whose own state the pages show; nil for the command's profile.
  package var profile: String?
  /// A style sheet of the reader's own, relative to the workspace; nil for none.
  package var styleSheet: String?
  /// Whether all reports are one file of each format.
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

  /// Those of the last report job by name; the defaults without one.
  package static func last(in jobs: [Job]) -> ReportOptions {
    jobs.compactMap { $0.definition as? ReportOptions }.last ?? .defaults
  }

  package func work(_ job: String, _ context: JobContext) throws -> any JobWork {
    ReportWork(self, context)
  }
}

extension MappingReader {
  /// One of `period_days` and `period`; nil without either.
  func reportPeriod() -> ReportPeriod? {
    let days = integer("period_days", in: ReportPeriod.dayCounts)
    let text = text("period", wanted: ReportPeriod.wanted) { ReportPeriod($0) != nil }
    if let entry = entry("period"), self.entry("period_days") != nil {
      problem(entry, "says the same as 'period_days'; keep one of them")
    }
    return text.flatMap { ReportPeriod($0) } ?? days.map { .days($0) }
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
