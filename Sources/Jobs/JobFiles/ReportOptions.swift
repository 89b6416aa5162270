/// How a job of kind `report` works; see `docs/jobs.md#report`.
package struct ReportOptions: Hashable, Sendable {
  package enum Name: String, CaseIterable, Hashable, Sendable {
    case usage, limits, ratings, users, runs
  }

  package enum Format: String, CaseIterable, Hashable, Sendable {
    case html, text, json, csv
  }

  /// In the order of the file; not empty.
  package var reports: [Name]
  /// Days that a report looks back; 1 to 366.
  package var periodDays: Int
  package var formats: [Format]
  /// A folder; relative to the workspace.
  package var output: String
  /// Whose own state the pages show; nil for the command's profile.
  package var profile: String?
  /// A style sheet of the reader's own, relative to the workspace; nil for none.
  package var styleSheet: String?

  package static let defaultPeriodDays = 7
  package static let periods = 1...366
  package static let defaultOutput = "output"
  package static let keys = KeyTable([
    "reports", "period_days", "formats", "output", "profile", "style_sheet",
  ])

  package init(
    reports: [Name] = Name.allCases, periodDays: Int = defaultPeriodDays,
    formats: [Format] = Format.allCases, output: String = defaultOutput,
    profile: String? = nil, styleSheet: String? = nil
  ) {
    self.reports = reports
    self.periodDays = periodDays
    self.formats = formats
    self.output = output
    self.profile = profile
    self.styleSheet = styleSheet
  }

  init(_ reader: MappingReader) {
    reports = reader.choices("reports", of: Name.self) ?? Name.allCases
    periodDays = reader.integer("period_days", in: Self.periods) ?? Self.defaultPeriodDays
    formats = reader.choices("formats", of: Format.self) ?? Format.allCases
    output = reader.text("output") ?? Self.defaultOutput
    profile = reader.text("profile")
    styleSheet = reader.text("style_sheet")
  }
}
