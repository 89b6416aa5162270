import Model
import ReportsTesting
import Store
import Testing

@testable import Reports

/// What the owner of the app decides about findings: docs/findings.md#settings.
@Suite struct QuietDaysTests {
  private static let last = 55

  /// 2 March 2026 is the Monday after the last of eight weeks in which every day is the same.
  private func found(
    _ settings: FindingSettings, _ change: (inout [DayFacts]) -> Void
  ) -> [Finding] {
    let start = SampleReports.at("2026-01-05T00:00:00Z")
    var days = (0...Self.last).map { day -> DayFacts in
      let begin = start + .seconds(86_400 * day)
      var facts = DayFacts(start: begin, end: begin + .seconds(86_400))
      facts.activeUsers = 1_000
      facts.taps = 10_000
      facts.exportLines = 40_000
      return facts
    }
    change(&days)
    var usage = EmptyReports.usage
    usage.history = DayHistory(days: days)
    var context = SampleReports.context
    context.timeZone = "UTC"
    context.findingSettings = settings
    return ReportFindings(
      context: context, usage: usage, limits: EmptyReports.limits, ratings: EmptyReports.ratings,
      runs: EmptyReports.runs
    ).found()
  }

  private func quiet(_ days: String...) -> FindingSettings {
    var settings = FindingSettings()
    settings.quiet = days.compactMap { QuietDays(from: $0, to: $0) }
    return settings
  }

  private func set(_ days: [Int], people: Int) -> (inout [DayFacts]) -> Void {
    { all in for day in days { all[day].activeUsers = people } }
  }

  @Test(arguments: [
    ("2026-02-28", ["usage-usage-fell-2026-03-01"]), ("2026-03-01", []),
    ("2026-03-02", ["usage-usage-fell-2026-03-01"]),
  ])
  func `a quiet day has no finding, the day beside it has`(day: String, ids: [String]) {
    #expect(found(quiet(day), set([Self.last], people: 600)).map(\.id) == ids)
  }

  @Test(arguments: [("2026-02-28", 1), ("2026-03-01", 0)])
  func `a quiet day is in no outage`(day: String, count: Int) {
    let outage = found(quiet(day)) { days in
      days[Self.last].activeUsers = 100
      days[Self.last].taps = 1_000
    }
    #expect(outage.count == count)
    #expect(outage.allSatisfy { $0.rule == .outage && $0.since == "2026-03-01" })
  }

  @Test func `a quiet day is not compared with`() {
    // Three of the six Sundays before are holidays on which hardly anybody came.
    let holidays = [Self.last - 7, Self.last - 14, Self.last - 21]
    func some(_ days: inout [DayFacts]) {
      set(holidays, people: 100)(&days)
      set([Self.last], people: 600)(&days)
    }
    #expect(found(FindingSettings(), some).map(\.rule) == [])
    // Four same weekdays suffice, three do not.
    #expect(found(quiet("2026-02-22", "2026-02-15"), some).map(\.rule) == [.day])
    #expect(found(quiet("2026-02-22", "2026-02-15", "2026-02-08"), some).map(\.rule) == [])
  }

  @Test func `what lasts has the day it began, over quiet days`() throws {
    let days = [Self.last - 2, Self.last]
    func all(_ facts: inout [DayFacts]) { set(days, people: 600)(&facts) }
    #expect(found(FindingSettings(), all).map(\.since) == ["2026-03-01"])
    #expect(found(quiet("2026-02-28"), all).map(\.since) == ["2026-02-27"])
    #expect(found(quiet("2026-02-28"), all).map(\.id) == ["usage-usage-fell-2026-02-27"])
  }

  @Test(arguments: [(nil, 1), (400.0, 1), (401, 0)] as [(Double?, Int)])
  func `the floor of days is the least difference of a count`(floor: Double?, count: Int) {
    var settings = FindingSettings()
    settings.floors[.day] = floor
    #expect(found(settings, set([Self.last], people: 599)).count == count)
  }

  @Test(arguments: [(nil, 1), (40_000.0, 1), (40_001, 0)] as [(Double?, Int)])
  func `the floor of outages is the lines of a usual day, and what is below is no fall either`(
    floor: Double?, count: Int
  ) {
    var settings = FindingSettings()
    settings.floors[.outage] = floor
    let outage = found(settings) { days in
      days[Self.last].activeUsers = 100
      days[Self.last].taps = 1_000
    }
    #expect(outage.map(\.rule) == Array(repeating: .outage, count: count))
  }

  @Test func `a rule that is off finds nothing; an outage explains its day all the same`() {
    for rule in FindingRule.allCases {
      var settings = FindingSettings()
      settings.off = [rule]
      let fell = found(settings, set([Self.last], people: 600))
      #expect(fell.map(\.rule) == (rule == .day ? [] : [.day]), "\(rule)")
      let outage = found(settings) { days in
        days[Self.last].activeUsers = 100
        days[Self.last].taps = 1_000
      }
      #expect(outage.map(\.rule) == (rule == .outage ? [] : [.outage]), "\(rule)")
    }
  }

  @Test func `reads are not forecast from quiet days`() throws {
    let calendar = ReportCalendar(timeZone: "UTC")
    let now = SampleReports.at("2026-04-15T00:00:00Z")
    let days = (-28...0).map { day -> DayFacts in
      let begin = now + .seconds(86_400 * day)
      var facts = DayFacts(
        start: begin, end: begin + .seconds(86_400), coverage: day == 0 ? .running : .whole)
      facts.reads = day == 0 ? 0 : day < -7 ? 1_000 : 3_000
      return facts
    }
    var settings = FindingSettings()
    settings.quiet = [QuietDays(from: "2026-04-08", to: "2026-04-14")].compactMap(\.self)
    let forecast = try #require(
      ReadForecast(DayHistory(days: days), settings: settings, calendar: calendar))
    // 14 days so far, half of them with 3,000 reads, and 16 to come.
    #expect(forecast.middle == 7_000 + 21_000 + 16_000 && forecast.total == 44_000...44_000)
  }
}
