import Model
import Testing

@testable import Reports

/// What moved since a setting changed, in people and in money: docs/findings.md#effects.
@Suite struct SettingEffectsTests {
  /// The day of the change, with 14 days before it and after it.
  private static let first = 41

  private func evidence(
    _ name: String = "freeRefreshLimit", _ old: String = "3", _ new: String = "2",
    price: String? = "$2.99/week", first: Int = SettingEffectsTests.first,
    _ change: (inout [DayFacts]) -> Void = { _ in }
  ) -> [Evidence]? {
    let days = JudgedApp.days { days in
      for day in days.indices {
        days[day].subscriptionTaps = day < first ? 5 : 20
        days[day].newSubscribers = day < first ? 2 : 3
      }
      change(&days)
    }
    let at = days.days[first].start + .seconds(3_600)
    let effects = SettingEffects(
      days: days,
      changes: [
        SettingChange(
          wireName: name, source: .appSettings, oldValue: old, newValue: new, changedAt: at)
      ],
      experiments: nil, price: price.flatMap { PriceText($0) })
    return effects.found(on: JudgedApp.last).first?.finding.evidence
  }

  @Test(arguments: [(6, false), (7, true), (20, true), (21, false)])
  func `an effect is told from the 7th to the 20th day`(days: Int, isTold: Bool) {
    #expect((evidence(first: JudgedApp.last - days) != nil) == isTold)
  }

  @Test func `a limit is told with the first payments of a day and their interval`() throws {
    let money = try #require(evidence()?.last)
    #expect(money.unit == .money && money.currency == "$" && money.value == 8.97)
    #expect(
      money.label == "First terms a day in $ (before 5.98; +2.99, −0.55 to +6.64)")
  }

  @Test func `a price is told at what people paid before and pay now`() throws {
    let money = try #require(evidence("litePrice", "$2.99", "$4.99")?.last)
    #expect(money.value == 14.97 && money.label.contains("(before 5.98; +8.99, "))
    #expect(evidence("litePrice", "$2.99", "4,99 €")?.last?.unit == .percent)
  }

  @Test func `without a price nothing is told of money`() {
    #expect(evidence(price: nil)?.map(\.unit) == [.percent, .percent])
  }

  @Test(arguments: [(7, true), (8, false)])
  func `seven whole days are needed on each side`(unknown: Int, isTold: Bool) {
    let evidence = evidence { days in
      for day in (Self.first - unknown)..<Self.first { days[day].coverage = .partial }
    }
    #expect((evidence?.last?.unit == .money) == isTold)
  }
}
