import Fixtures
import Model
import Testing

@Suite("The grace for new users")
struct NewUserRuleTests {
  private let now = Instant.morning

  private func isNew(_ createdAt: Instant?, period: Int = 7_200) -> Bool {
    NewUserRule.decide(firstAccountCreatedAt: createdAt, periodSeconds: period, now: now).isNew
  }

  @Test(arguments: [
    (Duration.zero, true), (.microseconds(7_199_999_999), true), (.seconds(7_200), false),
    (.microseconds(7_200_000_001), false),
  ])
  func `an account is new while it is younger than the period, strictly`(
    age: Duration, expected: Bool
  ) {
    #expect(isNew(now - age) == expected)
  }

  @Test(arguments: [
    (Duration.seconds(1), true), (.seconds(300), true), (.microseconds(300_000_001), false),
    (.seconds(86_400), false),
  ])
  func `an account made up to 300 s in the future is new, one further ahead is not`(
    ahead: Duration, expected: Bool
  ) {
    #expect(isNew(now + ahead) == expected)
  }

  @Test(arguments: [(1, true), (0, false), (-1, false)])
  func `a period of zero or less switches the grace off`(period: Int, expected: Bool) {
    #expect(isNew(now, period: period) == expected)
  }

  @Test func `an unknown creation time earns no grace`() {
    #expect(!isNew(nil))
    #expect(!isNew(Instant(unixSeconds: 0), period: .max))
    #expect(!isNew(Instant(unixSeconds: -1), period: .max))
    #expect(isNew(Instant(microseconds: 1), period: .max))
  }

  @Test func `the verdict says why`() {
    let decide = { (createdAt: Instant?, period: Int) in
      NewUserRule.decide(
        firstAccountCreatedAt: createdAt, periodSeconds: period, now: self.now)
    }
    #expect(decide(now, 0) == .off)
    #expect(decide(nil, 10) == .creationUnknown)
    #expect(decide(now + .seconds(301), 10) == .createdInTheFuture(by: .seconds(301)))
    #expect(decide(now - .seconds(10), 10) == .periodIsOver(age: .seconds(10)))
    #expect(decide(now - .seconds(9), 10) == .isNew(age: .seconds(9)))
  }
}
