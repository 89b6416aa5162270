import Foundation
import Model
import ReportsTesting
import Testing

@testable import Reports

/// Weeks against the four before, and slow falls: docs/findings.md#weeks, docs/findings.md#drift.
@Suite struct TrendRulesTests {
  private let week = WeekRule(days: JudgedApp.days())
  private let drift = DriftRule(days: JudgedApp.days())

  private func change(_ usual: Int, _ now: Int, days: Int = 7) -> WeekRule.Change? {
    week.change(
      of: JudgedApp.series(usual, then: Array(repeating: now, count: days)), on: JudgedApp.last)
  }

  @Test func `a week that falls by a fifth and by 2.9 deviations is told, one more is not`() {
    // Roots of 350 and 1,400: 2.9 deviations end between 38 and 39 a day; the fifth would be 40.
    for (now, isFall) in [(37, true), (38, true), (39, false), (50, false)] {
      #expect((change(50, now)?.direction == .fell) == isFall, "\(now)")
    }
    // Of 7,000 the deviations end above 800 a day, which is the fifth.
    for (now, isFall) in [(799, true), (800, true), (801, false)] {
      #expect((change(1_000, now) != nil) == isFall, "\(now)")
    }
  }

  @Test(arguments: [(37, true), (38, false)])
  func `what varies more by weeks must fall further`(now: Int, isFall: Bool) {
    var series = JudgedApp.series(50, then: Array(repeating: now, count: 7))
    series.weekFactor = 1.5
    #expect((week.change(of: series, on: JudgedApp.last) != nil) == isFall)
  }

  @Test(arguments: [(6, 48), (5, 55)])
  func `days between that do not tell of a matter are passed over, up to a gap`(
    gap: Int, first: Int
  ) {
    let days = JudgedApp.days()
    #expect(days.firstDay(until: 55, across: gap) { [48, 55].contains($0) } == first)
    #expect(days.firstDay(until: 55) { $0 != 51 } == 52)
  }

  @Test func `growth keeps its id for months, whichever count leads`() {
    let length = 2 * (JudgedApp.last + 1)
    let start = SampleReports.at("2026-01-05T00:00:00Z")
    let facts = (0..<length).map { day -> DayFacts in
      var facts = JudgedApp.facts()[0]
      facts.start = start + .seconds(86_400 * day)
      facts.end = facts.start + .seconds(86_400)
      return facts
    }
    let days = JudgedDays(facts, calendar: ReportCalendar(timeZone: "UTC"))
    func series(_ name: String, _ first: Double) -> CountSeries {
      let counts = (0..<length).map { Int(first * pow(1.2, Double($0) / 7)) }
      return CountSeries(
        name: name, title: name, unit: .count, place: (.usage, "days"), topic: .use, counts: counts)
    }
    let weeks = WeekRule(days: days)
    func ids(_ series: [CountSeries]) -> Set<String> {
      let trends = TrendFindings(weeks: weeks, drifts: DriftRule(days: days), series: series)
      return Set((70..<length).flatMap { trends.found(on: $0) }.map(\.finding.id))
    }
    let found = ids([series("people", 40), series("taps", 400)])
    #expect(found.count == 1)
    #expect(found.allSatisfy { $0.hasPrefix("usage-week-people-rose-") })
  }

  @Test func `a rise needs four deviations`() {
    for (now, isRise) in [(1_260, false), (1_261, true)] {
      #expect((change(1_000, now)?.direction == .rose) == isRise, "\(now)")
    }
  }

  @Test(arguments: [(50, 38), (1_000, 800)])
  func `what falls lies below what was expected, and one more does not`(usual: Int, now: Int) throws
  {
    let expected = try #require(change(usual, now)?.expected)
    #expect(Double(now) <= expected.lowerBound)
    #expect(expected.contains(Double(usual)))
  }

  @Test(arguments: [(125, 48, 49), (100, 38, 39), (80, 30, 31)])
  func `what people do is compared by person`(people: Int, fallen: Int, other: Int) throws {
    let rule = WeekRule(
      days: JudgedApp.days { days in
        for day in JudgedApp.last - 6...JudgedApp.last { days[day].activeUsers = people }
      })
    func change(_ now: Int, isByPerson: Bool = true) -> WeekRule.Change? {
      var series = JudgedApp.series(50, then: Array(repeating: now, count: 7))
      series.isByPerson = isByPerson
      return rule.change(of: series, on: JudgedApp.last)
    }
    let found = try #require(change(fallen))
    #expect(found.direction == .fell && abs(found.usual - Double(people) / 2) < 1e-9)
    #expect(change(other) == nil)
    #expect(change(38, isByPerson: false) != nil && change(39, isByPerson: false) == nil)
  }

  @Test func `as much as ever is no fall, however many people came`() {
    let rule = WeekRule(
      days: JudgedApp.days { days in
        for day in JudgedApp.last - 6...JudgedApp.last { days[day].activeUsers = 300 }
      })
    var series = JudgedApp.series(50, then: Array(repeating: 50, count: 7))
    series.isByPerson = true
    #expect(rule.change(of: series, on: JudgedApp.last) == nil)
  }

