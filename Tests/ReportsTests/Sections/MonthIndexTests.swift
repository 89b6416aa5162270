import Testing

@testable import Model
@testable import Reports
@testable import Store

/// The index of a calendar month: docs/reports/form.md#a-month.
@Suite struct MonthIndexTests {
  /// 102 days of the same use up to Monday 2 March 2026, with an outage, an empty day and a release.
  private static let usage: UsageData = {
    var usage = EmptyReports.usage
    usage.activeUsers = 300
    usage.previousActiveUsers = 200
    usage.people = PeopleData()
    usage.people?.stages.active = 250
    usage.people?.stages.blocked = 50
    usage.money = SampleReports.usageOfAll.money
    let last = SampleReports.at("2026-03-02T00:00:00Z")
    usage.history = DayHistory(
      days: (0..<102).map { number in
        let start = last - .seconds(86_400 * (101 - number))
        var day = DayFacts(
          start: start, end: start + .seconds(86_400), coverage: number == 101 ? .running : .whole)
        day.activeUsers = 100
        day.taps = 1_000
        day.exportLines = 4_000
        day.newSubscribers = start < SampleReports.at("2026-02-01T00:00:00Z") ? 2 : 1
        day.stars = [0, 0, 0, 1, 1]
        return day
      })
    usage.history.days[80].exportLines = 0
    usage.history.days[80].coverage = .none
    return usage
  }()

  private func index(_ start: String, _ end: String, scope: String? = nil) throws -> Report {
    var ratings = EmptyReports.ratings
    ratings.versionStarts = [
      .init(version: "3.9", at: SampleReports.at("2025-12-05T00:00:00Z"), ratingsBefore: 0),
      .init(version: "3.10", at: SampleReports.at("2026-02-20T00:00:00Z"), ratingsBefore: 20),
      .init(version: "3.11", at: SampleReports.at("2026-03-01T08:00:00Z"), ratingsBefore: 30),
    ]
    let context = ReportContext(
      appName: "ChatHub", now: SampleReports.at("2026-03-02T06:30:00Z"), timeZone: "UTC",
      start: SampleReports.at(start), end: SampleReports.at(end), scope: scope)
    let reports = ReportSet.make(
      context: context, usage: Self.usage, limits: EmptyReports.limits, ratings: ratings,
      users: EmptyReports.users, runs: EmptyReports.runs)
    return try #require(reports.first)
  }

  @Test func `each tile is of the month and against the month before`() throws {
    let index = try index("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z")
    #expect(index.title == "Feb 2026 against Jan 2026")
    let tiles = Dictionary(uniqueKeysWithValues: index.headline.map { ($0.id, $0) })
    #expect(tiles["active-users"]?.value == .count(300))
    #expect(tiles["active-users"]?.change == PeriodChange(from: 200, to: 300))
    #expect(tiles["limit"]?.value == .count(50) && tiles["limit"]?.share == Ratio(50, of: 250))
    #expect(tiles["new-subs"]?.value == .count(28))
    #expect(tiles["new-subs"]?.change == PeriodChange(from: 62, to: 28))
    #expect(tiles["payments"]?.value == .money(83.72, currency: "$"))
    #expect(tiles["mean-stars"]?.note?.hasSuffix("4.50 before") == true)
    #expect(tiles["new-subs"]?.trend?.count == 28)
    #expect(index.headline.allSatisfy { $0.definition != nil && $0.report != nil })
    #expect(index.summary.hasPrefix("300 people were active in Feb 2026. Against Jan 2026: "))
    #expect(index.summary.contains("new subscribers 28, −55% from 62"), "\(index.summary)")
  }

  @Test func `what happened in the month stands by day, and nothing of another month`() throws {
    let index = try index("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z")
    guard case .table(let table) = try #require(index.sections.first?.blocks.first) else {
      Issue.record("no table")
      return
    }
    let words = table.rows.map { row in
      row.cells.map { CellWords(time: TimeWords(context: index.context)).words($0) }
    }
    #expect(words.map { $0[0] } == ["Mon 9 Feb 2026", "Fri 20 Feb 2026"])
    #expect(words.first?[1].hasPrefix("No line of the export has arrived") == true, "\(words)")
    #expect(words.last?[1] == "version 3.10 first rated")
  }

  @Test(arguments: [
    ("2026-02-02T00:00:00Z", "2026-03-01T00:00:00Z", nil),
    ("2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z", "ann"),
  ])
  func `another period, and one profile, have the index of the newest day`(
    start: String, end: String, scope: String?
  ) throws {
    let index = try index(start, end, scope: scope)
    #expect(index.sections.first?.id == IndexAttention.id)
    #expect(!index.title.hasPrefix("Feb"))
  }
}
