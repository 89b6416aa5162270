import Foundation
package import Model
package import Reports
package import Workspace

/// What the reports find, without writing one: docs/findings.md#list.
///
/// Time zone, period and platform are those of the report job; everybody's events count.
package struct FindingsReading {
  private let context: JobContext
  private let day: CivilDay?
  private var options: ReportOptions

  /// Of now, or of a day.
  ///
  /// `day` is a past day, as on whose next morning the context has its clock; nil judges now. A
  /// platform wins over that of the job.
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

  /// Makes no request and stores nothing.
  package func list() throws -> FindingList {
    let reports = try ReportBuilder(options, context, isPast: day != nil)
      .reports(earlier: nil, choice: .findings)
    return FindingList(of: reports[0], on: day?.iso8601)
  }

  /// The day of an instant in the time zone of the reports, as `2026-11-30`.
  package static func day(of instant: Instant, _ jobs: [Job], _ config: WorkspaceConfig) -> String {
    LocalDay(of: instant, in: timeZone(jobs, config)).text
  }

  /// When a day begins where the report's days do.
  package static func start(
    of day: CivilDay, _ jobs: [Job], _ config: WorkspaceConfig
  ) -> Instant {
    Instant(day.start(in: Calendar(in: TimeZone(checked: timeZone(jobs, config)))))
  }

  /// When the report job is due on the day after another; at 6:35 where it has no schedule.
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

  /// Bytes of a `findings.json` that is read.
  fileprivate static let largestFile = 10_000_000

  private static let usualTime = Duration.seconds(6 * 3_600 + 35 * 60)

  private static func timeZone(_ jobs: [Job], _ config: WorkspaceConfig) -> String {
    ReportOptions.last(in: jobs).timeZone ?? config.timeZone
  }
}

extension Workspace {
  /// The ids in the `findings.json` of the last report; none without one.
  ///
  /// - Throws: `JobsError.file`; `DecodingError` for another file of that name.
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
