import Testing

@testable import Model

@Suite struct ExportArrivalRuleTests {
  /// Day 20 begins; the lines of day 19 are asked for.
  private static let midnight = Instant(unixSeconds: 1_767_571_200 + 20 * 86_400)

  private static func at(_ day: Int, _ hour: Double) -> Instant {
    midnight + .seconds(86_400 * day) + .seconds(Int(hour * 3_600))
  }

  private static let second = 1.0 / 3_600

  /// Imports at `hour` of each of so many days, the last one a day ago or today, each up to
  /// midnight.
  private func learned(
    _ hours: [Double], now: Double, newest: Instant = at(-1, -second), today: Bool = false
  ) -> ExportArrivalRule? {
    let imports = hours.enumerated().map {
      Self.at($0.offset - hours.count + (today ? 1 : 0), $0.element)
    }
    return ExportArrivalRule(
      imports: imports, newestLine: newest, at: Self.at(0, now), timeZone: "UTC")
  }

  private func yesterday(lines: Int = 0) -> DayFacts {
    var day = DayFacts(start: Self.at(-1, 0), end: Self.at(0, 0))
    day.exportLines = lines
    return day
  }

  @Test(arguments: [(6.4, true), (6.5, false), (6.6, false)])
  func `a day is awaited until the export usually comes`(now: Double, isAwaited: Bool) throws {
    let rule = try #require(learned(Array(repeating: 6.5, count: 10), now: now))
    #expect(rule.isAwaited(yesterday(), gaps: []) == isAwaited)
  }

