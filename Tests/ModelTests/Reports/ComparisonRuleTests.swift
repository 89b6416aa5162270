import Model
import Testing

@Suite struct ComparisonRuleTests {
  private static let midnight = Instant(unixSeconds: 1_767_571_200)

  private static func day(_ number: Int) -> Instant { midnight + .seconds(86_400 * number) }

  /// Ten days, the last of them running; days 7 and 8 are compared with 0 and 1.
  private func fault(
    _ coverage: [Int: DayFacts.Coverage] = [:], begins: Instant? = midnight, days: Int = 10
  ) -> ComparisonFault? {
    let history = DayHistory(
      days: (0..<days).map { number in
        DayFacts(
          start: Self.day(number), end: Self.day(number + 1),
          coverage: coverage[number] ?? (number == 9 ? .running : .whole))
      })
    return ComparisonRule.fault(
      in: PeriodComparison.Pair(
        current: Self.day(7)..<Self.day(9), previous: Self.day(0)..<Self.day(2)),
      of: history, ledgerBegins: begins)
  }

  @Test func `whole days on both sides can be compared`() {
    #expect(fault() == nil)
    #expect(fault([2: .none, 6: .partial]) == nil)
  }

  @Test(arguments: [0, 1, 7, 8], [DayFacts.Coverage.none, .partial])
  func `one day of either side that is not whole is enough`(
    day: Int, coverage: DayFacts.Coverage
  ) {
    #expect(fault([day: coverage]) == .missingLines(Self.day(day)))
  }

  @Test(arguments: [(-1, false), (0, false), (3_600, false), (3_601, true), (900_000, true)])
  func `the ledger has to begin before the earlier side`(seconds: Int, isFault: Bool) {
    let begins = Self.midnight + .seconds(seconds)
    #expect(fault(begins: begins) == (isFault ? .ledgerBegins(begins) : nil))
  }

  @Test func `an empty ledger compares nothing, and without a history nothing is known`() {
    #expect(fault(begins: nil) == .emptyLedger)
    #expect(fault(begins: nil, days: 0) == nil)
  }
}
