import Model
import ReportsTesting
import Testing

@testable import Reports
@testable import Store

@Suite struct UsersReportTests {
  private func report(_ counts: [OnlineCount]) -> Report {
    var data = SampleReports.users
    data.newestOnlineCount = counts.last
    return UsersReport.make(data, context: SampleReports.context)
  }

  private func hasShares(_ report: Report) -> Bool {
    report.shownCells.contains { cell in
      if case .ratio(let ratio) = cell { ratio.whole == SampleReports.users.total } else { false }
    }
  }

  @Test func `a sample is called so, and has no shares`() {
    let at = SampleReports.at("2026-03-01T10:00:00Z")
    let all = report([OnlineCount(at: at, online: 12)])
    #expect(hasShares(all) && all.summary.hasPrefix("4,862 users, "))
    let sample = report([OnlineCount(at: at, online: 12, isSample: true)])
    #expect(!sample.headline.contains { if case .ratio = $0.value { true } else { false } })
    #expect(sample.summary.hasPrefix("The newest 4,862 users, "))
  }

  @Test func `users online are shown as of the last load`() throws {
    let found = report(
      [("2026-02-21T08:00:00Z", 12, false), ("2026-03-01T22:59:59Z", 7, true)].map {
        OnlineCount(at: SampleReports.at($0), online: $1, isSample: $2, isMinimum: $2)
      })
    let figure = try #require(found.headline.first)
    #expect(figure.value == .count(7) && figure.note == "at least, at the last load")
  }

  /// The tile of day 1, of weeks with so many of 10 people; nil is a week that is not over.
  private func seenAgain(_ parts: [Int?]) throws -> Figure? {
    var report = report([])
    let place = try #require(report.sections.firstIndex { $0.id == "retention" })
    report.sections[place].blocks = [
      .table(
        Table(
          id: "cohorts", title: "By week", of: parts,
          columns: [
            Column("day_1", "Day 1") { $0.map { .rate(Ratio($0, of: 10)) } ?? .missing },
            Column("day_7", "Day 7") { _ in .rate(Ratio(0, of: 0)) },
          ]))
    ]
    let told = UsersRetention.toldAbove(report).sections[place].blocks
    guard case .figures(let figures)? = told.first else { return nil }
    #expect(figures.map(\.id) == ["seen-again-1"])
    return figures.first
  }

  @Test(
    arguments: [
      ([3], 3, 10, "week", nil), ([1, 3], 3, 10, "week", "1 of 10"),
      ([1, 2, 3], 3, 10, "week", "2 of 10"), ([1, nil, 3], 3, 10, "week", "1 of 10"),
      (Array(1...7), 18, 30, "3 weeks", "30%"), (Array(1...8), 26, 40, "4 weeks", "25%"),
      (Array(1...9), 30, 40, "4 weeks", "35%"),
    ] as [([Int?], Int, Int, String, String?)])
  func `who is seen again is of up to four weeks, beside as many before`(
    weeks: [Int?], part: Int, whole: Int, span: String, before: String?
  ) throws {
    let figure = try #require(try seenAgain(weeks))
    #expect(figure.value == .ratio(Ratio(part, of: whole)))
    #expect(figure.note == "new people of the newest \(span)")
    let words = try #require(figure.changeNote)
    #expect(
      before.map(words.hasPrefix) ?? (words == "no comparison: one week is known"), "\(words)")
  }

  @Test func `without a week that is over nobody is told to be seen again`() throws {
    #expect(try seenAgain([nil, nil]) == nil)
    #expect(try seenAgain([]) == nil)
  }

  @Test func `without a count the figure is missing, not 0`() {
    #expect(report([]).headline.first?.value == .missing)
  }
}
