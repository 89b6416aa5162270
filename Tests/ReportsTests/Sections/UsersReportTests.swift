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

  @Test func `without a count the figure is missing, not 0`() {
    #expect(report([]).headline.first?.value == .missing)
  }
}
