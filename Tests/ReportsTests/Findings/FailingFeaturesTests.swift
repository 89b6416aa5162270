import Model
import Testing

@testable import Reports

/// When a feature hardly works in a part of the app: docs/findings.md#failing.
@Suite struct FailingFeaturesTests {
  private static let refresh = Feature.refresh.position

  /// 49 days on which four of five taps are followed by an action.
  private static func part(taps: Int, people: Int = 20) -> AppDimension.Days {
    var days = AppDimension.Days(days: 49)
    days.people = Array(repeating: people, count: 49)
    days.taps[refresh] = Array(repeating: taps, count: 49)
    days.performed[refresh] = Array(repeating: taps * 4 / 5, count: 49)
    return days
  }

  private func found(
    _ own: AppDimension.Days, others: Int = 300, kind: AppDimension.Kind = .country,
    floor: Double? = nil
  ) -> [FailingFeatures.Failing] {
    let parts = [
      AppDimension(kind, "One"): own, AppDimension(kind, "Others"): Self.part(taps: others),
    ]
    return FailingFeatures(
      days: JudgedApp.days(), parts: parts, historyDays: JudgedApp.last + 1, ownFloor: floor
    ).failing(on: JudgedApp.last)
  }

  /// What one part has on the last day.
  private func ending(_ performed: Int, of taps: Int, people: Int = 20) -> AppDimension.Days {
    var days = Self.part(taps: taps, people: people)
    days.performed[Self.refresh][48] = performed
    return days
  }

  @Test func `a tenth of the actions of others, and what chance adds, is next to none`() {
    // Of 80 a tenth is 8, and 1.3 deviations of 8, with a dispersion of 2, are 5.2.
    for (performed, fails) in [(0, true), (12, true), (13, true), (14, false), (80, false)] {
      #expect(found(ending(performed, of: 100)).isEmpty == !fails, "\(performed)")
    }
  }

  @Test func `chance must hardly leave so few actions`() {
    // By Poisson with half of the counts: 12 without one, 12 with one, 11.2 without one.
    for (performed, taps, fails) in [(0, 30, true), (1, 30, true), (2, 30, false), (0, 28, false)] {
      #expect(found(ending(performed, of: taps)).isEmpty == !fails, "\(performed) of \(taps)")
    }
  }

  @Test func `a floor of the owner takes the place of ours`() {
    #expect(!found(ending(0, of: 30), floor: 24).isEmpty)
    #expect(found(ending(0, of: 30), floor: 24.1).isEmpty)
  }

  @Test(arguments: [(12, true), (11, false)])
  func `twelve people must be there`(people: Int, fails: Bool) {
    #expect(found(ending(0, of: 100, people: people)).isEmpty == !fails)
  }

  @Test(arguments: [(30, true), (29, false)])
  func `thirty taps elsewhere say how often an action follows`(others: Int, fails: Bool) {
    #expect(found(ending(0, of: 100), others: others).isEmpty == !fails)
  }

  @Test(arguments: [(25, true), (24, false), (0, false)])
  func `what never worked there is no news`(before: Int, fails: Bool) {
    var days = ending(0, of: 125)
    for day in 0..<48 { days.performed[Self.refresh][day] = before }
    #expect(found(days).isEmpty == !fails)
  }

  @Test(arguments: [(34, 168, true), (34, 167, false), (33, 168, false)])
  func `it must have worked in the fourteen days before`(day: Int, performed: Int, fails: Bool) {
    // A quarter of the 1,400 actions that 14 days have elsewhere, 26 of them on each of the last
    // seven, which is more than a quarter of a day.
    var days = ending(0, of: 125)
    days.performed[Self.refresh] = (0..<49).map { (41..<48).contains($0) ? 26 : 0 }
    days.performed[Self.refresh][day] = performed
    #expect(found(days).map(\.firstDay) == (fails ? [JudgedApp.last] : []))
  }

  @Test(arguments: [(29, true), (30, false)])
  func `what was hardly used before may not have worked`(before: Int, fails: Bool) {
    // 30 taps have the 24 actions elsewhere that are the floor.
    var days = ending(0, of: 100)
    days.taps[Self.refresh].replaceSubrange(0..<48, with: Array(repeating: 0, count: 48))
    days.performed[Self.refresh].replaceSubrange(0..<48, with: Array(repeating: 0, count: 48))
    days.taps[Self.refresh][40] = before
    #expect(found(days, floor: 24).isEmpty == !fails)
  }

  @Test(arguments: [(8, true), (7, false)])
  func `people come again, so two days need sixteen`(last: Int, fails: Bool) {
    // 16 people of two days are at least 12 of one: each counts 1 / 1.3.
    var days = ending(0, of: 30, people: 8)
    days.performed[Self.refresh][47] = 0
    days.people[48] = last
    #expect(found(days).map(\.firstDay) == (fails ? [JudgedApp.last - 1] : []))
  }

  @Test func `where most is missing comes first, of equal ones by name`() {
    let parts = [
      "Peru": ending(0, of: 100), "Chile": ending(0, of: 100), "India": ending(0, of: 125),
      "Brazil": Self.part(taps: 900),
    ]
    let rule = FailingFeatures(
      days: JudgedApp.days(),
      parts: Dictionary(uniqueKeysWithValues: parts.map { (AppDimension(.country, $0), $1) }),
      historyDays: JudgedApp.last + 1)
    #expect(rule.failing(on: JudgedApp.last).map(\.part.name) == ["India", "Chile", "Peru"])
  }

  @Test(arguments: [(20, true), (21, false)])
  func `it is over on a day with more than a quarter of the actions`(last: Int, fails: Bool) {
    var days = ending(last, of: 100)
    for day in 43..<48 { days.performed[Self.refresh][day] = 0 }
    #expect(found(days).map(\.firstDay) == (fails ? [JudgedApp.last - 5] : []))
  }

  @Test(arguments: [(1, true), (7, true), (8, false)])
  func `a version that is broken from its first day on is told for a week`(
    count: Int, fails: Bool
  ) throws {
    var days = AppDimension.Days(days: 49)
    for day in (49 - count)..<49 {
      days.people[day] = 20
      days.taps[Self.refresh][day] = 30
    }
    let first = found(days, kind: .version).first
    #expect(first?.firstDay == (fails ? JudgedApp.last + 1 - count : nil))
  }

  @Test(arguments: [(7, true), (8, false), (15, false)])
  func `what fails for longer than a week is the new normal`(count: Int, fails: Bool) {
    var days = Self.part(taps: 100)
    for day in (49 - count)..<49 { days.performed[Self.refresh][day] = 0 }
    #expect(found(days).map(\.firstDay) == (fails ? [JudgedApp.last + 1 - count] : []))
  }

  @Test func `the sentence names the feature, the part and what others have`() throws {
    let rule = FailingFeatures(
      days: JudgedApp.days(),
      parts: [
        AppDimension(.country, "India"): ending(3, of: 100),
        AppDimension(.country, "Chile"): .init(days: 49),
        AppDimension(.country, "Brazil"): Self.part(taps: 300),
      ],
      historyDays: JudgedApp.last + 1)
    let found = try #require(rule.found(on: JudgedApp.last).first)
    #expect(
      found.finding.sentence == "Refresh hardly works in India since Sun 1 Mar: 3 actions after "
        + "100 taps, elsewhere after 80% of them.")
    #expect(found.finding.id == "usage-dead-features-of-parts-2026-03-01")
  }
}
