package import Foundation
package import Model
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

/// Which days a report covers; see `docs/jobs/report.md`.
package enum ReportPeriod: Hashable, Sendable {
  /// So many days up to now, the first of them from midnight.
  case days(Int)
  case yesterday
  /// The seven days before this week's Monday.
  case lastWeek
  /// The calendar month before this one.
  case lastMonth
  /// Both days included.
  case dates(from: ReportDay, to: ReportDay)

  package static let dayCounts = 1...366
  package static let byDefault = ReportPeriod.days(7)

  package static let names = ["yesterday", "last-week", "last-month"]

  /// What `init(_:)` takes, after "must be".
  package static let wanted =
    "yesterday, last-week, last-month, or two days such as 2026-11-01..2026-11-14, the first not "
    + "after the second, at most \(dayCounts.upperBound) days"

  /// Nil for anything but `wanted`.
  package init?(_ text: String) {
    switch text {
    case "yesterday": self = .yesterday
    case "last-week": self = .lastWeek
    case "last-month": self = .lastMonth
    default:
      let parts = text.split(separator: "..", omittingEmptySubsequences: false)
      guard parts.count == 2, let first = ReportDay(parts[0]), let last = ReportDay(parts[1]),
        Self.dayCounts.contains(first.count(to: last))
      else { return nil }
      self = .dates(from: first, to: last)
    }
  }

  /// From the first instant to the one after the last; nil when none of it has come yet.
  ///
  /// A period that today belongs to ends now, which belongs to it as well.
  package func span(at now: Instant, in zone: TimeZone) -> Range<Instant>? {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    let (start, end) = bounds(today: calendar.startOfDay(for: now.date), calendar)
    let last = min(Instant(end), now + .microseconds(1))
    return Instant(start) < last ? Instant(start)..<last : nil
  }

  private func bounds(today: Date, _ calendar: Calendar) -> (start: Date, end: Date) {
    func day(_ offset: Int, from date: Date) -> Date {
      calendar.startOfDay(for: calendar.date(byAdding: .day, value: offset, to: date) ?? date)
    }
    switch self {
    case .days(let count): return (day(1 - count, from: today), day(1, from: today))
    case .yesterday: return (day(-1, from: today), today)
    case .lastWeek:
      let weekday = calendar.component(.weekday, from: today)
      let monday = day(-((weekday + 5) % 7), from: today)
      return (day(-7, from: monday), monday)
    case .lastMonth:
      let first = day(1 - calendar.component(.day, from: today), from: today)
      let lastOfMonth = day(-1, from: first)
      return (day(1 - calendar.component(.day, from: lastOfMonth), from: lastOfMonth), first)
    case .dates(let first, let last):
      return (first.start(in: calendar), last.start(in: calendar, after: 1))
    }
  }
}

/// A day as files and the command line write it: `2026-11-01`.
package struct ReportDay: Hashable, Comparable, Sendable {
  package let text: String
  /// The day's midnight in UTC, by which days are counted and compared.
  private let midnight: Instant

  /// Nil for anything but a day of the Gregorian calendar in this form.
  package init?(_ text: some StringProtocol) {
    let text = String(text)
    guard text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil,
      let midnight = Instant(iso8601: "\(text)T00:00:00Z")
    else { return nil }
    self.text = text
    self.midnight = midnight
  }

  package static func < (left: ReportDay, right: ReportDay) -> Bool {
    left.midnight < right.midnight
  }

  /// Days from this one to the other, both counted.
  func count(to last: ReportDay) -> Int {
    Int((last.midnight - midnight).components.seconds / 86_400) + 1
  }

  /// The first instant of the day in a zone, or of the day so many after it.
  func start(in calendar: Calendar, after days: Int = 0) -> Date {
    let parts = text.split(separator: "-").compactMap { Int($0) }
    let noon = DateComponents(year: parts[0], month: parts[1], day: parts[2] + days, hour: 12)
    return calendar.startOfDay(for: calendar.date(from: noon) ?? midnight.date)
  }
}
