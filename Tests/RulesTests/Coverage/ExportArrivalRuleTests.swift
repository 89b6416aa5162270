import Model
import Rules
import Testing

@Suite struct ExportArrivalRuleTests {
  /// Day 20 begins; the lines of day 19 are asked for.
  private static let midnight = Instant(unixSeconds: 1_767_571_200 + 20 * 86_400)

  private static func at(_ day: Int, _ hour: Double) -> Instant {
    midnight + .seconds(86_400 * day) + .seconds(Int(hour * 3_600))
  }

  /// Imports at `hour` of each of so many days, the last one a day ago, each up to midnight.
  private func learned(
    _ hours: [Double], now: Double, newest: Instant = at(-1, 0), today: Bool = false
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
        imports: twice, newestLine: Self.at(-1, 0), at: Self.at(0, 7), timeZone: "UTC"))
    // The last import came at eight in the evening with lines up to midnight: 20 hours old.
    #expect(rule.isAwaited(yesterday(), gaps: []))
  }

  @Test func `an export of two days before is awaited a day longer`() throws {
    let rule = try #require(
      learned(Array(repeating: 6, count: 10), now: 7, newest: Self.at(-2, 0)))
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
    let rule = try #require(
      learned(Array(repeating: 6, count: 10), now: 7, newest: Self.at(-2, newestHour)))
    #expect(rule.isAwaited(yesterday(), gaps: []) == isAwaited)
  }
}
