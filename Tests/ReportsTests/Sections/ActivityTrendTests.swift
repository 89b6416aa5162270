import Model
import ReportsTesting
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

  private func trend(_ data: ActivityData) throws -> ActivityTrend {
    try #require(ActivityTrend(data, calendar))
  }

  @Test func `seven days are compared with the seven before them`() throws {
    let figures = try trend(data()).figures(words)
    #expect(figures.map(\.value) == [.count(50), .ratio(Ratio(350, of: 1_400))])
    #expect(figures[0].change == PeriodChange(from: 40, to: 50))
    #expect(figures[0].note == "mean of the last 7 days")
    #expect(figures[0].changeNote == "a week before")
    #expect(figures[1].note == "added up over the last 7 days: a person counts on each")
    #expect(figures[1].changeNote == "20% of 1,400 a week before")
  }

  @Test(arguments: [(13, false), (14, true)])
  func `fewer than fourteen days have no trend`(days: Int, hasTrend: Bool) {
    #expect((ActivityTrend(data(days: days), calendar) != nil) == hasTrend)
  }

  @Test(arguments: [1, 7, 8, 14], [DayFacts.Coverage.none, .partial])
  func `a day that is not known whole is left out of both figures, and of a comparison its pair`(
    ago: Int, coverage: DayFacts.Coverage
  ) throws {
    let trend = try trend(data(coverage: [ago: coverage], missing: [ago]))
    let days = ago <= 7 ? 6 : 7
    #expect([trend.daily, trend.sticky].map(\.value?.days) == [days, days])
    #expect([trend.daily, trend.sticky].map(\.sides?.now.days) == [6, 6])
    #expect([trend.daily, trend.sticky].map(\.sides?.before.days) == [6, 6])
    let figures = trend.figures(words)
    #expect(figures.map(\.value) == [.count(50), .ratio(Ratio(50 * days, of: 200 * days))])
    #expect(figures[0].change == PeriodChange(from: 40, to: 50))
    #expect(figures[0].changeNote == "a week before, of 6 days each")
    #expect(figures[0].note == "mean of \(ago <= 7 ? "6 of " : "")the last 7 days")
    let lost = calendar.day(of: start(ago)).short
    #expect(figures[1].note?.hasSuffix("; \(lost) is incomplete") == true)
  }

  @Test(arguments: [(3, true, true), (4, false, false)])
  func `four days of the newest seven suffice, and four pairs of weekdays`(
    lost: Int, hasValue: Bool, isCompared: Bool
  ) throws {
    let unknown = Dictionary(uniqueKeysWithValues: (1...lost).map { ($0, DayFacts.Coverage.none) })
    let now = try trend(data(coverage: unknown))
    #expect((now.daily.value != nil) == hasValue && (now.daily.sides != nil) == isCompared)
    #expect((now.figures(words)[0].value != .missing) == hasValue)
    let earlier = Dictionary(
      uniqueKeysWithValues: (1...lost).map { ($0 + 7, DayFacts.Coverage.partial) })
    let before = try trend(data(coverage: earlier))
    #expect(before.daily.value?.days == 7 && (before.daily.sides != nil) == isCompared)
    if !isCompared {
      #expect(before.figures(words)[0].changeNote == "no trend: too few days are known")
    }
  }

  @Test func `a pair is lost once when both of its days are`() throws {
    let trend = try trend(data(coverage: [1: .none, 8: .none, 2: .none, 9: .none]))
    #expect(trend.daily.sides?.now.days == 5)
  }

  /// The day before the newest looks back on days 1 to 28 ago, that of a week ago on 7 to 34.
  @Test(arguments: [(4, 7), (5, 0)])
  func `a share of 28 days may lack four of them`(lost: Int, days: Int) throws {
    let trend = try trend(data(missing: Array(15..<(15 + lost))))
    #expect(trend.sticky.value?.days ?? 0 == days && trend.daily.value?.days == 7)
    #expect(trend.lost.count == lost)
    let note = trend.figures(words)[1].note
    let words = "added up over the last 7 days: a person counts on each; 4 days are incomplete"
    #expect(note == (lost == 4 ? words : nil))
  }

  @Test(arguments: [(34, 1), (35, 0)])
  func `the newest seven look back on thirty-four days`(ago: Int, lost: Int) throws {
    #expect(try trend(data(missing: [ago])).lost.count == lost)
  }

  /// 24 to 27 days ago are in the 28 days of each of the newest seven.
  @Test(arguments: [(31, nil), (32, 4), (34, 6), (35, 7)])
  func `a fifth lost day leaves out the days that look back on it`(ago: Int, days: Int?) throws {
    #expect(try trend(data(missing: [24, 25, 26, 27, ago])).sticky.value?.days == days)
  }

  @Test(arguments: [14, 15])
  func `without 28 days behind a day its weekday is not compared`(ago: Int) throws {
    let trend = try trend(data(withoutFourWeeks: [ago]))
    #expect(trend.sticky.sides?.now.days == (ago == 14 ? 6 : 7))
  }
}