  @Test(arguments: [(3, false), (4, true)])
  func `four days of imports are enough to know the time`(days: Int, isKnown: Bool) {
    #expect((learned(Array(repeating: 12, count: days), now: 7) != nil) == isKnown)
    #expect(
      ExportArrivalRule(
        imports: [Self.at(-1, 5)], newestLine: nil, at: Self.midnight, timeZone: "UTC") == nil)
  }

  @Test(arguments: [(6, true), (7, false)])
  func `with seven days one late import is no new time`(days: Int, isAwaited: Bool) throws {
    let hours = [15] + Array(repeating: 6.0, count: days - 1)
    let rule = try #require(learned(hours, now: 7))
    #expect(rule.isAwaited(yesterday(), gaps: []) == isAwaited)
  }

  @Test func `fourteen days count, and of a day the first import`() throws {
    let hours = [23, 23] + Array(repeating: 6.0, count: 14)
    #expect(try #require(learned(hours, now: 7)).isAwaited(yesterday(), gaps: []) == false)
    let twice = (-9...(-1)).flatMap { [Self.at($0, 6), Self.at($0, 20)] }
    let rule = try #require(
      ExportArrivalRule(
        imports: twice, newestLine: Self.at(-1, -Self.second), at: Self.at(0, 7), timeZone: "UTC"))
    #expect(!rule.isAwaited(yesterday(), gaps: []), "what came at eight is not waited for")
  }

  @Test(arguments: [(301, true), (300, false), (299, false), (-1, false)])
  func `so many seconds before the usual time is the usual time`(seconds: Int, isAwaited: Bool)
    throws
  {
    let rule = try #require(
      learned(Array(repeating: 6.5, count: 10), now: 6.5 - Double(seconds) / 3_600))
    #expect(rule.isAwaited(yesterday(), gaps: []) == isAwaited)
  }

  @Test func `an outage until midnight is not awaited once the export has come`() throws {
    let dead = ExportGap(start: Self.at(-1, 10), end: Self.at(0, 0), expected: 99)
    func isAwaited(now: Double, isThere: Bool) throws -> Bool {
      let rule = try #require(
        learned(
          Array(repeating: 6.5, count: 10), now: now, newest: Self.at(-1, 9.9), today: isThere))
      return rule.isAwaited(yesterday(lines: 5), gaps: [dead])
    }
    #expect(try !isAwaited(now: 6.6, isThere: true))
    #expect(try !isAwaited(now: 12, isThere: true))
    // The day after, when nothing came any more.
    let next = try #require(
      ExportArrivalRule(
        imports: (-10...(-1)).map { Self.at($0, 6.5) }, newestLine: Self.at(-2, 9.9),
        at: Self.at(0, 7), timeZone: "UTC"))
    #expect(!next.isAwaited(yesterday(), gaps: [dead]))
  }

  @Test(arguments: [(14.0, false), (6.0, true)])
  func `an import at an unusual time tells of no export`(hour: Double, isAwaited: Bool) throws {
    // Of day -1 nothing came; today's import brought lines of a day before.
    let imports = (-10...(-1)).map { Self.at($0, 6) } + [Self.at(0, hour)]
    let rule = try #require(
      ExportArrivalRule(
        imports: imports, newestLine: Self.at(-1, -Self.second), at: Self.at(0, 15),
        timeZone: "UTC"))
    #expect(rule.isAwaited(yesterday(), gaps: []) == isAwaited)
  }

  @Test(arguments: [(3_600, true), (3_601, false)])
  func `where days of UTC are exported, the end of a day is awaited`(
    secondsBefore: Int, isAwaited: Bool
  ) throws {
    // In Los Angeles a day of UTC ends at 16:00.
    let zone = "America/Los_Angeles"
    let midnight = LocalDay(of: Self.midnight, in: zone).end
    let newest = midnight - .seconds(8 * 3_600 + secondsBefore)
    let imports = (-9...0).map { midnight + .seconds(86_400 * $0 + 6 * 3_600) }
    let rule = try #require(
      ExportArrivalRule(
        imports: imports, newestLine: newest, at: midnight + .seconds(7 * 3_600), timeZone: zone))
    var day = DayFacts(start: midnight - .seconds(86_400), end: midnight)
    day.exportLines = 9
    let gap = ExportGap(start: newest, end: midnight, expected: 999)
    #expect(rule.isAwaited(day, gaps: [gap]) == isAwaited)
  }

  @Test(arguments: [
    ("2026-03-29", 6.4, true), ("2026-03-29", 6.5, false), ("2026-10-25", 6.4, true),
  ])
  func `the usual time is that of the clock on the wall`(
    date: String, now: Double, isAwaited: Bool
  ) throws {
    // Berlin's clocks change on that day at two or three.
    let zone = "Europe/Berlin"
    let noon = try #require(Instant(iso8601: "\(date)T12:00:00Z"))
    let today = LocalDay(of: noon, in: zone)
    func wall(_ hour: Double) -> Instant {
      today.end - .seconds(86_400) + .seconds(Int(hour * 3_600))
    }
    let imports = (1...10).reversed().map { days in
      today.start + .seconds(Int(6.5 * 3_600)) - .seconds(86_400 * days)
    }
    let rule = try #require(
      ExportArrivalRule(
        imports: imports, newestLine: today.start - .seconds(86_401), at: wall(now),
        timeZone: zone))
    let day = DayFacts(start: today.start - .seconds(86_400), end: today.start)
    #expect(rule.isAwaited(day, gaps: []) == isAwaited)
  }

  @Test func `an export of two days before is awaited a day longer`() throws {
    let rule = try #require(
      learned(Array(repeating: 6, count: 10), now: 7, newest: Self.at(-2, -Self.second)))
    #expect(rule.isAwaited(yesterday(), gaps: []))
  }

  @Test func `a day with lines is awaited when its end lacks them, and a gap in it is none`() throws
  {
    let rule = try #require(learned(Array(repeating: 12, count: 10), now: 7))
    #expect(!rule.isAwaited(yesterday(lines: 5), gaps: []))
    func gap(_ start: Double, _ end: Double) -> ExportGap {
      ExportGap(start: Self.at(-1, start), end: Self.at(-1, end), expected: 99)
    }
    #expect(rule.isAwaited(yesterday(lines: 5), gaps: [gap(10, 24)]))
    #expect(!rule.isAwaited(yesterday(lines: 5), gaps: [gap(10, 23)]))
  }

  @Test(arguments: [(17.0, true), (18.0, false), (23.0, false)])
  func `quiet hours before midnight are no late export`(newestHour: Double, isAwaited: Bool) throws
  {
    // Before the usual time lines are there as far as they came yesterday, in the running day.
    let rule = try #require(
      learned(Array(repeating: 6, count: 10), now: 5, newest: Self.at(-1, newestHour)))
    #expect(rule.isAwaited(yesterday(), gaps: []) == isAwaited)
  }
}
