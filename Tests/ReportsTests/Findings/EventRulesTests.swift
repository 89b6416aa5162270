import Model
import ReportsTesting
import Testing

@testable import Reports
@testable import Store

/// Events that do not fit the people, and hours that moved: docs/findings.md#events.
@Suite struct EventRulesTests {
  private static let last = JudgedApp.last

  private func counts(_ change: (inout [DayFacts]) -> Void) -> EventCounts {
    EventCounts(days: JudgedApp.days(change))
  }

  @Test func `a person with 1.6 times the events of the days before is doubled, 1.5 times is not`()
  {
    for (events, isDoubled) in [(24, true), (23, false), (30, true), (15, false)] {
      let found = counts { days in
        days[Self.last].concentration = EventConcentration(of: Array(repeating: events, count: 100))
      }.doubled(on: Self.last)
      #expect((found != nil) == isDoubled, "\(events)")
      #expect(found == nil || found?.name == "events a person")
    }
  }

  @Test(arguments: [(50, true), (49, false)])
  func `what each of few people did is judged where half of the usual ones came`(
    people: Int, isDoubled: Bool
  ) {
    let found = counts { days in
      days[Self.last].activeUsers = people
      days[Self.last].concentration = EventConcentration(of: Array(repeating: 30, count: people))
    }.doubled(on: Self.last)
    #expect((found != nil) == isDoubled)
  }

  @Test func `actions beyond the taps are doubled, and so are lines a tap`() {
    for (performed, isDoubled) in [(1_051, true), (1_050, false), (900, false)] {
      let found = counts { $0[Self.last].performed = performed }.doubled(on: Self.last)
      #expect((found?.name == "actions a tap") == isDoubled, "\(performed)")
    }
    for (lines, isDoubled) in [(6_400, true), (6_399, false)] {
      let found = counts { $0[Self.last].exportLines = lines }.doubled(on: Self.last)
      #expect((found?.name == "lines of the export a tap") == isDoubled, "\(lines)")
    }
  }

  @Test func `a few busy people do not double the events of the others`() {
    let people = Array(repeating: 15, count: 95) + Array(repeating: 2_000, count: 5)
    let found = counts { $0[Self.last].concentration = EventConcentration(of: people) }
    #expect(found.doubled(on: Self.last) == nil)
    #expect(found.flood(on: Self.last)?.people == 1)
  }

  @Test(arguments: [(165, false), (166, true)])
  func `more than a tenth of the events is a flood of one`(events: Int, isFlood: Bool) {
    // The others have 1,485.
    let people = Array(repeating: 15, count: 99) + [events]
    let found = counts { $0[Self.last].concentration = EventConcentration(of: people) }
    #expect(found.flood(on: Self.last)?.people == (isFlood ? 1 : nil))
  }

  /// Usually the busiest five of 500, 100, 60 people have 1, 5 and 8% of the events.
  @Test(arguments: [
    (500, 825, false), (500, 826, true), (100, 475, false), (100, 476, true), (60, 412, false),
    (60, 413, true),
  ])
  func `five make a flood with more than a tenth and five times the usual, or with a third`(
    people: Int, events: Int, isFlood: Bool
  ) {
    func spread(_ ofFive: Int) -> EventConcentration {
      let five = (0..<5).map { ofFive / 5 + ($0 < ofFive % 5 ? 1 : 0) }
      return EventConcentration(of: Array(repeating: 15, count: people - 5) + five)
    }
    let found = counts { days in
      for day in days.indices { days[day].concentration = spread(75) }
      days[Self.last].concentration = spread(events)
    }
    #expect(found.flood(on: Self.last)?.people == (isFlood ? 5 : nil))
  }

  @Test func `the share that an owner sets is that of one person, not of five`() {
    let busy = Array(repeating: 15, count: 80) + Array(repeating: 200, count: 5)
    let days = JudgedApp.days { $0[Self.last].concentration = EventConcentration(of: busy) }
    #expect(EventCounts(days: days, ownShare: 0.5).flood(on: Self.last)?.people == 5)
  }

  @Test(arguments: [(223, false), (224, true)])
  func `a flood has 1.75 times the share of the busiest of any of the days before`(
    events: Int, isFlood: Bool
  ) {
    // The others have 1,485.
    func spread(_ busiest: Int) -> EventConcentration {
      EventConcentration(of: Array(repeating: 15, count: 99) + [busiest])
    }
    let found = counts { days in
      days[Self.last - 3].concentration = spread(120)
      days[Self.last].concentration = spread(events)
    }
    #expect((found.flood(on: Self.last) != nil) == isFlood)
  }

