import Model
import Store
import Testing

@testable import Reports

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
        days[Self.last].spread = EventSpread(of: Array(repeating: events, count: 100))
      }.doubled(on: Self.last)
      #expect((found != nil) == isDoubled, "\(events)")
      #expect(found == nil || found?.name == "events a person")
    }
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
    let found = counts { $0[Self.last].spread = EventSpread(of: people) }
    #expect(found.doubled(on: Self.last) == nil)
    #expect(found.flood(on: Self.last)?.people == 1)
  }

  @Test func `more than a tenth of the events is a flood of one, more than a third of five`() {
    func flood(_ busy: [Int]) -> EventCounts.Flood? {
      let people = Array(repeating: 15, count: 100 - busy.count) + busy
      return counts { $0[Self.last].spread = EventSpread(of: people) }.flood(on: Self.last)
    }
    // The others have 1,485.
    #expect(flood([165]) == nil)
    #expect(flood([166])?.people == 1)
    // The others have 1,425.
    #expect(flood([143, 142, 142, 142, 142]) == nil)
    #expect(flood([150, 150, 150, 150, 150])?.people == 5)
  }

  @Test func `what is usual for the busiest is no flood`() {
    let usual = EventSpread(of: Array(repeating: 15, count: 99) + [400])
    let found = counts { days in for day in days.indices { days[day].spread = usual } }
    #expect(found.flood(on: Self.last) == nil)
  }

  @Test func `the typical person is the mean without the busiest twentieth`() {
    #expect(EventSpread(of: []).typical == 0)
    #expect(EventSpread(of: [7]).typical == 0)
    #expect(EventSpread(of: [100, 50] + Array(repeating: 2, count: 37)).typical > 2)
    #expect(EventSpread(of: [100, 50] + Array(repeating: 2, count: 38)).typical == 2)
    let spread = EventSpread(of: [1, 2, 3, 4, 5, 6, 7])
    #expect(spread.busiest == 7 && spread.busiestFive == 25 && spread.events == 28)
  }

  private static let profile = [
    2, 1, 1, 1, 2, 4, 8, 12, 16, 18, 20, 22, 24, 24, 24, 26, 30, 36, 44, 52, 50, 36, 18, 6,
  ]

  private func move(by hours: Int, factor: Int = 1) -> HoursMoved.Move? {
    var all = Array(repeating: Self.profile, count: Self.last + 1)
    all[Self.last] = (0..<24).map { Self.profile[($0 - hours + 24) % 24] / factor }
    return HoursMoved(days: JudgedApp.days(), hours: all).move(on: Self.last)
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
    #expect((rule.move(on: Self.last) != nil) == isMove)
  }

  @Test(arguments: [(52, true), (54, false)])
  func `it does so by 1.6 times what it did on any of the days before`(before: Int, isMove: Bool) {
    var all = Array(repeating: Self.profile.map { $0 * 100 }, count: Self.last + 1)
    (all[Self.last], all[Self.last - 3]) = (mixed(60), mixed(before))
    let rule = HoursMoved(days: JudgedApp.days(), hours: all)
    #expect((rule.move(on: Self.last) != nil) == isMove)
  }

  @Test(arguments: [(75, 2), (80, nil)])
  func `0.6 of the distance from the usual hours may be left`(ripple: Int, hours: Int?) {
    var all = Array(repeating: Self.profile, count: Self.last + 1)
    all[Self.last] = (0..<24).map {
      Self.profile[($0 + 22) % 24] * (100 + ($0 % 2 == 1 ? ripple : -ripple))
    }
    let rule = HoursMoved(days: JudgedApp.days(), hours: all)
    #expect(rule.move(on: Self.last)?.byHours == hours)
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
    #expect(rule.move(on: Self.last)?.byHours == (isMove ? hours : nil))
  }

  @Test func `silent hours are no moved hours`() {
    for silent in [0..<6, 8..<12, 12..<18, 18..<24] {
      var all = Array(repeating: Self.profile, count: Self.last + 1)
      for hour in silent { all[Self.last][hour] = 0 }
      let rule = HoursMoved(days: JudgedApp.days(), hours: all)
      #expect(rule.move(on: Self.last) == nil, "\(silent)")
    }
  }
}
