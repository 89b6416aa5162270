import Testing

@testable import Model

@Suite("Tracing a limit decision")
struct LimitTraceTests {
  private func effects(_ result: LimitResult) -> [LimitTraceEntry.Effect] {
    result.trace.map(\.effect)
  }

  @Test func `all six rules stand in their order, with what each saw, found and decided`() {
    var attempt = Attempt.coolingDown(for: .milliseconds(20_500))
    attempt.firstAccountCreatedAt = Attempt.start - .seconds(9_000)
    let entries = attempt.ask(.peek).trace
    #expect(entries.map(\.rule) == Array(LimitStep.Rule.allCases.dropFirst()))
    #expect(entries.map(\.effect) == [.goesOn, .goesOn, .goesOn, .goesOn, .goesOn, .blocks])
    #expect(
      entries.map(\.inputs) == [
        ["began 20.500 s ago"], ["began 20.500 s ago", "cooldown 120 s", "tolerance 1 s"],
        ["tier free"], ["account's age 9000 s", "free period 7200 s"], ["usage 2", "limit 2"],
        ["usage 2", "limit 2", "left 99.500 s"],
      ])
    #expect(
      entries.map(\.finding) == [
        "No cooldown seems to begin in the future.", "A cooldown runs for another 99.500 s.",
        "Not subscribed.", "Not a new user: the account is 9000 s old, the free period was 7200 s.",
        "2 of 2 used: nothing is left.",
        "2 of 2 used: at the limit, with 99.500 s of the cooldown left.",
      ])
  }

  @Test func `the rules behind the one that decides are not asked`() {
    var subscriber = Attempt(tier: .plus)
    #expect(
      effects(subscriber.ask(.check)) == [
        .goesOn, .goesOn, .proceeds, .notAsked, .notAsked, .notAsked,
      ])
    var young = Attempt(firstAccountCreatedAt: Attempt.start - .seconds(60))
    #expect(
      effects(young.ask(.check)) == [.goesOn, .goesOn, .goesOn, .proceeds, .notAsked, .notAsked])
    var under = Attempt(state: LimitState(usage: 1))
    let entries = under.ask(.check).trace
    #expect(
      entries.map(\.effect) == [.goesOn, .goesOn, .goesOn, .goesOn, .proceeds, .notAsked])
    #expect(entries[5].inputs.isEmpty && entries[5].finding == nil)
    #expect(entries[0].inputs == ["no cooldown"] && entries[1].inputs == ["no cooldown"])
  }

  @Test func `one at the limit waits for its popup, one over the limit is told so`() {
    var attempt = Attempt(state: LimitState(usage: 3))
    let entries = attempt.ask(.peek).trace
    #expect(entries[4].finding == "3 of 2 used: nothing is left.")
    #expect(entries[5].inputs == ["usage 3", "limit 2", "no cooldown"])
    #expect(entries[5].effect == .blocks)
  }

  @Test func `a clock that went back is told by the first rule, an expired wait by the second`() {
    var skewed = Attempt.coolingDown(for: .seconds(-3))
    let first = skewed.ask(.check).trace[0]
    #expect(first.inputs == ["begins in 3 s"] && first.effect == .goesOn)
    #expect(first.finding?.hasPrefix("The cooldown started 3 s in the future") == true)
    var over = Attempt.coolingDown(for: .seconds(119))
    let entries = over.ask(.check).trace
    #expect(entries[1].finding == "The cooldown is over: usage is back to 0.")
    #expect(entries[4].effect == .proceeds && entries[4].inputs == ["usage 0", "limit 2"])
  }

  @Test func `a feature without a limit has that one rule`() {
    let input = LimitInput(
      feature: .message, state: .initial, profile: Profile(), settings: Settings([]),
      now: Attempt.start)
    let entries = LimitRule.decide(input, action: .peek).trace
    #expect(entries.map(\.rule) == [.notLimited] && entries.map(\.effect) == [.proceeds])
    #expect(entries.first?.finding == "The settings do not limit message.")
  }
}