  @Test func `what is usual for the busiest is no flood`() {
    let usual = EventConcentration(of: Array(repeating: 15, count: 99) + [400])
    let found = counts { days in for day in days.indices { days[day].concentration = usual } }
    #expect(found.flood(on: Self.last) == nil)
  }

  @Test func `the typical person is the mean without the busiest twentieth`() {
    #expect(EventConcentration(of: []).typical == 0)
    #expect(EventConcentration(of: [7]).typical == 0)
    #expect(EventConcentration(of: [100, 50] + Array(repeating: 2, count: 37)).typical > 2)
    #expect(EventConcentration(of: [100, 50] + Array(repeating: 2, count: 38)).typical == 2)
    let spread = EventConcentration(of: [1, 2, 3, 4, 5, 6, 7])
    #expect(spread.busiest == 7 && spread.busiestFive == 25 && spread.events == 28)
  }

  @Test func `a quarter that begins with an hour belongs to it, from 0 to 23`() {
    let days = JudgedApp.facts()
    var usage = EmptyReports.usage
    usage.buckets = (0..<24).map { hour in
      UsageData.Bucket(
        startsAtSeconds: days[1].start.microseconds / 1_000_000 + Int64(hour) * 3_600,
        feature: .refresh, kind: .buttonTapped, platform: "ios", count: hour + 1)
    }
    let counts = HourCounts(usage, days: days)
    #expect(counts.hours[1] == Array(1...24))
    #expect(counts.hours[0].allSatisfy { $0 == 0 } && counts.nightTaps[1] == 21 + 47)
    let taps = HourCounts.Use(feature: .refresh, kind: .buttonTapped)
    #expect(counts.sixHourUses[taps]?.map { $0[1] } == [21, 57, 93, 129])
    #expect(counts.uses[taps]?[1] == 300)
  }

  private static let profile = [
    2, 1, 1, 1, 2, 4, 8, 12, 16, 18, 20, 22, 24, 24, 24, 26, 30, 36, 44, 52, 50, 36, 18, 6,
  ]

  private func move(by hours: Int, factor: Int = 1) -> HoursMoved.Move? {
    var all = Array(repeating: Self.profile, count: Self.last + 1)
    all[Self.last] = (0..<24).map { Self.profile[($0 - hours + 24) % 24] / factor }
    return HoursMoved(days: JudgedApp.days(), hours: all).moves(until: Self.last)[Self.last]
  }

  @Test func `hours that lie later or earlier are told by how many`() {
    for hours in [-6, -3, -2, 2, 3, 6, 11] { #expect(move(by: hours)?.byHours == hours) }
    #expect(move(by: 0) == nil)
    #expect(move(by: 3, factor: 8) == nil, "too few events")
    #expect(move(by: 3)?.usual == 18 && move(by: 3)?.now == 21)
  }

  /// As many of 100 events lie earlier by four hours as given; the others as usual.
  private func mixed(_ parts: Int) -> [Int] {
    (0..<24).map { Self.profile[($0 + 4) % 24] * parts + Self.profile[$0] * (100 - parts) }
  }

  @Test(arguments: [(46, false), (48, true)])
  func `an event speaks for moved hours by a twentieth of a nat`(parts: Int, isMove: Bool) {
    var all = Array(repeating: Self.profile, count: Self.last + 1)
    all[Self.last] = mixed(parts)
    let rule = HoursMoved(days: JudgedApp.days(), hours: all)
    #expect((rule.moves(until: Self.last)[Self.last] != nil) == isMove)
  }

  @Test(arguments: [(56, true), (55, false)])
  func `it does so by 1.6 times what it did on any of the days before`(parts: Int, isMove: Bool) {
    var all = Array(repeating: Self.profile.map { $0 * 100 }, count: Self.last + 1)
    (all[Self.last], all[Self.last - 3]) = (mixed(parts), mixed(46))
    let rule = HoursMoved(days: JudgedApp.days(), hours: all)
    #expect((rule.moves(until: Self.last)[Self.last] != nil) == isMove)
  }

  @Test(arguments: [(14, true), (13, false)])
  func `all people speak for moved hours by three nats`(people: Int, isMove: Bool) {
    // An event speaks for these by 0.226.
    var all = Array(repeating: Self.profile, count: Self.last + 1)
    all[Self.last] = (0..<24).map { Self.profile[($0 + 22) % 24] }
    let days = JudgedApp.days { $0[Self.last].activeUsers = people }
    #expect(
      (HoursMoved(days: days, hours: all).moves(until: Self.last)[Self.last] != nil) == isMove)
  }

