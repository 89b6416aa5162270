import Model
import ReportsTesting
import Testing

@testable import Reports
@testable import Store

/// Lines that are dated later than now: docs/findings.md#clocks.
@Suite struct ClockFindingsTests {
  private static let last = JudgedApp.last
  private static let now = SampleReports.at("2026-03-02T06:30:00Z")

  private func found(
    _ people: Int, of all: Int = 100, ownFloor: Double? = nil
  ) -> [Detection] {
    ClockFindings(
      days: JudgedApp.days { $0[Self.last].activeUsers = all },
      linesAhead: LinesAhead(lines: 1_234, people: people, latest: Self.now + .seconds(62_000)),
      now: Self.now, ownFloor: ownFloor
    ).found(on: Self.last)
  }

  @Test(arguments: [
    (5, 100, nil, true), (4, 100, nil, false), (4, 20, nil, false), (5, 20, nil, true),
    (10, 200, nil, true), (9, 200, nil, false), (7, 100, 8, false), (8, 100, 8, true),
    (1, 20, 1, true), (0, 20, 1, false),
  ])
  func `five people and a twentieth of a day's have lines ahead, or as many as the owner says`(
    people: Int, all: Int, ownFloor: Double?, isFound: Bool
  ) {
    #expect(found(people, of: all, ownFloor: ownFloor).isEmpty != isFound)
  }

  @Test func `it is told with how many lines and how far ahead; without lines it is none`() throws {
    let finding = try #require(found(30).first?.finding)
    #expect(
      finding.sentence
        == "The clocks of 30 people are ahead: 1,234 lines that came are dated up to 17 hours from "
        + "now.")
    #expect(finding.level == .warn && finding.rule == .clocks && finding.since == nil)
    let none = ClockFindings(days: JudgedApp.days(), linesAhead: nil, now: Self.now)
    #expect(none.found(on: Self.last).isEmpty)
  }

  @Test func `lines of few people are a note that names their last day, those of many are none`() {
    var usage = SampleReports.usage
    func notes(_ people: Int, lines: Int) -> [String] {
      usage.linesAhead = LinesAhead(
        lines: lines, people: people, latest: SampleReports.at("2031-01-01T12:00:00Z"))
      return ClockFindings.fewAhead(usage, SampleReports.context).map(\.sentence)
    }
    #expect(
      notes(1, lines: 1) == [
        "1 line of the export is dated later than now, on 1 Jan 2031: it does not count as newest "
          + "data."
      ])
    #expect(
      notes(4, lines: 9) == [
        "9 lines of the export are dated later than now, up to 1 Jan 2031: they do not count as "
          + "newest data."
      ])
    #expect(notes(100_000, lines: 200_000).isEmpty)
    usage.linesAhead = nil
    #expect(ClockFindings.fewAhead(usage, SampleReports.context).isEmpty)
  }

  @Test(arguments: [(0, true), (1, true), (2, false)])
  func `what fell on the last two days is explained by it, no rise and nothing earlier`(
    daysAgo: Int, isExplained: Bool
  ) {
    func fell(_ direction: Detection.Direction) -> Detection {
      Detection(
        finding: Finding(.warn, "People.", report: .usage, section: "days", subject: "people"),
        rule: .day, firstDay: Self.last - daysAgo, topics: [.use], direction: direction)
    }
    let clocks = found(30)
    #expect(Causes.findings(clocks + [fell(.fell)]).count == (isExplained ? 1 : 2))
    #expect(Causes.findings(clocks + [fell(.rose)]).count == 2)
  }
}