  @Test func `two weeks find what one cannot, and a small count needs a difference of 7`() {
    #expect(change(16, 11) == nil)
    #expect(change(16, 11, days: 14)?.dayCount == 14)
    // Of 7 in a week none, and one.
    #expect(change(1, 0)?.direction == .fell)
    let one = JudgedApp.series(1, then: [0, 0, 0, 0, 0, 0, 1])
    #expect(week.change(of: one, on: JudgedApp.last) == nil)
  }

  @Test func `four weeks that fall by themselves explain a lower one`() {
    var series = JudgedApp.series(0)
    series.counts = (0...JudgedApp.last).map { 1_000 - 12 * $0 }
    #expect(week.change(of: series, on: JudgedApp.last)?.direction == .fell)
    series.counts = (0...JudgedApp.last).map { $0 < 35 ? 1_000 : $0 < 42 ? 600 : 700 }
    #expect(week.change(of: series, on: JudgedApp.last) == nil)
  }

  @Test func `days that are not known are left out, and too few are no week`() {
    let series = JudgedApp.series(100, then: Array(repeating: 50, count: 7))
    for (unknown, isTold) in [(2, true), (3, false)] {
      var days = JudgedApp.days()
      days.exclude(JudgedApp.last - unknown + 1...JudgedApp.last)
      #expect((WeekRule(days: days).change(of: series, on: JudgedApp.last) != nil) == isTold)
    }
  }

  private func falling(_ slope: Double, from day: Int, of usual: Double = 1_000) -> CountSeries {
    var series = JudgedApp.series(0)
    series.counts = (0...JudgedApp.last).map {
      Int((usual * exp(-slope * Double(max(0, $0 - day)))).rounded())
    }
    return series
  }

  private func found(_ slope: Double, from day: Int, of usual: Double = 1_000) -> DriftRule.Drift? {
    drift.drift(of: falling(slope, from: day, of: usual), on: JudgedApp.last)
  }

  @Test func `two percent a day are found within fourteen days`() throws {
    let drift = try #require(found(0.02, from: 41))
    #expect(abs(drift.slope - 0.02) < 0.0005 && drift.dayCount == 14)
    #expect(abs(drift.first - 1_000) < 2 && abs(drift.last - 756) < 2)
  }

  @Test func `a drift is told by its rounded fall of a day, from its beginning to now`() {
    let findings = TrendFindings(weeks: week, drifts: drift, series: [falling(0.02, from: 41)])
    #expect(
      findings.found(on: JudgedApp.last).map(\.finding).filter { $0.rule == .drift }.map(\.sentence)
        == ["Things fall by 2% a day: from about 1,000 a day 14 days ago to about 756 now."])
  }

  @Test func `a fall by less than 0.8 percent a day is no drift, nor is the end of a rise`() {
    #expect(found(0.0079, from: 41) == nil)
    #expect(found(0.0085, from: 41) != nil)
    #expect(found(-0.02, from: 30) == nil)
    var series = JudgedApp.series(0)
    series.counts = (0...JudgedApp.last).map {
      Int((1_000 * exp(0.01 * Double(min($0, 41)))).rounded())
    }
    #expect(drift.drift(of: series, on: JudgedApp.last) == nil)
  }

  @Test func `the bend needs three deviations`() {
    #expect(found(0.0085, from: 41, of: 335) == nil)
    #expect(found(0.0085, from: 41, of: 345) != nil)
  }

  @Test func `a single step is no drift`() {
    for step in 1...13 {
      let ends = (0..<14).map { $0 < step ? 1_000 : 600 }
      #expect(drift.drift(of: JudgedApp.series(1_000, then: ends), on: JudgedApp.last) == nil)
    }
  }

  @Test func `a day must have eight on the mean, or what the owner says`() {
    #expect(found(0.08, from: 41, of: 11) == nil)
    #expect(found(0.08, from: 41, of: 12) != nil)
    // 180 in 21 days.
    for (floor, isFound) in [(8.57, true), (8.58, false)] {
      var own = drift
      own.ownFloor = floor
      let found = own.drift(of: falling(0.08, from: 41, of: 12), on: JudgedApp.last)
      #expect((found != nil) == isFound)
    }
  }

  @Test(arguments: [(28, false), (27, true)])
  func `fourteen days before the fall must be known`(firstDay: Int, isFound: Bool) {
    var series = falling(0.02, from: 39)
    series.firstDay = firstDay
    #expect((drift.drift(of: series, on: JudgedApp.last - 1) != nil) == isFound)
  }

  @Test func `the line of exact counts has their slope and no deviation beyond chance`() {
    let line = BentLine((-14..<14).map { (Double($0), 500 * exp(-0.03 * Double(max(0, $0 + 1)))) })
    #expect(abs(line.slope + 0.03) < 1e-9 && abs(line.start - log(500)) < 1e-9)
    #expect(abs(line.bend + 0.03) < 1e-9)
    #expect(line.deviation > 0.003_18 && line.deviation < 0.003_19)
  }
}
