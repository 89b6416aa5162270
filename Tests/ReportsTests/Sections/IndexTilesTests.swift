import Model
import ReportsTesting
import Testing

@testable import Reports
@testable import Store

/// The numbers of the tiles on the pages that they lead to.
@Suite struct IndexTilesTests {
  /// The numbers of a section's tables and figures.
  private func cells(of section: Section) -> [Cell] {
    section.blocks.flatMap { block -> [Cell] in
      switch block {
      case .table(let table): table.rows.flatMap(\.cells)
      case .chart(let chart): chart.table.rows.flatMap(\.cells)
      case .figures(let figures): figures.map(\.value)
      default: []
      }
    }
  }

  @Test(arguments: [0, 14, 60])
  func `each tile leads to a section that has its number, whatever the period`(
    daysBefore: Int
  ) throws {
    // Numbers that stand nowhere else.
    var usage = SampleReports.usageOfAll
    let yesterday = usage.history.days.count - 2
    usage.history.days[yesterday].activeUsers = 9_871
    usage.history.days[yesterday].blockedUsers = 9_872
    usage.history.days[yesterday].subscriptionTaps = 9_873
    usage.history.days[yesterday].newSubscribers = 9_874
    usage.history.days[yesterday].stars = [9, 0, 8, 0, 71]
    var context = SampleReports.context
    if daysBefore > 0 {
      usage.history.days[yesterday].reads = 9_875
      usage.history.days[yesterday + 1].onlineNow = 9_876
      context.start = context.start - .seconds(86_400 * daysBefore)
      context.end = context.end - .seconds(86_400 * daysBefore)
    }
    let reports = SampleReports.reports(
      context: context, usage: usage,
      queries: SampleResults.sections(context, with: Self.newestDays(usage.history)))
    for figure in reports[0].headline
    where daysBefore > 0 || figure.report != .runs && figure.report != .users {
      let target = reports.first { $0.name == figure.report }
      let section = try #require(target?.sections.first { $0.id == figure.section }, "\(figure.id)")
      #expect(cells(of: section).contains(figure.value), "\(figure.id): \(figure.value)")
    }
  }

  /// What the queries of the newest days give of a history.
  private static func newestDays(_ history: DayHistory) -> SampleResults.Rows {
    let calendar = ReportCalendar(timeZone: SampleReports.context.timeZone)
    func rows(_ counts: (DayFacts) -> [Int]) -> [[SQLValue]] {
      history.newest.map { day in
        [.text(calendar.day(of: day.start).iso8601)] + counts(day).map { .integer(Int64($0)) }
      }
    }
    return [
      "usage/people-by-day": rows {
        [$0.activeUsers, $0.blockedUsers, $0.subscriptionTaps, $0.newSubscribers]
      },
      "ratings/by-day": rows { day in
        let mean = StarCounts(day.stars).mean
        return [mean.count, mean.total, mean.count] + day.stars.reversed()
      },
      "runs/newest-reads": rows { [$0.reads] },
      "users/newest-online": history.days.suffix(1).map { day in
        [.text(calendar.day(of: day.start).iso8601), .integer(Int64(day.onlineNow ?? 0))]
      },
    ]
  }
}
