import Model
import Testing

@testable import Reports

@Suite struct RatingsReportTests {
  private func tally(_ ratings: [RatingsFacts.Rating]) -> RatingsTally {
    var facts = EmptyFacts.ratings
    facts.ratings = ratings
    return RatingsTally(
      facts, frame: SampleFacts.frame, calendar: ReportCalendar(timeZone: "Europe/Berlin"))
  }

  @Test("ratings of the period and of the one before it are counted apart")
  func bounds() {
    let frame = SampleFacts.frame
    let instants = [
      frame.previousStart - .microseconds(1), frame.previousStart, frame.start - .microseconds(1),
      frame.start, frame.end - .microseconds(1), frame.end,
    ]
    let tally = tally(
      instants.map {
        RatingsFacts.Rating(at: $0, stars: 4, userId: "u", country: nil, appVersion: nil)
      })
    #expect(tally.current.count == 2)
    #expect(tally.previous.count == 2)
  }

  @Test("three stars are low, four are high; what is no rating is not counted")
  func lowAndHigh() {
    let tally = tally(
      [0, 1, 2, 3, 4, 5, 6].map { SampleFacts.rating("2026-02-20T12:00:00Z", $0, nil, nil) })
    #expect(tally.current.counts == [1, 1, 1, 1, 1])
    #expect(tally.current.low == 3 && tally.current.high == 2)
    #expect(tally.current.mean.value == 3)
  }

  @Test("weeks are those of both periods, each Monday once, the empty ones too")
  func weeks() {
    let tally = tally(SampleFacts.ratings.ratings)
    #expect(
      tally.weeks.map(\.iso8601) == ["2026-02-02", "2026-02-09", "2026-02-16", "2026-02-23"])
    #expect(tally.byWeek[tally.weeks[1]] == nil)
    #expect(tally.byWeek[tally.weeks[3]]?.count == 3)
  }

  @Test("rejected items are an error, waiting ones a note, delivered ones nothing")
  func outbox() {
    var facts = EmptyFacts.ratings
    func levels() -> [Level] {
      RatingsReport.make(facts, frame: SampleFacts.frame).findings.map(\.level)
    }
    #expect(levels().isEmpty)
    facts.outbox = [.delivered: 4, .parked: 1]
    #expect(levels().isEmpty)
    facts.outbox = [.rejected: 1, .sending: 1]
    #expect(levels() == [.error, .notice])
  }
}

@Suite struct AgeBandTests {
  @Test(
    "bands at their borders",
    arguments: [
      (17, AgeBand.under18), (18, .to24), (24, .to24), (25, .to34), (34, .to34), (35, .to44),
      (64, .to64), (65, .over64), (130, .over64), (-1, .under18),
    ])
  func bands(years: Int, expected: AgeBand) {
    #expect(AgeBand(years: years) == expected)
  }
}