  @Test(arguments: [(75, 2), (80, nil)])
  func `0.6 of the distance from the usual hours may be left`(ripple: Int, hours: Int?) {
    var all = Array(repeating: Self.profile, count: Self.last + 1)
    all[Self.last] = (0..<24).map {
      Self.profile[($0 + 22) % 24] * (100 + ($0 % 2 == 1 ? ripple : -ripple))
    }
    let rule = HoursMoved(days: JudgedApp.days(), hours: all)
    #expect(rule.moves(until: Self.last)[Self.last]?.byHours == hours)
  }

  @Test(arguments: [
    (-4, 17..<24, true), (-4, 16..<24, false), (4, 0..<7, true), (4, 0..<8, false),
    (-8, 17..<24, true), (8, 0..<7, true),
  ])
  func `hours that a move left to the day beside it may be silent`(
    hours: Int, silent: Range<Int>, isMove: Bool
  ) {
    var all = Array(repeating: Array(repeating: 12, count: 24), count: Self.last + 1)
    for day in all.indices { for hour in 9..<15 { all[day][hour] = 90 } }
    all[Self.last] = (0..<24).map {
      silent.contains($0) ? 0 : all[0][($0 - hours + 24) % 24]
    }
    let rule = HoursMoved(days: JudgedApp.days(), hours: all)
    #expect(rule.moves(until: Self.last)[Self.last]?.byHours == (isMove ? hours : nil))
  }

  /// By how much a day moved whose last hours, as of the first day of a move, lie in the next one.
  private func ended(_ day: [Int], usual: [Int], silent: Int = 4, people: Int = 100) -> Int? {
    var all = Array(repeating: usual, count: Self.last + 1)
    all[Self.last] = (0..<24).map { $0 < 24 - silent ? day[$0] : 0 }
    let days = JudgedApp.days { $0[Self.last].activeUsers = people }
    return HoursMoved(days: days, hours: all).moves(until: Self.last)[Self.last]?.byHours
  }

  @Test(arguments: [
    (32, 100, 4, true), (33, 100, 4, false), (32, 99, 4, false), (32, 100, 5, false),
  ])
  func `where a move would leave its silence, an event speaks for it by 0.035 nats`(
    more: Int, people: Int, silent: Int, isMove: Bool
  ) {
    // The more events every hour has, the less a move changes.
    let usual = Self.profile.map { $0 + more }
    let moved = (0..<24).map { usual[($0 + 4) % 24] }
    let hours = ended(moved, usual: usual, silent: silent, people: people)
    #expect(hours == (isMove ? -4 : nil))
  }

  @Test(arguments: [(1, 0, false), (2, 16, true), (11, 27, true), (12, 0, false)])
  func `two to eleven hours may lie in the next day`(hours: Int, more: Int, isMove: Bool) {
    // Without its silence none of these is a move.
    let usual = Self.profile.map { $0 + more }
    let moved = (0..<24).map { usual[($0 + hours) % 24] }
    #expect(ended(moved, usual: usual, silent: hours) == (isMove ? -hours : nil))
  }

  @Test(arguments: [(84, -4), (80, nil)])
  func `there 0.8 of the distance may be left`(parts: Int, hours: Int?) {
    let rippled = mixed(parts).enumerated().map { $1 * (100 + ($0 % 2 == 1 ? 95 : -95)) }
    #expect(ended(rippled, usual: Self.profile) == hours)
  }

  @Test(arguments: [(12, false), (13, true)])
  func `of the silent hours at an end all but twelve are compared`(silent: Int, isMove: Bool) {
    // The first silent hour is usually the busiest: only when it is compared, it tells of a move.
    let first = 24 - silent
    var usual = Array(repeating: 12, count: 24)
    usual[first] = 16
    for hour in (first + 11)..<24 { usual[hour] = 1 }
    var all = Array(repeating: usual, count: Self.last + 1)
    all[Self.last] = (0..<24).map { $0 < first ? usual[$0 + 11] : 0 }
    let rule = HoursMoved(days: JudgedApp.days(), hours: all)
    #expect(rule.moves(until: Self.last)[Self.last]?.byHours == (isMove ? -11 : nil))
  }

