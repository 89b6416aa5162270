import Foundation
package import Model
package import ReportWriters
package import Reports
package import Workspace

/// Reads the findings of the reports without writing a report: docs/findings.md#list.
///
/// Time zone, period and platform come from the report job; the events of all people count.
package struct FindingsReading {
  private let context: JobContext
  private let day: CivilDay?
  private var options: ReportOptions

  /// Creates a reading of the current findings or of a past day's.
  ///
  /// For a past `day`, the context's clock must be on its next morning; nil judges now. `platform`
  /// overrides the job's platform.
  package init(
    _ context: JobContext, on day: CivilDay? = nil, platform: AppConfig.PlatformChoice? = nil
  ) {
    self.context = context
    self.day = day
    options = .last(in: context.catalog.jobs, counting: platform)
    options.scope = .all
    options.isAnonymous = false
    if day != nil { options.period = .byDefault }
  }

  /// Returns the findings; makes no request and stores nothing.
  package func list() throws -> FindingList {
    let reports = try ReportBuilder(options, context, isPast: day != nil)
      .reports(earlier: nil, choice: .findings)
    return FindingList(of: reports[0], on: day?.iso8601)
  }

  /// The day of an instant in the time zone of the reports, as `2026-11-30`.
  package static func day(of instant: Instant, _ jobs: [Job], _ config: WorkspaceConfig) -> String {
    LocalDay(of: instant, in: timeZone(jobs, config)).text
  }

  /// Returns when a day begins in the time zone of the reports.
  package static func start(
    of day: CivilDay, _ jobs: [Job], _ config: WorkspaceConfig
  ) -> Instant {
    Instant(day.start(in: Calendar(in: TimeZone(checked: timeZone(jobs, config)))))
  }

  /// Returns when the report job is due on the day after `day`; 6:35 without a schedule.
  package static func morning(
    after day: CivilDay, _ jobs: [Job], _ config: WorkspaceConfig
  ) -> Instant {
    let calendar = Calendar(in: TimeZone(checked: timeZone(jobs, config)))
    let start = Instant(day.start(in: calendar, after: 1))
    let end = Instant(day.start(in: calendar, after: 2))
    let job = jobs.last { $0.definition is ReportOptions }
    let dues = job?.schedule?.dues(
      after: start - .microseconds(1), through: end - .microseconds(1),
      timeZone: TimeZone(checked: config.timeZone))
    return dues?.first ?? start + usualTime
  }

  /// The largest `findings.json` that is read, in bytes.
  fileprivate static let largestFile = 10_000_000

  private static let usualTime = Duration.seconds(6 * 3_600 + 35 * 60)

  private static func timeZone(_ jobs: [Job], _ config: WorkspaceConfig) -> String {
    ReportOptions.last(in: jobs).timeZone ?? config.timeZone
  }
}

extension Workspace {
  /// Returns the ids in the `findings.json` of the last report; none without one.
  ///
  /// - Throws: `WorkspaceError.file`; `DecodingError` for an unrelated file of that name.
  package func reportedFindings() throws -> [String] {
    struct Finding: Decodable {
      var id: String
    }
    struct File: Decodable {
      var findings: [Finding]
    }
    let folder = path(ReportOptions.last(in: try jobs().jobs).output)
    let file = try FileContents.decoded(
      File.self, from: "\(folder)/\(FindingsFile.name)", limit: FindingsReading.largestFile)
    return file?.findings.map(\.id) ?? []
  }
}
