import Model
import Testing

@Suite("Explaining a limit decision")
struct LimitStepTests {
  @Test func `the steps tell the whole way to a block, the last one is the reason`() {
    var attempt = Attempt.coolingDown(for: .milliseconds(20_500))
    attempt.firstAccountCreatedAt = Attempt.start - .seconds(9_000)
    let result = attempt.ask(.check)
    #expect(result.steps.map(\.id) == ["expiry", "subscribed", "new-user", "at-limit"])
    #expect(
      result.steps.map(\.text) == [
        "A cooldown runs for another 99.500 s.", "Not subscribed.",
        "Not a new user: the account is 9000 s old, the free period was 7200 s.",
        "2 of 2 used: at the limit, with 99.500 s of the cooldown left.",
      ])
    #expect(result.reason == result.steps.last?.text)
  }

  @Test func `every way to a decision has its own sentence`() {
    var fresh = Attempt.coolingDown(for: .seconds(119))
    #expect(fresh.ask(.check).reason == "0 of 2 used, just reset: may proceed at once.")
    var under = Attempt(state: LimitState(usage: 1))
    #expect(under.ask(.check).reason == "1 of 2 used: may proceed.")
    var starts = Attempt(state: LimitState(usage: 2))
    #expect(
      starts.ask(.check).reason == "2 of 2 used: at the limit, and a cooldown of 120 s starts now.")
    var subscriber = Attempt(tier: .plus)
    #expect(subscriber.ask(.check).reason == "Subscribed (plus): limits do not apply.")
    var young = Attempt(firstAccountCreatedAt: Attempt.start - .seconds(60))
    #expect(young.ask(.check).reason == "New user: the account is 60 s old, less than 7200 s.")
    var unborn = Attempt(firstAccountCreatedAt: Attempt.start + .seconds(300))
    #expect(
      unborn.ask(.check).reason
        == "New user: the account was created 300 s in the future; treated as new.")
    var skewed = Attempt.coolingDown(for: .seconds(-3))
    let text = "The cooldown started 3 s in the future: the clock went back. It restarts now."
    #expect(skewed.ask(.check).steps.first?.text == text)
  }

  @Test(arguments: [
    (Duration.zero, "0 s"), (.milliseconds(501), "0.501 s"), (.seconds(120), "120 s"),
    (.milliseconds(-1_500), "-1.500 s"), (.milliseconds(-1), "-0.001 s"),
    (.microseconds(-999), "0 s"), (.microseconds(999), "0 s"),
  ])
  func `a duration reads in seconds, with milliseconds only when there are some`(
    duration: Duration, expected: String
  ) {
    #expect(duration.secondsText == expected)
  }
}