  @Test(arguments: [(18, 4), (19, nil)])
  func `moved hours are told while ten of the days before are as before`(days: Int, hours: Int?) {
    var all = Array(repeating: Self.profile, count: Self.last + 1)
    for day in Self.last - days...Self.last {
      all[day] = (0..<24).map { Self.profile[($0 + 20) % 24] }
    }
    let moves = HoursMoved(days: JudgedApp.days(), hours: all).moves(until: Self.last)
    #expect(moves[Self.last]?.byHours == hours)
    #expect(moves[Self.last - days]?.byHours == 4)
  }

  @Test func `silent hours are no moved hours`() {
    for silent in [0..<6, 8..<12, 12..<18, 18..<24] {
      var all = Array(repeating: Self.profile, count: Self.last + 1)
      for hour in silent { all[Self.last][hour] = 0 }
      let rule = HoursMoved(days: JudgedApp.days(), hours: all)
      #expect(rule.moves(until: Self.last)[Self.last] == nil, "\(silent)")
    }
  }

  /// The sign of a day on which each of 100 people has so many events, of 15, and the app so many
  /// of 1,000 lines, taps, actions and popups.
  private func thinned(
    events: Int, lines: Int = 600, actions: Int? = nil, on day: Int = JudgedApp.last,
    _ change: (inout [DayFacts]) -> Void = { _ in }
  ) -> PartialExport.Sign? {
    let facts = JudgedApp.facts { days in
      change(&days)
      days[day].concentration = EventConcentration(of: Array(repeating: events, count: 100))
      days[day].exportLines = 4 * lines
      days[day].taps = lines
      days[day].performed = (actions ?? lines) * 8 / 10
      days[day].popups = lines * 4 / 10
    }
    let calendar = ReportCalendar(timeZone: "UTC")
    let anomalies = DayAnomalies(facts, calendar: calendar)
    let days = JudgedDays(facts, calendar: calendar)
    return PartialExport(
      days: days, anomalies: anomalies, incidents: Incidents(anomalies: anomalies, gaps: []),
      counts: HourCounts(EmptyReports.usage, days: facts)
    ).sign(on: day)
  }

  @Test(arguments: [(10, true), (11, false)])
  func `lines are missing where each person has 0.7 of the usual events`(
    events: Int, isMissing: Bool
  ) {
    let sign: PartialExport.Sign? = isMissing ? .thinned(part: 10.0 / 15) : nil
    #expect(thinned(events: events) == sign)
  }

  @Test(arguments: [(12, true), (11, false)])
  func `the least of the days before must have had a third more`(events: Int, isMissing: Bool) {
    let sign = thinned(events: 9) { days in
      days[Self.last - 5].concentration = EventConcentration(
        of: Array(repeating: events, count: 100))
    }
    #expect((sign != nil) == isMissing)
  }

  @Test func `a fifth of the lines must be missing, and actions as many as taps`() {
    #expect(thinned(events: 9, lines: 800) != nil)
    #expect(thinned(events: 9, lines: 801) == nil)
    // 0.65 to 1.55 of what is left of the taps.
    for (actions, isMissing) in [(395, true), (385, false), (925, true), (935, false)] {
      #expect((thinned(events: 9, actions: actions) != nil) == isMissing, "\(actions)")
    }
  }

  @Test func `who sees as many online, and only the first of several days, is told`() {
    #expect(thinned(events: 9) { $0[Self.last].onlineNow = 24 } != nil)
    #expect(thinned(events: 9) { $0[Self.last].onlineNow = 23 } == nil)
    let second = thinned(events: 9) { days in
      days[Self.last - 1].concentration = EventConcentration(of: Array(repeating: 9, count: 100))
      days[Self.last - 1].exportLines = 2_400
      days[Self.last - 1].taps = 600
      days[Self.last - 1].performed = 480
      days[Self.last - 1].popups = 240
    }
    #expect(second == nil)
  }

  @Test(arguments: [(14, true), (15, false)])
  func `fourteen of the days before must be known`(unknown: Int, isMissing: Bool) {
    let others = (Self.last - 28..<Self.last).filter { $0 % 7 != Self.last % 7 }
    let sign = thinned(events: 9) { days in
      for day in others.prefix(unknown) { days[day].coverage = .partial }
    }
    #expect((sign != nil) == isMissing)
  }
}
