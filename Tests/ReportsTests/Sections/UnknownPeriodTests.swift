import Model
import ReportsTesting
import Testing

@testable import Reports
@testable import Store

/// A period of which the ledger knows no day has no counts, and says so:
/// docs/reports/days.md#coverage.
@Suite struct UnknownPeriodTests {
  private static let words = "The ledger has no data for this period."

  /// The sample's period, whose days are 0 to 13, with unknown days.
  private func context(unknown days: Range<Int>) -> ReportContext {
    var context = SampleReports.context
    context.unknownDays = days.map { day in
      LocalDay(of: context.start + .seconds(86_400 * day + 43_200), in: context.timeZone).start
    }
    return context
  }

  private func value(_ id: String, _ report: Report) throws -> Cell {
    try #require(report.headline.first { $0.id == id }).value
  }

  @Test(arguments: [(0, false), (13, false), (14, true)])
  func `counts of events are missing when all days are unknown`(
    unknown: Int, isMissing: Bool
  ) throws {
    let context = context(unknown: 0..<unknown)
    #expect(context.knowsNothing == isMissing)
    let ratings = RatingsReport.make(EmptyReports.ratings, context: context)
    #expect(try value("ratings", ratings) == (isMissing ? .missing : .count(0)))
    for id in ["mean-stars", "high-share"] {
      #expect(try (value(id, ratings) == .missing) == isMissing, "\(id)")
    }
    #expect((ratings.summary == Self.words) == isMissing)
    let usage = UsageReport.make(EmptyReports.usage, context: context)
    for id in ["active-users", "taps"] {
      #expect(try value(id, usage) == (isMissing ? .missing : .count(0)), "\(id)")
    }
    #expect((usage.summary == Self.words) == isMissing)
    let users = UsersReport.make(EmptyReports.users, context: context)
    let demand = try #require(users.sections.first { $0.id == "demand" })
    #expect((demand.lead == Self.words) == isMissing)
  }

  @Test(arguments: [(-14..<13, false), (-14..<0, false), (1..<14, false), (-14..<14, true)])
  func `days before the period say nothing of it`(days: Range<Int>, isUnknown: Bool) {
    #expect(context(unknown: days).knowsNothing == isUnknown)
  }

  @Test func `a period without a day is not unknown`() {
    var context = context(unknown: 0..<14)
    context.end = context.start
    #expect(!context.knowsNothing)
  }

  @Test func `a rating of an unknown period counts`() throws {
    var data = EmptyReports.ratings
    data.ratings = [SampleReports.rating("2026-02-20T12:00:00Z", 4)]
    let report = RatingsReport.make(data, context: context(unknown: 0..<14))
    #expect(try value("ratings", report) == .count(1))
    #expect(report.summary.hasPrefix("1 rating with a mean of 4.00 stars"))
  }

  @Test func `tables without rows do not say that nothing happened`() throws {
    for (count, isUnknown) in [(13, false), (14, true)] {
      let context = context(unknown: 0..<count)
      let reports = ReportSet.make(
        context: context, usage: EmptyReports.usage, limits: EmptyReports.limits,
        ratings: EmptyReports.ratings, users: EmptyReports.users, runs: EmptyReports.runs,
        queries: SampleResults.empty(context))
      let found = reports.flatMap(\.sections).flatMap(\.blocks).flatMap { block in
        switch block {
        case .table(let table): [table]
        case .chart(let chart): [chart.table]
        default: [] as [Table]
        }
      }
      let texts = Dictionary(
        found.filter(\.rows.isEmpty).map { ($0.id, $0.emptyText) }, uniquingKeysWith: { $1 })
      for id in [
        "stars", "ratings-by-week", "ratings-by-version", "completion", "rating-funnel",
        "rating-funnel-weeks", "usage-by-day", "usage-by-feature", "heaviest-users", "funnel",
      ] {
        let text = try #require(texts[id], "\(id)")
        #expect((text == Self.words) == isUnknown, "\(id): \(text)")
      }
      let ratings = try #require(reports.first { $0.name == .ratings })
      for id in ["prompts-shown", "prompts-rated"] {
        #expect(try (value(id, ratings) == .missing) == isUnknown, "\(id)")
      }
    }
  }
}
