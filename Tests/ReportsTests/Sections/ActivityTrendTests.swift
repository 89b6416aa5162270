import Model
import Testing

@testable import Reports
@testable import Store

@Suite("The trend of people a day and of stickiness")
struct ActivityTrendTests {
  private let calendar = ReportCalendar(timeZone: "Europe/Berlin")
  private let words = CellWords(time: TimeWords(context: SampleReports.context))
  /// Midnight in Berlin; no clock changes before 29 March.
  private let end = SampleReports.at("2026-03-01T23:00:00Z")

  private func start(_ daysAgo: Int) -> Instant { end - .seconds(86_400 * daysAgo) }

  /// 40 people a day in the older days, 50 in the last seven; `coverage` by days ago.
  private func data(
    days: Int = 28, coverage: [Int: DayFacts.Coverage] = [:], missing: [Int] = [],
    withoutFourWeeks: Set<Int> = []
  ) -> ActivityData {
    ActivityData(
      days: (1...days).reversed().map { ago in
        ActivityData.Day(
          start: start(ago), coverage: coverage[ago] ?? .whole, daily: ago <= 7 ? 50 : 40,
          fourWeekly: withoutFourWeeks.contains(ago) ? nil : 200)
      }, missingDays: missing.map(start))
  }

  @Test func `seven days are compared with the seven before them`() throws {
    let figures = ActivityTrend(data(), calendar).figures(words)
    #expect(figures.map(\.value) == [.count(50), .ratio(Ratio(350, of: 1_400))])
    #expect(figures[0].change == PeriodChange(from: 40, to: 50))
    #expect(figures[0].changeNote == "a week before")
    #expect(figures[1].changeNote == "20% of 1,400 a week before")
  }

  @Test(arguments: [(13, false), (14, true)])
  func `fewer than fourteen days have no trend`(days: Int, hasTrend: Bool) {
    #expect((ActivityTrend(data(days: days), calendar).sides != nil) == hasTrend)
    #expect(ActivityTrend(data(days: days), calendar).figures(words).isEmpty != hasTrend)
  }

  @Test(arguments: [1, 7, 8, 14, 15], [DayFacts.Coverage.none, .partial])
  func `a day of either side that is not known whole leaves no trend, and is named`(
    ago: Int, coverage: DayFacts.Coverage
  ) {
    let trend = ActivityTrend(data(coverage: [ago: coverage], missing: [ago]), calendar)
    let name = "\(calendar.day(of: start(ago)).short) is incomplete"
    #expect(trend.dailyObstacle == (ago <= 14 ? name : nil))
    #expect(trend.stickyObstacle == name)
    let figures = trend.figures(words)
    #expect((figures[0].value == .missing) == (ago <= 7) && figures[1].value == .missing)
    #expect((figures[0].change == nil) == (ago <= 14))
    #expect(figures[1].changeNote == "no trend: \(name)")
  }

  @Test(arguments: [(34, true, false), (35, true, true), (41, true, true), (42, false, true)])
  func `stickiness looks back on 28 days from each day of both sides`(
    ago: Int, isObstacle: Bool, isKnown: Bool
  ) {
    let trend = ActivityTrend(data(missing: [ago]), calendar)
    #expect(trend.dailyObstacle == nil && (trend.stickyObstacle != nil) == isObstacle)
    #expect((trend.figures(words)[1].value != .missing) == isKnown)
  }

  @Test(arguments: [14, 15])
  func `without 28 days behind each day there is no stickiness`(ago: Int) {
    let trend = ActivityTrend(data(withoutFourWeeks: [ago]), calendar)
    #expect((trend.stickyObstacle != nil) == (ago == 14))
  }
}
