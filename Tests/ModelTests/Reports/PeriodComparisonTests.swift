import FoundationEssentials
import Model
import Testing

@Suite struct PeriodComparisonTests {
  private static let berlin = "Europe/Berlin"

  private func at(_ text: String) throws -> Instant { try #require(Instant(iso8601: text)) }

  /// As the report job asks for so many days up to now.
  private func comparison(days: Int, now: Instant, zone: String) -> PeriodComparison {
    var start = LocalDay(of: now, in: zone).start
    for _ in 1..<days { start = LocalDay(of: start - .microseconds(1), in: zone).start }
    return PeriodComparison(
      start: start, end: now + .microseconds(1), now: now, timeZone: zone)
  }

  private func days(in span: Range<Instant>, zone: String) -> [LocalDay] {
    var days: [LocalDay] = []
    var instant = span.lowerBound
    while instant < span.upperBound {
      let day = LocalDay(of: instant, in: zone)
      days.append(day)
      instant = day.end
    }
    return days
  }

  /// The Sundays on which Berlin's clocks change, and days about four weeks around them.
  private static let mornings = [
    "2026-03-28", "2026-03-29", "2026-03-30", "2026-04-05", "2026-04-06", "2026-04-26",
    "2026-10-24", "2026-10-25", "2026-10-26", "2026-11-01", "2026-11-02", "2026-11-30",
  ]

  @Test(arguments: mornings)
  func `a series that is the same every day is the same, at any hour and over any change of clocks`(
    day: String
  ) throws {
    for hour in ["00:00:00", "00:59:59", "05:35:00", "12:00:00", "22:30:00", "23:59:59"] {
      let now = try at("\(day)T\(hour)Z")
      for count in [1, 7, 28, 30] {
        let found = comparison(days: count, now: now, zone: Self.berlin)
        #expect((found.whole == nil) == (count == 1), "\(now), \(count) days")
        guard let whole = found.whole else { continue }
        let current = days(in: whole.current, zone: Self.berlin)
        let previous = days(in: whole.previous, zone: Self.berlin)
        #expect(current.count == count - 1 && previous.count == count - 1, "\(now), \(count) days")
        #expect(current.first?.start == whole.current.lowerBound)
        #expect(previous.first?.start == whole.previous.lowerBound)
        #expect(previous.last?.end == whole.previous.upperBound)
        #expect(whole.previous.upperBound <= whole.current.lowerBound)
        #expect(whole.current.upperBound <= now)
        #expect(weekday(current[0]) == weekday(previous[0]), "\(now), \(count) days")
      }
    }
  }

  private func weekday(_ day: LocalDay) -> Int {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: Self.berlin) ?? .gmt
    return calendar.component(.weekday, from: day.start.date)
  }

  @Test(arguments: [(2, 1), (8, 1), (9, 2), (15, 2), (16, 3), (29, 4), (30, 5), (36, 5), (37, 6)])
  func `the spans lie as many weeks apart as keeps them from overlapping`(days: Int, weeks: Int)
    throws
  {
    let found = comparison(days: days, now: try at("2026-08-12T06:35:00Z"), zone: "UTC")
    let whole = try #require(found.whole)
    #expect(whole.current.lowerBound - whole.previous.lowerBound == .seconds(604_800 * weeks))
  }

  @Test(arguments: [
    // An hour of the day of the change of clocks is missing, or comes twice.
    (
      "2026-03-29T04:35:00Z", "2026-03-28T23:00:00Z", "2026-03-29T04:30:00Z",
      "2026-03-21T23:00:00Z", "2026-03-22T05:30:00Z"
    ),
    (
      "2026-10-25T05:35:00Z", "2026-10-24T22:00:00Z", "2026-10-25T05:30:00Z",
      "2026-10-17T22:00:00Z", "2026-10-18T04:30:00Z"
    ),
    (
      "2026-04-05T04:35:00Z", "2026-04-04T22:00:00Z", "2026-04-05T04:30:00Z",
      "2026-03-28T23:00:00Z", "2026-03-29T04:30:00Z"
    ),
  ])
  func `today is compared by the clock on the wall, up to a full quarter of an hour`(
    now: String, start: String, end: String, startBefore: String, endBefore: String
  ) throws {
    let found = comparison(days: 7, now: try at(now), zone: Self.berlin)
    #expect(
      found.today
        == PeriodComparison.Pair(
          current: try at(start)..<at(end), previous: try at(startBefore)..<at(endBefore)))
  }

  @Test(arguments: [("00:00:00", false), ("00:14:59", false), ("00:15:00", true)])
  func `a day that has not had a quarter of an hour is not compared`(time: String, isThere: Bool)
    throws
  {
    let found = comparison(days: 1, now: try at("2026-08-12T\(time)Z"), zone: "UTC")
    #expect((found.today != nil) == isThere)
    #expect(found.main == found.today)
  }

  @Test func `a period that is over has no today`() throws {
    let found = PeriodComparison(
      start: try at("2026-08-03T00:00:00Z"), end: try at("2026-08-10T00:00:00Z"),
      now: try at("2026-08-10T00:00:00Z"), timeZone: "UTC")
    #expect(found.today == nil)
    #expect(found.main == found.whole)
    #expect(found.previousStart == (try at("2026-07-27T00:00:00Z")))
  }

  /// Midnights in Berlin.
  private func comparison(_ first: String, _ end: String, now: String) throws -> PeriodComparison {
    func midnight(_ day: String) throws -> Instant {
      LocalDay(of: try at("\(day)T12:00:00Z"), in: Self.berlin).start
    }
    return PeriodComparison(
      start: try midnight(first), end: try midnight(end), now: try at(now), timeZone: Self.berlin)
  }

  @Test(arguments: [
    ("2026-02-01", "2026-03-01", "2026-01-01"), ("2026-03-01", "2026-04-01", "2026-02-01"),
    ("2026-11-01", "2026-12-01", "2026-10-01"), ("2026-01-01", "2026-02-01", "2025-12-01"),
  ])
  func `a calendar month that is over is compared with the month before it`(
    first: String, end: String, before: String
  ) throws {
    let found = try comparison(first, end, now: "2026-12-03T06:35:00Z")
    let whole = try #require(found.whole)
    let start = LocalDay(of: try at("\(before)T12:00:00Z"), in: Self.berlin).start
    #expect(found.today == nil)
    #expect(whole.previous == start..<whole.current.lowerBound && found.previousStart == start)
  }

  @Test(arguments: [
    ("2026-03-01", "2026-03-31", "2026-12-03T06:35:00Z"),
    ("2026-03-02", "2026-04-01", "2026-12-03T06:35:00Z"),
    ("2026-03-01", "2026-05-01", "2026-12-03T06:35:00Z"),
    ("2026-03-01", "2026-04-01", "2026-03-31T21:59:59Z"),
  ])
  func `a day less or more, two months, and a month that runs are compared by weekdays`(
    first: String, end: String, now: String
  ) throws {
    let found = try comparison(first, end, now: now)
    #expect(
      found.whole.map { weekday(days(in: $0.previous, zone: Self.berlin)[0]) }
        == found.whole.map { weekday(days(in: $0.current, zone: Self.berlin)[0]) })
  }
}
